import type { Target } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import type { UnreadablePin } from "./folder-pin.js";
import type { Rehearsal } from "./rehearsal-file.js";
import type { ProfileDefaults } from "./stored.js";

/** How a profile was chosen. This determines which checks voxctl makes. */
export type Choice = "flag" | "environment" | "VOXCTL_PROFILE" | "folder" | "default" | "nobody";

interface ProfileBase {
  readonly name: string;
  readonly chosenBy: Choice;
  /** If true, voxctl shows a banner and requires `--confirm=<name>` for destructive commands. */
  readonly production: boolean;
  readonly defaults?: ProfileDefaults | undefined;
  /** The directory's pin file, if it can't be read. The file might name a different profile. */
  readonly unreadablePin?: UnreadablePin;
}

export interface RemoteProfile extends ProfileBase {
  readonly type: "remote";
  readonly targets: Partial<Record<ApiName, Target>>;
  /** APIs whose key is unavailable. A command throws the error only if it uses the API. */
  readonly unreadable?: Partial<Record<ApiName, { baseUrl: string; error: Error }>>;
  /** Paths that differ from voxctl's assumptions, by operation. */
  readonly paths: Readonly<Record<string, string>>;
  readonly caFile?: string | undefined;
  /** Set in a rehearsal, whose requests go to a fork of the service. */
  readonly rehearsal?: Rehearsal | undefined;
}

export interface OfflineProfile extends ProfileBase {
  readonly type: "offline";
  readonly db: string;
}

export type ChosenProfile = RemoteProfile | OfflineProfile;

export function isRehearsed(profile: ChosenProfile): profile is RemoteProfile & { rehearsal: Rehearsal } {
  return profile.type === "remote" && profile.rehearsal !== undefined;
}
