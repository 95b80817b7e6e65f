/** Publishes a journal to other machines. */
export interface JournalPublisher {
  /**
   * Publishes the journal; resolves when all its contents are published.
   * @throws BulkError `run_taken` if another process has taken over the run; no further requests may be sent
   */
  publish(): Promise<void>;
  /** Publishes within a second. */
  publishSoon(): void;
  /** Resolves when a request may be sent. Renews the lease first if it may have expired. */
  confirm(): Promise<void>;
  /**
   * Called when the run has stopped and its requests have ended. If another process has taken over the run, gives that
   * process the results that it lacks.
   * @param cause why the run has stopped
   * @returns the error to report
   */
  handOver(cause: unknown): Promise<unknown>;
}
