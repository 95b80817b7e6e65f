/** Publishes a journal to other machines. */
export interface JournalPublisher {
  /**
   * Publishes the journal. Resolves when all its contents are published.
   * @throws BulkError `run_taken` if another process has taken over the run; no more requests may then be sent
   */
  publish(): Promise<void>;
  /** Publishes the journal within a second. */
  publishSoon(): void;
  /** Resolves when a request may be sent. Renews the lease first if it may have expired. */
  confirm(): Promise<void>;
  /** Returns whether the lease certainly has not expired. */
  isSafe(): boolean;
  /**
   * Called when the run has stopped and no requests are in flight. If another process has taken over the run, passes the missing results
   * to that process.
   * @param cause the reason why the run has stopped
   * @returns the error to report
   */
  handOver(cause: unknown): Promise<unknown>;
}
