import type { Bench } from "../harness/bench.js";

/** An action of a user, and its guarantees on any conforming deployment. */
export interface Job {
  about: string;
  /** @throws AssertionError where it does not hold */
  run(bench: Bench): Promise<void>;
}
