import type { Target } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import type { UnreadablePin } from "./folder-pin.js";
import type { Rehearsal } from "./rehearsal-file.js";
import type { ProfileDefaults } from "./stored.js";

/** Source of the choice of a profile, which determines how careful voxctl is. */
export type Choice = "flag" | "environment" | "VOXCTL_PROFILE" | "folder" | "default" | "nobody";

interface ProfileBase {
  readonly name: string;
  readonly chosenBy: Choice;
  /** A banner on stderr, and destructive commands require `--confirm=<name>`. */
  readonly production: boolean;
  /** Default values of flags. */
  readonly defaults?: ProfileDefaults | undefined;
  /** The directory's pin, if it may name a different profile. */
  readonly unreadablePin?: UnreadablePin;
}

/** A deployment and its keys. */
export interface RemoteProfile extends ProfileBase {
  readonly type: "remote";
  readonly targets: Partial<Record<ApiName, Target>>;
  /** APIs whose key is unavailable: reported only to commands that use them. */
  readonly unreadable?: Partial<Record<ApiName, { baseUrl: string; error: Error }>>;
  /** Paths of operations for deployments that differ from the assumed ones. */
  readonly paths: Readonly<Record<string, string>>;
  /** A file of certificate authorities to trust in addition to Node's. */
  readonly caFile?: string | undefined;
  /** The current rehearsal: its requests go to a fork. */
  readonly rehearsal?: Rehearsal | undefined;
}

/** An embedded emulator. */
export interface OfflineProfile extends ProfileBase {
  readonly type: "offline";
  /** Path of its database. */
  readonly db: string;
}

export type ChosenProfile = RemoteProfile | OfflineProfile;
