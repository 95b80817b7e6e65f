// A fleet that several machines run through a store.
import { describe, expect, it } from "vitest";
import { type Machine, type SharedFleet, setUpSharedFleet, waitForOutput } from "./fleet-machines.js";
import { usePostgres } from "./store-machines.js";

const postgres = await usePostgres();

let schemas = 0;
let schema = "";

function setUp(names: readonly string[], settings?: string): Promise<SharedFleet> {
  schemas += 1;
  schema = `fleet_${schemas}`;
  return setUpSharedFleet(postgres, schema, names, settings);
}

const rows = (count: number) =>
  `Vorname;Nachname;Telefon\n${Array.from({ length: count }, (_, row) => `Anna;Ahr${row};0170 ${2_000_000 + row}\n`).join("")}`;
const importing = [
  "contacts",
  "import",
  "rows.csv",
  "--group",
  "Kunden",
  "--create-group",
  "--country",
  "DE",
];
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `org${String(index).padStart(2, "0")}`);

function starter(fleet: SharedFleet, count: number): Machine {
  const machine = fleet.createMachine();
  machine.write("rows.csv", rows(count));
  return machine;
}

const statesOf = (report: { waves: { members: { name: string; state: string }[] }[] }) =>
  report.waves.flatMap(({ members }) => members.map(({ name, state }) => `${name} ${state}`));

/** Each organization has each row once. */
async function expectImported(fleet: SharedFleet, count: number): Promise<void> {
  const expected = Array.from({ length: count }, (_, row) => `Ahr${row}`).sort();
  for (const { name } of fleet.members) expect([name, await fleet.contacts(name)]).toEqual([name, expected]);
}

async function findFleet(machine: Machine) {
  const runs: { id: string; kind: string }[] = await machine.json("runs", "list");
  const fleet = runs.find(({ kind }) => kind === "fleet");
  if (fleet === undefined) throw new Error("no fleet");
  return fleet;
}

describe("fleet work", () => {
  it("runs members of a fleet that another machine started, and both machines show and undo it", async () => {
    const fleet = await setUp(names(8));
    const first = starter(fleet, 2);
    const second = fleet.createMachine();
    const run = first.start(...fleet.runWords("--parallel", "8", "-o", "json"), ...importing);
    await waitForOutput(run, "members in 1 wave");
    const worked = await second.run("fleet", "work");
    expect([worked.code, worked.stderr]).toEqual([
      0,
      expect.stringMatching(/No more work: [1-8] members? done here/),
    ]);
    expect(await run.ended).toBe(0);
    await expectImported(fleet, 2);
    const listed = await findFleet(second);
    expect(listed).toMatchObject({
      kind: "fleet",
      command: "fleet run",
      done: 8,
      open: 0,
      state: "finished",
    });
    const report = await second.json("fleet", "show", listed.id);
    expect(report).toMatchObject({ counts: { ok: 8 }, stopped: null });
    const undone = await second.run("runs", "undo", listed.id, "--confirm", "8 members");
    expect([undone.code, undone.stderr]).toEqual([0, expect.stringContaining("8 ok")]);
    await expectImported(fleet, 0);
  });

  it("takes over the members and the role of a driver that was killed", async () => {
    const fleet = await setUp(names(3));
    const first = starter(fleet, 40);
    const second = fleet.createMachine();
    const run = first.start(...fleet.runWords("-o", "ndjson"), ...importing);
    await waitForOutput(run, '"started"');
    const worker = second.start("fleet", "work", "--stay");
    await waitForOutput(worker, "Fleet run");
    run.child.kill("SIGKILL");
    await waitForOutput(worker, /taken over from .*/);
    worker.child.kill("SIGINT");
    await worker.ended;
    const third = await second.run("fleet", "work");
    expect([third.code, third.stderr]).toEqual([0, expect.stringContaining("done here")]);
    await expectImported(fleet, 40);
    const listed = await findFleet(second);
    expect(statesOf(await second.json("fleet", "show", listed.id))).toEqual(
      names(3).map((name) => `${name} ok`),
    );
  });

  it("takes no members of a fleet if any member's key is missing, and names that member", async () => {
    const fleet = await setUp(names(2));
    const first = starter(fleet, 1);
    const second = fleet.createMachine({ KEY_ORG01: undefined });
    const run = first.start(...fleet.runWords(), ...importing);
    await waitForOutput(run, "members in 1 wave");
    const worked = await second.run("fleet", "work");
    expect([worked.code, worked.stderr]).toEqual([3, expect.stringContaining("member org01 has no key")]);
    expect(await run.ended).toBe(0);
  });
});
