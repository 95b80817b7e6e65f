export interface Keychain {
  /**
   * Returns the values in the order of the accounts; null for a missing account.
   * @throws KeychainError
   */
  read(accounts: readonly string[]): Promise<(string | null)[]>;
  /** @throws KeychainError */
  write(account: string, value: string): Promise<void>;
  /** @throws KeychainError */
  remove(account: string): Promise<void>;
}

/** Thrown if there is no keychain or if it did not respond. The message contains the reason. */
export class KeychainError extends Error {
  override readonly name = "KeychainError";
}
