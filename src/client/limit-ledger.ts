import type { BucketState } from "./pacing.js";

/**
 * Stores the state of each key's buckets, either in memory for one client or in a file that processes share. A state is plain data and
 * contains no key.
 */
export interface LimitLedger {
  /** Awaited before a request is counted, because a shared file may still have to be opened. */
  ready?(request: { mutation: boolean }): Promise<void> | undefined;
  /**
   * Reads a bucket's state, lets `step` change it, and stores the result. No other process can change the state in between.
   * @param bucket digest of host, key and bucket
   */
  update<Result>(bucket: string, step: Step<Result>): Result;
}

type Step<Result> = (state: BucketState | undefined) => { state: BucketState; result: Result };

/** Creates a ledger in memory, for one client. */
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
