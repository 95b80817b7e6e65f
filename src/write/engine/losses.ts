import type { Journal } from "../journal/journal.js";
import type { RunContext } from "./context.js";

/** This process's requests that got no response and may still take effect. */
export interface Losses {
  add(numbers: readonly number[]): void;
  /**
   * Returns the time, in milliseconds, until no lost request can take effect. In the journal, marks the
   * requests that can no longer take effect.
   */
  pendingMilliseconds(): number;
  wait(): Promise<void>;
}

export function createLosses(
  { elapsed, clock, signal, settleMilliseconds }: RunContext,
  journal: Journal,
): Losses {
  let pending: { number: number; until: number }[] = [];
  const end = (isOver: (loss: { until: number }) => boolean) => {
    const over = pending.filter(isOver);
    pending = pending.filter((loss) => !isOver(loss));
    if (over.length > 0) journal.endWindows(over.map(({ number }) => number));
  };
  const losses: Losses = {
    add(numbers) {
      const until = elapsed() + settleMilliseconds;
      for (const number of numbers) pending.push({ number, until });
    },
    pendingMilliseconds() {
      if (pending.length === 0) return 0;
      const now = elapsed();
      end(({ until }) => until <= now);
      return Math.max(0, ...pending.map(({ until }) => until - now));
    },
    async wait() {
      const left = losses.pendingMilliseconds();
      if (left > 0) await clock.sleep(left, signal);
      end(() => true);
    },
  };
  return losses;
}
