import type { Bench } from "../harness/bench.js";

/** A task of a user, and its guarantees on any conforming deployment. */
export interface Job {
  about: string;
  /** @throws AssertionError if a guarantee does not hold */
  run(bench: Bench): Promise<void>;
}
