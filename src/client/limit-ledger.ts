import type { BucketState } from "./pacing.js";

/**
 * Stores the state of each key's buckets: in memory for one client, or in a file that processes share. A state is plain data without keys.
 */
export interface LimitLedger {
  /** Called before a request is counted, for example to open a shared file. */
  ready?(request: { mutation: boolean }): Promise<void> | undefined;
  /**
   * Reads a bucket's state, lets `step` change it, and stores the result, all as one atomic operation.
   * @param bucket digest of host, key and bucket
   */
  update<Result>(bucket: string, step: Step<Result>): Result;
}

type Step<Result> = (state: BucketState | undefined) => { state: BucketState; result: Result };

/** Creates an in-memory ledger for one client. */
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
