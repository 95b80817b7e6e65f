import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { type Emulator, openEmulator } from "../../src/emulator/index.js";
import type { Step } from "../../src/write/journal/journal.js";
import { readContacts } from "../helpers/import.js";
import { type Ended, runBuilt, runHere, runKilledAt } from "../helpers/processes.js";
import { publicApi } from "../helpers/public-api.js";

const whole = process.env["PROOF"] !== undefined;
const rows = whole ? 2_000 : 40;
const minutes = whole ? 60 : 3;
const seed = Number(process.env["PROOF_SEED"] ?? (whole ? Date.now() % 1e6 : 4));

const faults = [
  { kind: "error_before" },
  { kind: "error_after" },
  { kind: "drop_before" },
  { kind: "drop_after" },
  { kind: "truncate" },
  { kind: "garbage" },
  { kind: "delay", delay_ms: 300 },
  { kind: "limiter_down" },
];

const run = whole ? runBuilt : runHere;

let emulator: Emulator;
let folder: string;
let env: Record<string, string>;

/** Each test has its own data directory, so that requests refused in other tests don't delay it. */
const machine = () => ({ env: { ...env, VOXCTL_DATA_DIR: mkdtempSync(join(folder, "data-")) }, cwd: folder });
type Machine = ReturnType<typeof machine>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "voxctl-killed-"));
  emulator = await openEmulator({ seed: "empty", clock: "real", limits: { read: 1e6, write: 1e6 } });
  const server = await emulator.listen({ port: 0 });
  for (const fault of faults) await emulator.control("POST", "/faults", { ...fault, probability: 0.01 });
  env = {
    HOME: folder,
    VOXCTL_BASE_URL: `${server.url}/api/v1`,
    VOXCTL_API_KEY: emulator.startLine.keys.admin,
    VOXCTL_CONFIG_DIR: join(folder, "config"),
  };
  writeFileSync(
    join(folder, "distinct.csv"),
    file((index) => `Anna${index};0170 ${1_000_000 + index}`),
  );
  writeFileSync(
    join(folder, "more.csv"),
    `Vorname;Nachname;Mail;Telefon\n${Array.from({ length: rows }, (_, index) => {
      const row = index + rows / 2;
      return `Anna${row};Ahr;a${row}@b.de;0170 ${1_000_000 + row}`;
    }).join("\n")}\n`,
  );
  writeFileSync(
    join(folder, "equal.csv"),
    file((index) => `Anna${index % 7};0170 ${1_000_000 + (index % 7)}`),
  );
});

beforeAll(async () => {
  const began = performance.now();
  await runBuilt(["runs", "list"], machine());
  startMilliseconds = performance.now() - began;
  console.log(`seed ${seed}, a process starts within ${Math.round(startMilliseconds)} ms`);
});

afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** No kill happens in the first half of this time. */
let startMilliseconds = 0;
/** Returns a generator of seeded kill times, in milliseconds. */
function momentsFor(test: string): () => number {
  let draws = 0;
  return () => {
    draws += 1;
    const milliseconds = startMilliseconds / 2 + (whole ? 2_000 : 600);
    return startMilliseconds / 2 + seededDraw(seed, test, draws) * milliseconds;
  };
}

function file(row: (index: number) => string): string {
  return `Vorname;Telefon\n${Array.from({ length: rows }, (_, index) => row(index)).join("\n")}\n`;
}

interface Scenario {
  name: string;
  kills: number;
  sample: readonly Step[];
  flags: string[];
  expected: string[];
}

const contact = (index: number) => JSON.stringify([`Anna${index}`, "", [`+49170${1_000_000 + index}`], []]);
const scenarios: Scenario[] = [
  {
    name: "rows that differ",
    kills: whole ? 200 : 0,
    sample: ["recorded"],
    flags: ["distinct.csv"],
    expected: Array.from({ length: rows }, (_, index) => contact(index)).sort(),
  },
  {
    name: "rows that are equal",
    kills: whole ? 200 : 0,
    // Equal rows are ambiguous only if the kill leaves a write unconfirmed.
    sample: ["sent"],
    flags: ["equal.csv", "--on-match", "create"],
    expected: Array.from({ length: rows }, (_, index) => contact(index % 7)).sort(),
  },
];

let groups = 0;
async function newGroup(): Promise<string> {
  groups += 1;
  const name = `Group ${groups}`;
  for (;;) {
    const id = await findGroup(name);
    if (id !== undefined) return id;
    await ask("POST", "/groups", { type: "contacts", name });
  }
}

/** Returns undefined if a fault affected the response. */
async function ask<const Method extends string, const Path extends string>(
  method: Method,
  path: Path,
  body?: unknown,
) {
  const response = await publicApi(emulator)(method, path, body).catch(() => undefined);
  return response !== undefined && response.status < 300 ? response.body : undefined;
}

async function findGroup(name: string): Promise<string | undefined> {
  const page = await ask("GET", "/groups?type=contacts&limit=200");
  return page?.data.find((group) => group.name === name)?.id;
}

async function contactsIn(id: string): Promise<string[]> {
  for (;;) {
    try {
      return await readContacts(emulator, id);
    } catch {}
  }
}

const importInto = (group: string, scenario: Scenario) => [
  "contacts",
  "import",
  ...scenario.flags,
  ...["--group", group, "--country", "DE", "--settle", "100ms", "-o", "json"],
];

/** Removes one occurrence of each element of `some`. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const remaining = [...all];
  for (const item of some) if (remaining.includes(item)) remaining.splice(remaining.indexOf(item), 1);
  return remaining;
}

/** Exit code 12 with `run_finished` means that the import had already finished. */
function isEnd({ code, stderr }: Ended): boolean {
  // An undo that keeps another user's changes exits with 68.
  return code === 0 || code === 68 || (code === 12 && stderr.includes("run_finished"));
}

// Only --include-matched undoes a contact that was matched by content (T5).
const undoing = (id: string) => [
  "runs",
  "undo",
  id,
  "--yes",
  "--include-matched",
  "--settle",
  "100ms",
  "-o",
  "json",
];

async function runsOf(at: Machine, group: string): Promise<{ id: string; kind: string; group_id: string }[]> {
  const { stdout } = await run(["runs", "list", "-o", "json"], at);
  const runs: { id: string; kind: string; group_id: string }[] = JSON.parse(stdout);
  return runs.filter((run) => run.group_id === group && run.kind === "contacts");
}

/** `unknown` is the last reported number of unconfirmed rows. */
async function finish(at: Machine, argv: string[]): Promise<Ended & { unknown: number }> {
  let unknown = 0;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const ended = await run(argv, at);
    if (isEnd(ended)) return { ...ended, unknown: ended.code === 0 ? 0 : unknown };
    unknown = ended.stdout === "" ? unknown : JSON.parse(ended.stdout).unknown;
    // With code 9, a read failed four times in a row, so the command can be repeated.
    if (ended.code !== 9 && ended.code !== 75) throw new Error(`exit ${ended.code}: ${ended.stderr}`);
  }
  throw new Error("did not come to an end");
}

const steps: Step[] = [
  "created",
  "planned",
  "sending",
  "sent",
  "recording",
  "recorded",
  "reconciled",
  "finished",
];
function momentsOf({ sample }: Scenario): string[] {
  if (!whole) return sample.map((step) => `${step}:1`);
  return steps.flatMap((step) =>
    (/ing$|^sent$|^recorded$/.test(step) ? [1, 2, 20] : [1]).map((nth) => `${step}:${nth}`),
  );
}

// Tests mostly wait for requests with faults, so `npm test` runs them concurrently.
const concurrent = !whole;
const timeout = minutes * 60_000;

describe.each(scenarios)(
  "a killed and resumed bulk run neither loses nor duplicates anything: $name",
  { concurrent, timeout },
  (scenario) => {
    test.each(momentsOf(scenario))(
      "a run has the expected result after a kill at %s and a resume",
      async (moment) => {
        const [at, group] = [machine(), await newGroup()];
        const killed = await runKilledAt(moment, importInto(group, scenario), at);
        // The run may end before it reaches the step at which it would be killed.
        if (killed.signal !== "SIGKILL") expect(killed.code).toBe(0);
        const { unknown } =
          killed.code === 0 ? { unknown: 0 } : await finish(at, importInto(group, scenario));
        const existing = await contactsIn(group);
        // A row may stay unconfirmed if faults also affected newer rows (T5).
        const missing = without(scenario.expected, existing);
        expect(missing.length).toBeLessThanOrEqual(unknown);
        expect(existing).toEqual(without(scenario.expected, missing));
      },
    );

    // Random kills happen only in `npm run proof`; otherwise, `kills` is 0.
    test.runIf(scenario.kills > 0)(
      `a run and its undo have the expected results after ${scenario.kills} random kills`,
      async () => {
        const moment = momentsFor(scenario.name);
        let kills = 0;
        const at = machine();
        while (kills < scenario.kills) {
          const group = await newGroup();
          let unknown = 0;
          for (;;) {
            const kill = { after: moment(), signal: "SIGKILL" as const };
            const ended =
              kills < scenario.kills
                ? await runBuilt(importInto(group, scenario), { ...at, kill })
                : await run(importInto(group, scenario), at);
            if (ended.signal === "SIGKILL") {
              kills += 1;
              continue;
            }
            if (ended.stdout !== "") unknown = JSON.parse(ended.stdout).unknown;
            if (isEnd(ended)) break;
          }
          const existing = await contactsIn(group);
          const missing = without(scenario.expected, existing);
          expect(missing.length).toBeLessThanOrEqual(unknown);
          expect(existing).toEqual(without(scenario.expected, missing));
          // A kill after the end of the run causes a second run, which finds nothing to do.
          for (const { id } of await runsOf(at, group)) {
            const undo = undoing(id);
            const kill = { after: moment(), signal: "SIGKILL" as const };
            const first = await runBuilt(undo, { ...at, kill });
            if (first.code !== 0) await finish(at, undo);
          }
          expect(await contactsIn(group)).toEqual([]);
        }
      },
    );
  },
);

test("undoing a killed run restores the state from before the run", { concurrent, timeout }, async () => {
  const [at, group] = [machine(), await newGroup()];
  const [firstScenario] = scenarios;
  if (!firstScenario) throw new Error("no kind");
  await runKilledAt("sent:4", importInto(group, firstScenario), at);
  const [run] = await runsOf(at, group);
  expect(run).toMatchObject({ state: "unfinished", open: expect.any(Number) });
  await finish(at, undoing(run?.id ?? ""));
  expect(await contactsIn(group)).toEqual([]);
});

test("an undo that is killed at any point keeps later changes of other clients", {
  concurrent,
  timeout,
}, async () => {
  const moment = momentsFor("others");
  const at = machine();
  const [distinct] = scenarios;
  if (!distinct) throw new Error("no kind");
  const update = { ...distinct, flags: ["more.csv", "--on-match", "update"] };
  const updatedOnce = async () => {
    const group = await newGroup();
    await finish(at, importInto(group, distinct));
    await runKilledAt("sent:3", importInto(group, update), at);
    const { stdout } = await finish(at, importInto(group, update));
    return { group, updating: JSON.parse(stdout) };
  };
  let { group, updating } = await updatedOnce();
  // If the import needed a second run (ID ending in -2), try again: this test undoes a single run.
  while (String(updating.run_id).endsWith("-2")) ({ group, updating } = await updatedOnce());
  expect(updating).toMatchObject({ created: rows / 2, updated: rows / 2, unknown: 0 });

  const [updated, created] = [await changeLastName(group, rows - 1), await changeLastName(group, rows)];
  const undo = undoing(updating.run_id);
  for (let kill = 0; kill < (whole ? 20 : 1); kill += 1) {
    const ended = await runBuilt(undo, {
      ...at,
      kill: { after: moment(), signal: "SIGKILL" },
    });
    if (isEnd(ended)) break;
  }
  expect((await finish(at, undo)).code).toBe(68);
  const changedContacts = [
    JSON.stringify([updated, "Neu", [`+49170${1_000_000 + rows - 1}`], []]),
    JSON.stringify([created, "Neu", [`+49170${1_000_000 + rows}`], [`a${rows}@b.de`]]),
  ];
  const untouched = distinct.expected.filter((expectedContact) => expectedContact !== contact(rows - 1));
  expect(await contactsIn(group)).toEqual([...untouched, ...changedContacts].sort());
});

async function changeLastName(group: string, row: number): Promise<string> {
  const name = `Anna${row}`;
  for (let cursor = ""; ; ) {
    const page = await ask("GET", `/contacts?group_id=${group}&limit=200${cursor}`);
    if (page === undefined) continue;
    const id = page.data.find((candidate) => candidate.first_name === name)?.id;
    if (id === undefined) {
      cursor = `&cursor=${encodeURIComponent(page.meta.next_cursor)}`;
      continue;
    }
    for (;;) {
      const changed = await ask("PATCH", `/contacts/${id}`, { last_name: "Neu" });
      if (changed?.data.last_name === "Neu") return name;
    }
  }
}
