import type { Target } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import type { UnreadablePin } from "./folder-pin.js";
import type { Rehearsal } from "./rehearsal-file.js";
import type { ProfileDefaults } from "./stored.js";

/** How a profile was chosen. Determines which checks voxctl makes. */
export type Choice = "flag" | "environment" | "VOXCTL_PROFILE" | "folder" | "default" | "nobody";

interface ProfileBase {
  readonly name: string;
  readonly chosenBy: Choice;
  /** Whether a banner is shown and destructive commands require `--confirm=<name>`. */
  readonly production: boolean;
  readonly defaults?: ProfileDefaults | undefined;
  /** The directory's pin file, if it can't be read and may name a different profile. */
  readonly unreadablePin?: UnreadablePin;
}

/** A profile of a remote service, with its URLs and keys. */
export interface RemoteProfile extends ProfileBase {
  readonly type: "remote";
  readonly targets: Partial<Record<ApiName, Target>>;
  /** APIs whose key is unavailable. Only commands that use one of these APIs throw its error. */
  readonly unreadable?: Partial<Record<ApiName, { baseUrl: string; error: Error }>>;
  /** Paths by operation, if they differ from the paths that voxctl assumes. */
  readonly paths: Readonly<Record<string, string>>;
  /** File with additional trusted certificate authorities. */
  readonly caFile?: string | undefined;
  /** Current rehearsal, whose requests go to a fork. */
  readonly rehearsal?: Rehearsal | undefined;
}

export interface OfflineProfile extends ProfileBase {
  readonly type: "offline";
  /** Path of the emulator database. */
  readonly db: string;
}

export type ChosenProfile = RemoteProfile | OfflineProfile;
