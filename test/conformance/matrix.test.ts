// Tasks of a user on deployments that follow the documents but differ from the emulator, on the test's clock.
// PROOF=1 runs all of them; `npm run proof -- conformance` also runs them with the built command.
import { describe, expect, it } from "vitest";
import { formatCellName, runCell } from "./cell.js";
import { type Cell, findCells } from "./cells.js";
import { createClockBench } from "./harness/in-process.js";
import { createSocketBench } from "./harness/sockets.js";
import { jobNames } from "./jobs/index.js";
import { table } from "./server/switches.js";

/** The sample has at least one switch per job, and the switches that caused the most problems. */
const sample: readonly Cell[] = [
  { switches: ["newest first"], job: "import" },
  { switches: ["collapses white space"], job: "second run" },
  { switches: ["responses lost"], job: "resume" },
  { switches: ["lists lag"], job: "undo" },
  { switches: ["numbers beyond 2^53"], job: "undo" },
  { switches: ["empty is null"], job: "undo after other changes" },
  { switches: ["empty is null"], job: "undo of updates" },
  { switches: ["responses lost"], job: "apply" },
  { switches: ["lists lag"], job: "apply after a kill" },
  { switches: ["collapses white space"], job: "undo of apply" },
  { switches: ["lists lag"], job: "subject erase" },
  { switches: ["collapses white space"], job: "config" },
  { switches: ["collapses white space"], job: "config after a kill" },
  { switches: ["lists lag after updates"], job: "config pull" },
  { switches: ["credentials unmarked"], job: "config secrets" },
  { switches: ["lists lag after deletes"], job: "config prune" },
  { switches: ["changes case"], job: "config renames" },
  { switches: ["empty is nothing"], job: "config plan" },
  { switches: ["collapses white space"], job: "sync" },
  { switches: ["responses lost"], job: "sync after a kill" },
  { switches: ["lists lag"], job: "planned sync" },
  { switches: ["empty is null"], job: "dedupe" },
  { switches: ["lists lag"], job: "search and delete" },
  { switches: ["collapses white space"], job: "edit" },
  { switches: ["no updated_at"], job: "lists" },
  { switches: ["another user deletes"], job: "export" },
  { switches: ["small pages"], job: "directory import" },
  { switches: ["lists lag"], job: "directory sync" },
  { switches: ["changes case"], job: "glossary import" },
  { switches: ["collapses white space"], job: "glossary sync" },
  { switches: ["lists lag after creates"], job: "wait" },
  { switches: ["status ended"], job: "trigger" },
  { switches: ["ranges of 8 kB"], job: "recording" },
  { switches: ["small pages"], job: "calls export" },
  { switches: ["statistics with other names"], job: "statistics" },
  { switches: ["pages: Link"], job: "provisioning" },
  { switches: ["pages: total"], job: "provisioning undo" },
  { switches: ["lists lag"], job: "converging" },
  { switches: ["IDs are numbers"], job: "planned converging" },
  { switches: ["nested usage"], job: "usage" },
  { switches: ["billing with other names"], job: "billing" },
  { switches: ["503 for 10 s"], job: "suite" },
];
/** Cells that run over sockets, because their switches have no effect in process. */
const wireSample: readonly Cell[] = [
  { switches: ["chunked"], job: "lists" },
  { switches: ["gzip"], job: "statistics" },
];

const whole = process.env["PROOF"] ? await findCells() : undefined;
const isWire = ({ switches }: Cell) => switches.some((name) => table[name]?.wire === true);
const cells = (some: readonly Cell[], wire: boolean) =>
  (whole?.filter((cell) => isWire(cell) === wire) ?? some).map(
    (cell) => [formatCellName(cell.switches, cell.job), cell] as const,
  );

describe("the main jobs with any conforming service", () => {
  it.each(cells(sample, false))(
    "[T1] [T7] [T11] %s: the reported result matches the state of the service",
    async (_name, { switches, job }) => {
      const bench = createClockBench(switches);
      try {
        expect(await runCell(job, bench)).toBeUndefined();
      } finally {
        bench.remove();
      }
    },
  );

  it.each(cells(wireSample, true))(
    "[T16] %s over sockets: the reported result matches the state of the service",
    async (_name, { switches, job }) => {
      const bench = await createSocketBench(switches, "main");
      try {
        expect(await runCell(job, bench)).toBeUndefined();
      } finally {
        await bench.remove();
      }
    },
  );

  it("the sample of the matrix includes each job", () => {
    const sampled = new Set([...sample, ...wireSample].map(({ job }) => job));
    expect(jobNames.filter((job) => !sampled.has(job))).toEqual([]);
  });
});
