import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeeded } from "../helpers/templates.js";

/**
 * Where a row is between its decision and its record. Reading the file and the client's requests are walks of their
 * own; the values that are converted on the way (`fields.ts`, `values.ts`, columns of the journal) are no stops.
 */
const rooms = /\/bulk\/(planning|engine|imports|group|journal|contacts\/(adapter|identity))[./]/;
/** Entered once for all rows; each time that one goes on after a wait counts as a call. */
const loops = /\/plan\.js inTransactions$|\/send\.js takeTurns$/;
const conversions = /\/journal\/item\.js (json|text|parsed)$|\/engine\/request-stats\.js /;

/** How often each function with a name ran while so many contacts were imported. */
async function callsOfImport(rows: number): Promise<Map<string, number>> {
  const emulator = await openSeeded({ clock: "virtual", seed: "empty" });
  onTestFinished(() => emulator.close());
  const { run, home } = commandLine({
    env: { VOXCTL_PROFILE: "offline" },
    overrides: connectedTo(emulator),
  });
  await run("groups", "create", "--type", "contacts", "--name", "Kunden");
  const lines = Array.from({ length: rows }, (_, index) => `Anna${index},+49301234${1000 + index}`);
  writeFileSync(join(home, "kunden.csv"), `first_name,phone\n${lines.join("\n")}\n`);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  try {
    const ran = await run("contacts", "import", "kunden.csv", "--group", "Kunden", "--on-match", "update");
    expect(ran.code, ran.stderr).toBe(0);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return new Map(
      result.flatMap(({ url, functions }) =>
        functions
          .filter(({ functionName }) => functionName !== "")
          .map(({ functionName, ranges }) => [`${url} ${functionName}`, ranges[0]?.count ?? 0] as const),
      ),
    );
  } finally {
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}

test("a row goes through at most 25 functions of ours from its decision to its record in the journal", async () => {
  // What is loaded, or made once, by the first run counts for none.
  await callsOfImport(2);
  const [few, more] = [await callsOfImport(20), await callsOfImport(40)];
  const walk = [...more]
    .filter(([name, calls]) => (calls - (few.get(name) ?? 0)) / 20 >= 0.9)
    .map(([name]) => name)
    .filter((name) => rooms.test(name) && !conversions.test(name) && !loops.test(name))
    .map((name) => name.replace(/^.*\/bulk\//, ""));
  expect(walk).toEqual(expect.arrayContaining(["planning/plan.js planRow", "journal/journal.js apply"]));
  expect(walk.length, walk.join("\n")).toBeLessThanOrEqual(25);
});
