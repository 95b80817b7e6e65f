import type { JobName } from "./jobs/index.js";
import type { SwitchName } from "./server/switches.js";

/** Cells that fail, and the guarantee that they violate. The tests fail if such a cell passes. */
interface Expected {
  rule: string;
  /** `none`: a service without switches. */
  switches: readonly (SwitchName | "none")[];
  jobs: readonly JobName[];
}

const list: readonly Expected[] = [];

/** Failures by the name of the cell. */
export const expectedFailures: Readonly<Record<string, string>> = Object.fromEntries(
  list.flatMap(({ rule, switches, jobs }) =>
    switches.flatMap((name) => jobs.map((job) => [`${name} × ${job}`, rule] as const)),
  ),
);
