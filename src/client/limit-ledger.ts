import type { BucketState } from "./pacing.js";

/**
 * Stores the states of rate-limit buckets: in memory for one client, or in a file for all processes. The
 * states contain no keys.
 */
export interface LimitLedger {
  ready?(request: { mutation: boolean }): Promise<void> | undefined;
  /**
   * Lets `step` change a bucket's state as one atomic operation.
   * @param bucket digest of host, key and bucket
   */
  update<Result>(bucket: string, step: Step<Result>): Result;
}

export type Step<Result> = (state: BucketState | undefined) => { state: BucketState; result: Result };

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
