import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeeded } from "../helpers/templates.js";

type Shell = ReturnType<typeof commandLine>;

/** Entered once for all; each time that one goes on after a wait counts as a call. Nor is the wait itself a stop. */
const loops =
  /\/plan\.js inTransactions$|\/send\.js (?:takeTurns|sendPlanned)$|\/flight\.js nextEnd$|\/outcome\.js /;
/**
 * Values that are converted on the way (columns of the journal, fields), lines of the report, and reads of a property.
 */
const conversions =
  /\/journal\/item\.js (json|text|parsed)$|\/engine\/(?:request-stats|report)\.js | get \w+$/;

/** How often each function with a name ran during a command, in a world of its own. */
async function callsOf(
  prepare: (shell: Shell) => Promise<void>,
  command: readonly string[],
): Promise<Map<string, number>> {
  const emulator = await openSeeded({ clock: "virtual", seed: "empty" });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ env: { VOXCTL_PROFILE: "offline" }, overrides: connectedTo(emulator) });
  await prepare(shell);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  try {
    const ran = await shell.run(...command);
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

/** The functions below src/bulk that every one of `count` things enters. */
async function walkOf(callsFor: (count: number) => Promise<Map<string, number>>): Promise<string[]> {
  // Modules and templates that the first run loads count for none.
  await callsFor(2);
  const [few, more] = [await callsFor(20), await callsFor(40)];
  return [...more]
    .filter(([name, calls]) => (calls - (few.get(name) ?? 0)) / 20 >= 0.9)
    .map(([name]) => name)
    .filter((name) => name.includes("/bulk/") && !conversions.test(name) && !loops.test(name))
    .map((name) => name.replace(/^.*\/bulk\//, ""));
}

function importRows(rows: number): Promise<Map<string, number>> {
  const lines = Array.from({ length: rows }, (_, index) => `Anna${index},+49301234${1000 + index}`);
  return callsOf(
    async ({ run, home }) => {
      await run("groups", "create", "--type", "contacts", "--name", "Kunden");
      writeFileSync(join(home, "kunden.csv"), `first_name,phone\n${lines.join("\n")}\n`);
    },
    ["contacts", "import", "kunden.csv", "--group", "Kunden", "--on-match", "update"],
  );
}

/** One request for each customer: their licenses are there. */
function provisionCustomers(count: number): Promise<Map<string, number>> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const licenses = numbers.map((number) => ({ id: `seat-${number}`, product: "Seat" }));
  const customers = numbers.map((number) => ({
    external_id: `customer-${number}`,
    name: `Customer ${number}`,
    license: `seat-${number}`,
  }));
  const msp = { external_id: "msp", name: "MSP", license: { id: "base", product: "MSP" } };
  return callsOf(
    async ({ run, home }) => {
      writeFileSync(join(home, "licenses.json"), JSON.stringify({ msps: [{ ...msp, licenses }] }));
      writeFileSync(join(home, "customers.json"), JSON.stringify({ msps: [{ ...msp, customers }] }));
      expect((await run("orgs", "provision", "licenses.json", "--yes")).code).toBe(0);
    },
    ["orgs", "provision", "customers.json", "--yes"],
  );
}

// Reading the file and the client's requests are walks of their own.

test("a row goes through at most 25 functions of ours from its decision to its record in the journal", async () => {
  const rooms = /^(planning|engine|imports|group|journal|contacts\/(adapter|identity))[./]/;
  const walk = (await walkOf(importRows)).filter((name) => rooms.test(name));
  expect(walk).toEqual(expect.arrayContaining(["planning/plan.js planRow", "journal/journal.js apply"]));
  expect(walk.length, walk.join("\n")).toBeLessThanOrEqual(25);
});

test("a step of a provisioning goes through at most 18 functions of ours while the plan is made, and through 25 from its turn to its record in the journal", async () => {
  const planning =
    /^provisioning\/(compare|differences|changes|converge|steps|simulation|items|judge)\.|^journal\/journal\.js (insert|contentOf)$/;
  const reading = /^provisioning\/(plan|plan-document|inventory|validation-warnings)\./;
  const walk = (await walkOf(provisionCustomers)).filter(
    (name) => /^(provisioning|engine|journal)\//.test(name) && !reading.test(name),
  );
  const planned = walk.filter((name) => planning.test(name));
  const sent = walk.filter((name) => !planning.test(name));
  expect(planned).toContain("provisioning/steps.js demandStep");
  expect(sent).toEqual(
    expect.arrayContaining(["provisioning/adapter.js decided", "journal/journal.js apply"]),
  );
  expect(planned.length, planned.join("\n")).toBeLessThanOrEqual(18);
  expect(sent.length, sent.join("\n")).toBeLessThanOrEqual(25);
});
