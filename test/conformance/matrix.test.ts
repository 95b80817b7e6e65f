// Tasks of a user on deployments that follow the documents but differ from the emulator, on the test's clock.
// PROOF=1 runs the whole table; `npm run proof -- conformance` also runs it with the built command.
import { describe, expect, it } from "vitest";
import { formatCellName, runCell } from "./cell.js";
import { expectedFailures } from "./expected-failures.js";
import { createClockBench } from "./harness/in-process.js";
import { createSocketBench } from "./harness/sockets.js";
import { type JobName, jobNames } from "./jobs/index.js";
import { type SwitchName, switchNames, table } from "./server/switches.js";

type Cell = readonly [switches: readonly SwitchName[], job: JobName];

/** At least one switch per job, and the switches that caused the most problems. */
const sample: readonly Cell[] = [
  [["newest first"], "import"],
  [["collapses white space"], "second run"],
  [["answers lost"], "resume"],
  [["lists lag"], "undo"],
  [["numbers beyond 2^53"], "undo"],
  [["empty is null"], "undo after other changes"],
  [["empty is null"], "undo of updates"],
  [["answers lost"], "apply"],
  [["lists lag"], "apply after a kill"],
  [["collapses white space"], "undo of apply"],
  [["lists lag"], "subject erase"],
  [["collapses white space"], "config"],
  [["collapses white space"], "config after a kill"],
  [["lists lag after updates"], "config pull"],
  [["credentials unmarked"], "config secrets"],
  [["lists lag after deletes"], "config prune"],
  [["changes case"], "config renames"],
  [["empty is nothing"], "config plan"],
  [["collapses white space"], "sync"],
  [["answers lost"], "sync after a kill"],
  [["lists lag"], "planned sync"],
  [["empty is null"], "dedupe"],
  [["lists lag"], "search and delete"],
  [["collapses white space"], "edit"],
  [["no updated_at"], "lists"],
  [["another user deletes"], "export"],
  [["small pages"], "folder import"],
  [["lists lag"], "folder sync"],
  [["changes case"], "glossary import"],
  [["collapses white space"], "glossary sync"],
  [["lists lag after creates"], "wait"],
  [["status ended"], "trigger"],
  [["ranges of 8 kB"], "recording"],
  [["small pages"], "calls export"],
  [["statistics with other names"], "statistics"],
  [["pages: Link"], "provisioning"],
  [["pages: total"], "provisioning undo"],
  [["lists lag"], "converging"],
  [["ids are numbers"], "planned converging"],
  [["nested usage"], "usage"],
  [["billing with other names"], "billing"],
  [["503 for 10 s"], "suite"],
];
/** Cells that run over sockets, because their switches have no effect in process. */
const wireSample: readonly Cell[] = [
  [["chunked"], "lists"],
  [["gzip"], "statistics"],
];

const whole: readonly Cell[] = [undefined, ...switchNames].flatMap((name) =>
  jobNames.map((job): Cell => [name === undefined ? [] : [name], job]),
);
const isWire = ([switches]: Cell) => switches.some((name) => table[name]?.wire === true);
const cells = (some: readonly Cell[], wire: boolean) =>
  (process.env["PROOF"] ? whole.filter((cell) => isWire(cell) === wire) : some).map(
    (cell) => [formatCellName(...cell), cell] as const,
  );

/** Checks that a cell passes or is an expected failure. */
function judge(name: string, failure: string | undefined): void {
  if (!Object.hasOwn(expectedFailures, name)) expect(failure).toBeUndefined();
  else expect(failure, `${name} holds now: take it off the list of expected failures`).toBeDefined();
}

describe("the main jobs with any conforming service", () => {
  it.each(cells(sample, false))(
    "[T1] [T7] [T11] %s: the reported result equals the state of the service",
    async (name, [switches, job]) => {
      const bench = createClockBench(switches);
      try {
        judge(name, await runCell(job, bench));
      } finally {
        bench.remove();
      }
    },
  );

  it.each(cells(wireSample, true))(
    "[T16] %s over sockets: the reported result equals the state of the service",
    async (name, [switches, job]) => {
      const bench = await createSocketBench(switches, "main");
      try {
        judge(name, await runCell(job, bench));
      } finally {
        await bench.remove();
      }
    },
  );

  it("the sample of the matrix includes each job", () => {
    const sampled = new Set([...sample, ...wireSample].map(([, job]) => job));
    expect(jobNames.filter((job) => !sampled.has(job))).toEqual([]);
  });

  it("the list of expected failures contains only cells of the matrix", () => {
    const known = new Set([...whole, ...sample, ...wireSample].map((cell) => formatCellName(...cell)));
    expect(Object.keys(expectedFailures).filter((name) => !known.has(name))).toEqual([]);
  });
});
