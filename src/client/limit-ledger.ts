import type { BucketState } from "./pacing.js";

/**
 * Keeps what is known of each key's buckets. In memory for one client; a file shared by processes fits behind it: a
 * state is plain JSON and holds no key.
 */
export interface LimitLedger {
  /**
   * Reads a bucket's state, lets `step` change it and keeps the outcome, in one step that nobody else interleaves.
   * @param bucket digest of host, key and bucket
   */
  update<Result>(bucket: string, step: Step<Result>): Result;
}

type Step<Result> = (state: BucketState | undefined) => { state: BucketState; result: Result };

/** A ledger that lives as long as its client. */
export function memoryLedger(): LimitLedger {
  const states = new Map<string, BucketState>();
  return {
    update(bucket, step) {
      const { state, result } = step(states.get(bucket));
      states.set(bucket, state);
      return result;
    },
  };
}
