import type { Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import type { RunListener } from "./context.js";

export interface Progress {
  ended(results: readonly Result[]): void;
  /** Pause between requests under the current rate limit; 0 means no pause. */
  intervalMilliseconds: number;
  /** Must be called after a change in the journal that isn't due to a response. */
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

export function finishedIn(journal: Journal): number {
  return journal.count("done") + journal.count("rejected");
}
