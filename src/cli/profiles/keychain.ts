import type { Io } from "../../base/io.js";

/** Where keys lie that no file holds. */
export interface Keychain {
  /**
   * The values of these accounts, in order; null where there is none.
   * @throws KeychainError
   */
  read(accounts: readonly string[]): Promise<(string | null)[]>;
  /** @throws KeychainError */
  write(account: string, value: string): Promise<void>;
  /** @throws KeychainError */
  remove(account: string): Promise<void>;
}

/** There is no keychain, or it did not answer; the message says which. */
export class KeychainError extends Error {
  override readonly name = "KeychainError";
}

/** What went wrong, without the reasons that a message bus could think of. */
function firstSentence(problem: string): string {
  return problem.replace(/\.(\s.*)?$/s, "");
}

/** The operating system's keychain, where there is one. `VOXCTL_KEYCHAIN=off` is none. */
export function systemKeychain(env: Io["env"]): Keychain {
  const ask = async (action: string, accounts: readonly string[], value?: string): Promise<unknown[]> => {
    if (env.VOXCTL_KEYCHAIN === "off") throw new KeychainError("VOXCTL_KEYCHAIN is off");
    const { askHelper } = await import("./keychain-helper.js");
    const answer = await askHelper({ action, accounts, value });
    if (typeof answer === "object" && answer !== null) {
      if ("answers" in answer && Array.isArray(answer.answers)) return answer.answers;
      if ("problem" in answer && typeof answer.problem === "string")
        throw new KeychainError(firstSentence(answer.problem));
    }
    throw new KeychainError("it gave no answer");
  };
  return {
    read: async (accounts) =>
      (await ask("read", accounts)).map((answer) => (typeof answer === "string" ? answer : null)),
    write: async (account, value) => void (await ask("write", [account], value)),
    remove: async (account) => void (await ask("remove", [account])),
  };
}
