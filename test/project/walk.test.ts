import { readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

type Shell = ReturnType<typeof commandLine>;

/** Functions that run once, but that the profiler counts again after each wait. */
const loops =
  /\/plan\.js inTransactions$|\/send\.js (?:takeTurns|sendPlanned)$|\/flight\.js nextEnd$|\/outcome\.js /;
/** Functions that convert values (columns of the journal, fields), write lines of the results, or read a property. */
const conversions =
  /\/journal\/item\.js (json|text|parsed)$|\/engine\/(?:request-stats|report)\.js | get \w+$/;

interface Work {
  prepare(shell: Shell): Promise<void>;
  command: readonly string[];
}

/** A named function, by module and name, with its number of calls and its location. */
type Calls = Map<string, { calls: number; url: string; offset: number }>;

/** Calls `before` and `after` with a session of Node.js's inspector. */
async function inspected<Seen>(
  { prepare, command }: Work,
  before: (session: Session) => Promise<void>,
  after: (session: Session) => Promise<Seen>,
): Promise<Seen> {
  const emulator = await openSeededEmulator({ clock: "virtual", seed: "empty" });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ env: { VOXCTL_PROFILE: "offline" }, overrides: connectedTo(emulator) });
  await prepare(shell);
  const session = new Session();
  session.connect();
  try {
    await before(session);
    const ran = await shell.run(...command);
    expect(ran.code, ran.stderr).toBe(0);
    return await after(session);
  } finally {
    session.disconnect();
  }
}

function callsOf(work: Work): Promise<Calls> {
  return inspected(
    work,
    async (session) => {
      await session.post("Profiler.enable");
      await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    },
    async (session) => {
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const functions = result.flatMap(({ url, functions }) =>
        functions
          .filter(({ functionName }) => functionName !== "")
          .map(({ functionName: name, ranges: [range] }) => {
            const { count = 0, startOffset = 0 } = range ?? {};
            return [`${url} ${name}`, { calls: count, url, offset: startOffset }] as const;
          }),
      );
      await session.post("Profiler.stopPreciseCoverage");
      return new Map(functions);
    },
  );
}

/**
 * Each function has a breakpoint whose condition logs the call and is never true, so the program never
 * pauses.
 */
function entriesOf(work: Work, functions: Calls): Promise<string[]> {
  const entries: string[] = [];
  const trace = "traceOfWalk";
  return inspected(
    work,
    async (session) => {
      Object.assign(globalThis, { [trace]: (name: string) => entries.push(name) < 0 });
      onTestFinished(() => void Reflect.deleteProperty(globalThis, trace));
      await session.post("Debugger.enable");
      for (const [name, { url, offset }] of functions) {
        const lines = readFileSync(fileURLToPath(url), "utf8").slice(0, offset).split("\n");
        await session.post("Debugger.setBreakpointByUrl", {
          ...{ url, lineNumber: lines.length - 1, columnNumber: lines.at(-1)?.length ?? 0 },
          condition: `globalThis.${trace}(${JSON.stringify(name)})`,
        });
      }
    },
    async (session) => {
      await session.post("Debugger.disable");
      return entries;
    },
  );
}

/** Returns the write-engine and import functions that run for every item, and their calls for one item. */
async function walkOf(
  workFor: (count: number) => Work,
  isStop: (name: string) => boolean,
): Promise<{ walk: string[]; entries: string[] }> {
  // Run once before counting, so that loading modules and templates doesn't count.
  await callsOf(workFor(2));
  const [few, more] = [await callsOf(workFor(20)), await callsOf(workFor(40))];
  const short = (name: string) => name.replace(/^.*\/(?:write\/|features\/(?:import\/)?)/, "");
  const walk = [...more].filter(
    ([name, { calls }]) =>
      (calls - (few.get(name)?.calls ?? 0)) / 20 >= 0.9 &&
      /\/(?:write|features)\//.test(name) &&
      !conversions.test(name) &&
      !loops.test(name) &&
      isStop(short(name)),
  );
  const entries = (await entriesOf(workFor(1), new Map(walk))).map(short);
  const stops = new Set(walk.map(([name]) => short(name)));
  return { walk: [...stops], entries };
}

/** Returns how often control returns to each module between the first entry of `from` and the last of `to`. */
function returnsOf(
  entries: readonly string[],
  from: string,
  to: string,
): [module: string, returns: number][] {
  const stops = entries.slice(entries.indexOf(from), entries.lastIndexOf(to) + 1);
  const modules = stops
    .map((name) => name.split(" ")[0] ?? "")
    .filter((module, index, all) => module !== all[index - 1]);
  return [...new Set(modules)].map((module) => [
    module,
    modules.filter((candidate) => candidate === module).length - 1,
  ]);
}

function importRows(rows: number): Work {
  const lines = Array.from({ length: rows }, (_, index) => `Anna${index},+49301234${1000 + index}`);
  return {
    async prepare({ run, home }) {
      await run("groups", "create", "--type", "contacts", "--name", "Kunden");
      writeFileSync(join(home, "kunden.csv"), `first_name,phone\n${lines.join("\n")}\n`);
    },
    command: ["contacts", "import", "kunden.csv", "--group", "Kunden", "--on-match", "update"],
  };
}

/** Each customer needs one request, because the licenses exist. */
function provisionCustomers(count: number): Work {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const licenses = numbers.map((number) => ({ id: `seat-${number}`, product: "Seat" }));
  const customers = numbers.map((number) => ({
    external_id: `customer-${number}`,
    name: `Customer ${number}`,
    license: `seat-${number}`,
  }));
  const msp = { external_id: "msp", name: "MSP", license: { id: "base", product: "MSP" } };
  return {
    async prepare({ run, home }) {
      writeFileSync(join(home, "licenses.json"), JSON.stringify({ msps: [{ ...msp, licenses }] }));
      writeFileSync(join(home, "customers.json"), JSON.stringify({ msps: [{ ...msp, customers }] }));
      expect((await run("orgs", "provision", "licenses.json", "--yes")).code).toBe(0);
    },
    command: ["orgs", "provision", "customers.json", "--yes"],
  };
}

// Separate tests cover reading the file and the client's requests.

test("planning an imported row and writing it to the journal involves at most 25 functions", async () => {
  const modules = /^(planning|engine|imports|group|journal|contacts\/(adapter|identity))[./]/;
  const { walk, entries } = await walkOf(importRows, (name) => modules.test(name));
  expect(walk).toEqual(expect.arrayContaining(["planning/plan.js planRow", "journal/journal.js apply"]));
  expect(walk.length, walk.join("\n")).toBeLessThanOrEqual(25);
  const returns = returnsOf(entries, "planning/plan.js planRow", "journal/journal.js apply");
  expect(returns.length).toBeGreaterThan(10);
  expect(returns.filter(([, count]) => count > 5)).toEqual([]);
});

test("at most 30 functions plan a provisioning step, and at most 32 run it", async () => {
  const planning =
    /^provision\/(compare|differences|changes|converge|steps|simulation|items|requests|plan-file\/steps)\.|^journal\/(journal\.js insert|secret-fields\.js contentOf)$/;
  const reading = /^provision\/(organization-spec|spec-document|inventory|validation-warnings)\./;
  const { walk, entries } = await walkOf(
    provisionCustomers,
    (name) => /^(provision|engine|journal)\/|^adapter\./.test(name) && !reading.test(name),
  );
  const planned = walk.filter((name) => planning.test(name));
  const sent = walk.filter((name) => !planning.test(name));
  expect(planned).toContain("provision/steps.js demandStep");
  expect(sent).toEqual(expect.arrayContaining(["adapter.js decided", "journal/journal.js apply"]));
  expect(planned.length, planned.join("\n")).toBeLessThanOrEqual(30);
  expect(sent.length, sent.join("\n")).toBeLessThanOrEqual(32);
  const returns = returnsOf(entries, "provision/subject/course.js shareOf", "journal/journal.js apply");
  expect(returns.length).toBeGreaterThan(5);
  expect(returns.filter(([, count]) => count > 5)).toEqual([]);
});
