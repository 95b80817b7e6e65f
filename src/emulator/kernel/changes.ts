/**
 * Notifies listeners that the emulator state may have changed: after a request or a control call. Changes that
 * the clock alone causes are reported by their time instead.
 */
export class Changes {
  /** Increases with every change. */
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
   * Resolves when the revision differs, or after this many milliseconds. Resolves at once while the server stops, so that
   * no watcher delays it.
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
      // A watcher alone must not keep the process running.
      timer.unref();
      this.waiting.add(resume);
    });
  }

  /** Ends all waits and refuses new ones. */
  end(): void {
    this.isEnding = true;
    this.wake();
  }

  /** A server is listening: clients may wait. */
  begin(): void {
    this.isEnding = false;
  }

  private wake(): void {
    for (const resume of [...this.waiting]) resume();
  }
}
