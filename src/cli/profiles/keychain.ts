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
