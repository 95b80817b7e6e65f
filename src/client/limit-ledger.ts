import type { BucketState } from "./pacing.js";

/**
 * Keeps what is known of each key's buckets: in memory for one client, or in a file that processes share. A state is
 * plain data and holds no key.
 */
export interface LimitLedger {
  /** Awaited before a request is counted: what is shared may have to be opened. */
  ready?(request: { mutation: boolean }): Promise<void> | undefined;
  /**
   * Reads a bucket's state, lets `step` change it and keeps the outcome, in one step that no other process interleaves.
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
