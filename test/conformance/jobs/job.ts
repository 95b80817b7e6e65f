import type { Bench } from "../harness/bench.js";

/** Something that a person does, and what must hold of it on any lawful deployment. */
export interface Job {
  about: string;
  /** @throws AssertionError where it does not hold */
  run(bench: Bench): Promise<void>;
}
