// Kills imports and undos at each step of their journals, and repeats them, on services that make it hardest
// to match rows with contacts.
import assert from "node:assert/strict";
import { describe, expect, it } from "vitest";
import { type Bench, parseOutput } from "./harness/bench.js";
import { type ClockBench, createClockBench } from "./harness/in-process.js";
import { assertUnchanged, readContents } from "./jobs/contents.js";
import { assertImported, csvOf, people } from "./jobs/people.js";
import { undoRuns } from "./jobs/undo-runs.js";
import { fieldsOf } from "./server/service-state.js";
import type { SwitchName } from "./server/switches.js";

const variations: readonly (readonly SwitchName[])[] = [
  ["collapses white space"],
  ["changes case"],
  ["lists lag"],
  ["positions"],
  ["another user inserts"],
  ["another user deletes"],
  ["collapses white space", "lists lag"],
  ["changes case", "responses lost"],
  ["lists lag", "late effects"],
  ["another user deletes", "responses lost"],
];
/** More steps than the journal of an import of twelve rows has. */
const mostSteps = 200;
const whole = process.env["PROOF"] !== undefined;

const command = (bench: Bench) => [
  "contacts",
  "import",
  bench.path("people.csv"),
  "--group",
  "Neue",
  "--create-group",
  "-o",
  "json",
];

/** @returns whether the import was killed, that is, whether it has this many steps */
async function importKilledAt(step: number, bench: ClockBench): Promise<boolean> {
  const lossy: Bench = { ...bench, lossy: true };
  const before = readContents(bench);
  bench.write("people.csv", csvOf(people));
  const killed = await bench.runKilled({ step }, ...command(bench));
  const ran = killed.code === null ? await bench.run(...command(bench)) : killed;
  await bench.pass();
  assertImported(lossy, ran, "Neue");
  const { certain } = await undoRuns(lossy);
  await bench.pass();
  if (certain && ran.code === 0) assertUnchanged(bench, before);
  return killed.code === null;
}

async function undoKilledAt(step: number, bench: ClockBench): Promise<boolean> {
  const lossy: Bench = { ...bench, lossy: true };
  const before = readContents(bench);
  bench.write("people.csv", csvOf(people));
  const imported = await bench.run(...command(bench));
  assertImported(lossy, imported, "Neue");
  const [run] = parseOutput(await bench.run("runs", "list", "-o", "json"));
  const undo = ["runs", "undo", run.id, "--yes", "--include-matched", "-o", "json"];
  const killed = await bench.runKilled({ step }, ...undo);
  const undone = killed.code === null ? await bench.run(...undo) : killed;
  const expected = imported.code === 0 ? [0, 75] : [0, 68, 75];
  assert.ok(expected.includes(undone.code ?? -1), `exit ${undone.code}: ${undone.stderr}`);
  await bench.pass();
  if (undone.code === 0 && imported.code === 0) assertUnchanged(bench, before);
  return killed.code === null;
}

const cases = variations.flatMap((switches) =>
  [["an import", importKilledAt] as const, ["an undo", undoKilledAt] as const].map(
    ([what, killAt]) => [what, switches.join(" + "), switches, killAt] as const,
  ),
);
const sample = cases.filter(([, name]) => name === "collapses white space + lists lag");

describe("a command killed at each step of its journal", () => {
  it.each(whole ? cases : sample)(
    "[T2] [T5] [T6] the result of %s matches the service's state after a kill and a retry: %s",
    async (_what, _name, switches, killAt) => {
      const failures: string[] = [];
      const steps = whole ? Array.from({ length: mostSteps }, (_, index) => index + 1) : [1, 6];
      let kills = 0;
      for (const step of steps) {
        const bench = createClockBench(switches);
        try {
          if (!(await killAt(step, bench))) break;
          kills += 1;
        } catch (error) {
          kills += 1;
          failures.push(`step ${step}: ${error instanceof Error ? error.message : String(error)}`);
        } finally {
          bench.remove();
        }
      }
      if (process.env["KILLS"]) console.log(`${_what} ${_name}: ${kills} kills`);
      expect(failures).toEqual([]);
      expect(kills).toBeGreaterThan(0);
    },
    600_000,
  );

  it.each<SwitchName[][]>([[[]], [["lists lag"]], [["lists lag", "another user deletes"]]])(
    "[T5] [T6] a group whose creation was interrupted exists only once: %s",
    async (switches) => {
      const bench = createClockBench(switches);
      bench.write("people.csv", csvOf(people));
      const countGroups = () =>
        bench.service.state.rows("groups").filter((row) => fieldsOf(row)["name"] === "Neue").length;
      const killed = await bench.runKilled({ write: 1 }, ...command(bench));
      assert.equal(killed.code, null);
      const ran = await bench.run(...command(bench));
      assert.equal(ran.code, 0, ran.stderr);
      const count = countGroups();
      await undoRuns({ ...bench, lossy: true });
      bench.remove();
      expect([count, countGroups()]).toEqual([1, 0]);
    },
  );
});
