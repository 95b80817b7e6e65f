import type { LimitLedger } from "./limit-ledger.js";
import { type BucketState, begin, type Hold } from "./pacing.js";

export type Change<Result> = (state: BucketState) => Result;

/**
 * Changes a bucket's state for one pacer. If possible, makes several changes in one step, because each step
 * is a transaction in a shared ledger.
 */
export interface BucketSteps {
  update<Result>(change: Change<Result>): Result;
  /** Makes the change with the next step, or at the end of this turn of the event loop. */
  soon(change: Change<void>): void;
  /** Asks to start a request that has a slot. Concurrent calls share one step. */
  proceed(): Promise<Hold>;
  known(): BucketState;
}

interface BucketStepsParts {
  ledger: LimitLedger;
  fresh: BucketState;
  now: () => number;
}

export function bucketSteps(id: string, { ledger, fresh, now }: BucketStepsParts): BucketSteps {
  let waiting: Change<void>[] = [];
  const update = <Result>(change: Change<Result>) => {
    const before = waiting;
    waiting = [];
    try {
      return ledger.update(id, (kept = fresh) => {
        // Stored states are immutable, so each step works on a copy.
        const state = { ...kept };
        for (const earlier of before) earlier(state);
        const result = change(state);
        return { state, result };
      });
    } catch (error) {
      waiting = [...before, ...waiting];
      throw error;
    }
  };
  const catchUp = () => {
    if (waiting.length > 0) update(() => undefined);
  };
  /**
   * Makes the waiting changes. After a failure, the next step repeats these changes and reports the error.
   */
  const catchUpOrWait = () => {
    try {
      catchUp();
    } catch {}
  };
  let beginning: { resolve(hold: Hold): void; reject(error: unknown): void }[] = [];
  const beginAll = () => {
    const requests = beginning;
    beginning = [];
    try {
      const holds = update((state) => requests.map(() => begin(state, now())));
      for (const [index, hold] of holds.entries()) requests[index]?.resolve(hold);
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  };
  return {
    update,
    soon(change) {
      if (waiting.length === 0) setImmediate(catchUpOrWait);
      waiting.push(change);
    },
    proceed: () =>
      new Promise((resolve, reject) => {
        if (beginning.length === 0) queueMicrotask(beginAll);
        beginning.push({ resolve, reject });
      }),
    known() {
      catchUp();
      return ledger.update(id, (state = fresh) => ({ state, result: state }));
    },
  };
}
