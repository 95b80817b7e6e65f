import { type CliError, usageError } from "../../errors/errors.js";
import type { StoredKey, StoredProfile } from "../../profiles/store.js";
import type { Input } from "../../session/input.js";
import { keyFlags } from "./key.js";

export interface Addition {
  /**
   * @param stored the profile as read immediately before the write
   * @throws conflict (6)
   */
  onto(stored: StoredProfile | undefined): StoredProfile;
  key?: { added: StoredKey; replaced: StoredKey | undefined };
  note?: string;
}

export const deploymentFlags = ["url", "api", "expires", "keychain", "check", "ca-file", ...keyFlags];

/** @throws usage error (2) if one of the flags conflicts with the main flag */
export function assertNoConflictingFlags(mainFlag: string, flags: readonly string[], input: Input): void {
  const stray = flags.find((flag) => input.on(flag) !== undefined || input.has(flag));
  if (stray !== undefined)
    throw usageError(`--${stray} and --${mainFlag} can't be combined`, {
      hint: `omit --${stray}, or omit --${mainFlag}`,
    });
}

export function toTypeError(name: string, { kind: profileType }: StoredProfile): CliError {
  const what = profileType === "remote" ? "a remote profile" : "an offline profile";
  return usageError(`"${name}" is ${what}; remove it first or use another name`);
}
