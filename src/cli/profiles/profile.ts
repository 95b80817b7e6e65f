import type { Target } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import type { UnreadablePin } from "./folder-pin.js";
import type { Rehearsal } from "./rehearsal-file.js";
import type { ProfileDefaults } from "./stored.js";

/** How a profile came to be the one: who chose it says how careful to be. */
export type Choice = "flag" | "environment" | "VOXCTL_PROFILE" | "folder" | "default" | "nobody";

interface ProfileBase {
  readonly name: string;
  readonly chosenBy: Choice;
  /** A banner on stderr, and destructive commands want `--confirm=<name>`. */
  readonly production: boolean;
  /** Values that are used where no flag says another. */
  readonly defaults?: ProfileDefaults | undefined;
  /** The folder's pin, where it may name another profile than this one. */
  readonly unreadablePin?: UnreadablePin;
}

/** A deployment and its keys. */
export interface RemoteProfile extends ProfileBase {
  readonly type: "remote";
  readonly targets: Partial<Record<ApiName, Target>>;
  /** Interfaces whose key can't be had: told only to commands that ask for them. */
  readonly unreadable?: Partial<Record<ApiName, { baseUrl: string; error: Error }>>;
  /** Paths of operations whose deployment chose others than the assumed ones. */
  readonly paths: Readonly<Record<string, string>>;
  /** A file of authorities to trust besides those that Node trusts. */
  readonly caFile?: string | undefined;
  /** The rehearsal in which it is worked with: its requests go to a fork. */
  readonly rehearsal?: Rehearsal | undefined;
}

/** An embedded world. */
export interface OfflineProfile extends ProfileBase {
  readonly type: "offline";
  /** Path of its SQLite file. */
  readonly db: string;
}

export type ChosenProfile = RemoteProfile | OfflineProfile;
