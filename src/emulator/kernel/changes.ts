/**
 * Notifies listeners when a request or control operation might have changed the emulator state. Doesn't
 * report changes that are caused only by the passing of time, because clients know in advance when such a
 * change occurs.
 */
export class Changes {
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

  /** Resolves at once if the server stops, because waiting clients would delay the stop. */
  after(revision: number, milliseconds: number): Promise<void> {
    if (revision !== this.count || this.isEnding) return Promise.resolve();
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.waiting.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, milliseconds);
      // A waiting client must not keep the process running.
      timer.unref();
      this.waiting.add(resume);
    });
  }

  /** Ends all waits at once, including new ones, until `begin` is called. */
  end(): void {
    this.isEnding = true;
    this.wake();
  }

  begin(): void {
    this.isEnding = false;
  }

  private wake(): void {
    for (const resume of [...this.waiting]) resume();
  }
}
