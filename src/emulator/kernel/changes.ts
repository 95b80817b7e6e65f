/**
 * Notifies listeners that the emulator state may have changed after a request or a control operation. Changes that only the clock causes
 * are not
 * reported; clients know their time in advance.
 */
export class Changes {
  /** The revision, which increases with every change. */
  private count = 0;
  private isEnding = false;
  private readonly waiting = new Set<() => void>();

  get revision(): number {
    return this.count;
  }

  /** Reports a change. */
  note(): void {
    this.count += 1;
    if (this.waiting.size > 0) this.wake();
  }

  /**
   * Resolves when the revision has changed, or after this time in milliseconds. Resolves at once while the server stops, so that waiting
   * clients don't delay it.
   */
  after(revision: number, milliseconds: number): Promise<void> {
    if (revision !== this.count || this.isEnding) return Promise.resolve();
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.waiting.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, milliseconds);
      // A waiting client alone must not keep the process running.
      timer.unref();
      this.waiting.add(resume);
    });
  }

  /** Ends all waits and refuses new waits. */
  end(): void {
    this.isEnding = true;
    this.wake();
  }

  /** Allows clients to wait. Called when a server starts to listen. */
  begin(): void {
    this.isEnding = false;
  }

  private wake(): void {
    for (const resume of [...this.waiting]) resume();
  }
}
