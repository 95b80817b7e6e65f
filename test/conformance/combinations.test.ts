// Runs jobs with random pairs of switches on the test's clock, with a fixed seed. Each pair runs twice:
// without faults, and with faults, kills or both.
import { describe, expect, it } from "vitest";
import { formatCellName, runCell } from "./cell.js";
import type { Ran } from "./harness/bench.js";
import { type ClockBench, createClockBench } from "./harness/in-process.js";
import { killedOnce } from "./harness/killed.js";
import { type JobName, jobNames } from "./jobs/index.js";
import { areExclusive, type SwitchName, switchNames, table } from "./server/switches.js";

const seed = Number(process.env["PROOF_SEED"] ?? 14);
const count = process.env["PROOF"] ? 200 : 4;

interface Combination {
  switches: SwitchName[];
  job: JobName;
  killed: boolean;
}

function createDraw(start: number): () => number {
  let state = (start * 7_919 + 12_345) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const troubles: readonly SwitchName[] = [
  "requests lost",
  "responses lost",
  "responses truncated",
  "late effects",
  "reads lost",
];
const variations = switchNames.filter((name) => !table[name]?.wire && !troubles.includes(name));
/** Jobs that write are selected more often. */
const drawnJobs = [...jobNames, ...jobNames.filter((job) => /import|run|resume|undo|provision/.test(job))];

function drawCombinations(): Combination[] {
  const draw = createDraw(seed);
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[Math.floor(draw() * list.length)];
    if (picked === undefined) throw new TypeError("nothing to draw from");
    return picked;
  };
  return Array.from({ length: count }, () => {
    const first = pick(variations);
    const second = pick(variations.filter((name) => name !== first && !areExclusive(first, name)));
    return { first, second, job: pick(drawnJobs), trouble: pick(troubles), killed: draw() < 0.5 };
  }).flatMap(({ first, second, job, trouble, killed }, index) => [
    { switches: [first, second], job, killed: false },
    {
      switches: index % 3 === 1 ? [first, second] : [first, second, trouble],
      job,
      killed: index % 3 === 1 || killed,
    },
  ]);
}

const outageMilliseconds = 10_000;

/**
 * Repeats a command after an outage, because the retries of a read-only command end before the outage ends.
 */
function repeatingAfterOutages(bench: ClockBench): ClockBench {
  if (!bench.switches.some((name) => name.endsWith("for 10 s"))) return bench;
  const repeat = async (ran: Ran, argv: readonly string[]) => {
    if (ran.code !== 9) return ran;
    await bench.clock.sleep(outageMilliseconds);
    return bench.run(...argv);
  };
  return {
    ...bench,
    run: async (...argv) => repeat(await bench.run(...argv), argv),
    runKilled: async (at, ...argv) => repeat(await bench.runKilled(at, ...argv), argv),
  };
}

const drawn = drawCombinations().map((combination, index) => {
  const name = `${formatCellName(combination.switches, combination.job)}${combination.killed ? ", killed" : ""}`;
  return [`${index + 1}: ${name}`, combination] as const;
});

describe(`two concurrent variations of a service, selected by seed ${seed}`, () => {
  it.each(drawn)(
    "[T1] [T5] a job has the right result on a service that varies in two ways: %s",
    async (_name, combination) => {
      const bench = repeatingAfterOutages(createClockBench(combination.switches, { seed }));
      const draw = createDraw(seed + combination.switches.join().length);
      try {
        const failure = await runCell(combination.job, combination.killed ? killedOnce(bench, draw) : bench);
        expect(failure).toBeUndefined();
      } finally {
        bench.remove();
      }
    },
  );

  it("[T5a] a license reassignment whose response was lost is confirmed by a later list", async () => {
    const bench = createClockBench(["lists lag after updates", "late effects"]);
    const failure = await runCell("converging", bench);
    bench.remove();
    expect(failure).toBeUndefined();
  });
});
