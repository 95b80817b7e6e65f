import { type CliError, usageError } from "../../errors/errors.js";
import type { StoredKey, StoredProfile } from "../../profiles/store.js";
import type { Input } from "../../session/input.js";
import { keyFlags } from "./key.js";

/** The profile to be added. */
export interface Addition {
  /** The profile, made from what is stored of it when the file is changed. @throws conflict (6) */
  onto(stored: StoredProfile | undefined): StoredProfile;
  /** The new key, and the one that it replaces. */
  key?: { added: StoredKey; replaced: StoredKey | undefined };
  /** Message after the profile was stored. */
  note?: string;
}

/** The words about a deployment, and the facts about an emulator. */
export const deploymentFlags = ["url", "api", "expires", "keychain", "check", "ca-file", ...keyFlags];

/** @throws usage error (2) if one of the flags conflicts with the main flag */
export function assertNoConflictingFlags(mainFlag: string, flags: readonly string[], input: Input): void {
  const stray = flags.find((flag) => input.on(flag) !== undefined || input.has(flag));
  if (stray !== undefined) throw usageError(`--${stray} does not go with --${mainFlag}`);
}

/** Returns the error for a name that a profile of the other type has. */
export function toTypeError(name: string, { kind: profileType }: StoredProfile): CliError {
  const what = profileType === "remote" ? "a deployment" : "an offline profile";
  return usageError(`"${name}" is ${what}; remove it first or take another name`);
}
