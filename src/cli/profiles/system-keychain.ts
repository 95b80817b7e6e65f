import type { Io } from "../../base/io.js";
import type { Notes } from "../terminal/notes.js";
import { type Keychain, KeychainError } from "./keychain.js";

/** The other sentences of a D-Bus error only list possible reasons. */
function getFirstSentence(problem: string): string {
  return problem.replace(/\.(\s.*)?$/s, "");
}

/** Timeouts: short for scripts; long for users, because they sometimes type the keychain's password. */
const scriptMilliseconds = 3_000;
const personMilliseconds = 60_000;

interface KeychainOptions {
  env: Io["env"];
  /** True in an interactive session, in which the system can ask the user to unlock the keychain. */
  person: boolean;
  signal: AbortSignal;
  notes: Pick<Notes, "note">;
}

/** With `VOXCTL_KEYCHAIN=off`, the keychain is unavailable. */
export function createSystemKeychain({ env, person, signal, notes }: KeychainOptions): Keychain {
  const waiting = person
    ? {
        timeout: personMilliseconds,
        slow: {
          after: scriptMilliseconds,
          notify: () => notes.note("Waiting for the keychain… Your system may ask you to unlock it."),
        },
      }
    : { timeout: scriptMilliseconds };
  const ask = async (action: string, accounts: readonly string[], value?: string): Promise<unknown[]> => {
    if (env.VOXCTL_KEYCHAIN === "off") throw new KeychainError("VOXCTL_KEYCHAIN is off");
    const { askHelper } = await import("./keychain-helper.js");
    const response = await askHelper({ action, accounts, value }, { ...waiting, signal });
    if (typeof response === "object" && response !== null) {
      if ("answers" in response && Array.isArray(response.answers)) return response.answers;
      if ("problem" in response && typeof response.problem === "string")
        throw new KeychainError(getFirstSentence(response.problem));
    }
    throw new KeychainError("no response");
  };
  return {
    read: async (accounts) =>
      (await ask("read", accounts)).map((key) => (typeof key === "string" ? key : null)),
    write: async (account, value) => void (await ask("write", [account], value)),
    remove: async (account) => void (await ask("remove", [account])),
  };
}
