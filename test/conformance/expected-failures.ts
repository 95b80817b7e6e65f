import type { JobName } from "./jobs/index.js";
import type { SwitchName } from "./server/switches.js";

/** Cells that do not hold yet, with the rule that mends them. What holds all the same makes the tests fail. */
interface Expected {
  rule: string;
  /** `none`: a deployment with no switch on. */
  switches: readonly (SwitchName | "none")[];
  jobs: readonly JobName[];
}

const list: readonly Expected[] = [];

/** By the cell's name. */
export const expectedFailures: Readonly<Record<string, string>> = Object.fromEntries(
  list.flatMap(({ rule, switches, jobs }) =>
    switches.flatMap((name) => jobs.map((job) => [`${name} × ${job}`, rule] as const)),
  ),
);
