/** Makes the content of a journal known to other machines. */
export interface JournalPublisher {
  /**
   * Resolves when everything that the journal holds is published.
   * @throws BulkError `run_taken` if another process has taken over the run: nothing more may be sent
   */
  publish(): Promise<void>;
  /** Publishes within a second. */
  publishSoon(): void;
  /** Resolves when a request may leave now; publishes again if the lease could have lapsed. */
  confirm(): Promise<void>;
}
