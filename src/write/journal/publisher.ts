export interface JournalPublisher {
  /**
   * Publishes the whole journal.
   * @throws BulkError `run_taken` if another process has taken over the run; no more requests may then be
   * sent
   */
  publish(): Promise<void>;
  /** Publishes the journal within a second. */
  publishSoon(): void;
  /** Waits until a request may be sent. Renews the lease first if it may have expired. */
  confirm(): Promise<void>;
  /** Returns whether the lease certainly has not expired. */
  isSafe(): boolean;
  /**
   * Called after the run has stopped, without requests in flight. If another process has taken over the run,
   * passes results to it.
   * @param cause the reason why the run has stopped
   * @returns the error to report
   */
  handOver(cause: unknown): Promise<unknown>;
}
