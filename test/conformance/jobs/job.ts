import type { Bench } from "../harness/bench.js";

/** A user's task, and the results that every conforming deployment must guarantee. */
export interface Job {
  about: string;
  /** @throws AssertionError if a guarantee does not hold */
  run(bench: Bench): Promise<void>;
}
