import type { Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import type { RunListener } from "./context.js";

export interface Progress {
  ended(results: readonly Result[]): void;
  /** Milliseconds between two requests at the current rate limit; 0 means no delay. */
  intervalMilliseconds: number;
  /** Must be called when something other than a response has changed the journal. */
  recount(): void;
}

export function createProgress(journal: Journal, listener: RunListener): Progress {
  let done = finishedIn(journal);
  const progress: Progress = {
    intervalMilliseconds: 0,
    ended(results) {
      for (const { state } of results) if (state === "done" || state === "rejected") done += 1;
      listener.advanced({ done, intervalMilliseconds: progress.intervalMilliseconds });
    },
    recount() {
      done = finishedIn(journal);
      listener.advanced({ done, intervalMilliseconds: progress.intervalMilliseconds });
    },
  };
  return progress;
}

/** Returns the number of items whose requests are finished. */
export function finishedIn(journal: Journal): number {
  return journal.count("done") + journal.count("rejected");
}
