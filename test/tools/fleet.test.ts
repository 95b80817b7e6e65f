// A fleet that several machines run through a store.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  createStarter,
  expectImported,
  importing,
  names,
  setUpSharedFleet,
  waitForOutput,
} from "./fleet-machines.js";
import { until, usePostgres } from "./store-machines.js";

const postgres = await usePostgres();

let schemas = 0;
let schema = "";

function setUp(members: readonly string[], settings?: string) {
  schemas += 1;
  schema = `fleet_${schemas}`;
  return setUpSharedFleet(postgres, schema, members, { settings });
}

type Machine = ReturnType<Awaited<ReturnType<typeof setUp>>["createMachine"]>;

const statesOf = (report: { waves: { members: { name: string; state: string }[] }[] }) =>
  report.waves.flatMap(({ members }) => members.map(({ name, state }) => `${name} ${state}`));

async function waitForState(state: string): Promise<void> {
  const count = `SELECT count(*) FROM ${schema}.member WHERE state = '${state}'`;
  for (let attempt = 0; attempt < 300 && postgres.sql(count).trim() === "0"; attempt += 1)
    await setTimeout(100);
}

async function findFleet(machine: Machine) {
  const runs: { id: string; kind: string }[] = await machine.json("runs", "list");
  const fleet = runs.find(({ kind }) => kind === "fleet");
  if (fleet === undefined) throw new Error("no fleet");
  return fleet;
}

describe("fleet work", () => {
  it("`fleet work` runs another machine's fleet", async () => {
    const fleet = await setUp(names(8));
    const first = createStarter(fleet, 2);
    const second = fleet.createMachine();
    const run = first.start(...fleet.runWords("--parallel", "8", "-o", "json"), ...importing);
    await waitForOutput(run, "members in 1 wave");
    const worked = await second.run("fleet", "work");
    expect([worked.code, worked.stderr]).toEqual([
      0,
      expect.stringMatching(/No more work: this process ran [1-8] members?/),
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

  it("`runs undo --include-matched` completes a fleet undo that kept matched contacts", async () => {
    const fleet = await setUp(names(2));
    const machine = createStarter(fleet, 2);
    await fleet.emulator.control("POST", "/faults", {
      ...{ kind: "drop_after", operation: "contacts.create", times: 2 },
    });
    const ran = await machine.run(...fleet.runWords("--parallel", "1"), ...importing);
    expect(ran.code, ran.stderr).toBe(0);
    const { id } = await findFleet(machine);
    const undo = (...flags: string[]) => machine.run("runs", "undo", id, "--confirm", "2 members", ...flags);
    const partly = await undo();
    expect([partly.code, partly.stdout]).toEqual([68, expect.stringContaining("matched only by content")]);
    const undone = await undo("--include-matched");
    expect(undone.code, undone.stderr).toBe(0);
    await expectImported(fleet, 0);
  });

  it("`fleet work` continues the fleet of a killed process", async () => {
    const fleet = await setUp(names(3));
    const first = createStarter(fleet, 40);
    const second = fleet.createMachine();
    const run = first.start(...fleet.runWords("-o", "ndjson"), ...importing);
    await waitForOutput(run, '"started"');
    // On a busy machine, the fleet could otherwise end before the second process has started.
    run.child.kill("SIGSTOP");
    const worker = second.start("fleet", "work", "--stay");
    await waitForOutput(worker, "Fleet run");
    run.child.kill("SIGKILL");
    await waitForOutput(worker, /taken over from .*/);
    worker.child.kill("SIGINT");
    await worker.ended;
    const third = await second.run("fleet", "work");
    expect([third.code, third.stderr]).toEqual([0, expect.stringContaining("this process ran")]);
    await expectImported(fleet, 40);
    const listed = await findFleet(second);
    expect(statesOf(await second.json("fleet", "show", listed.id))).toEqual(
      names(3).map((name) => `${name} ok`),
    );
  });

  it("`fleet work` takes no members if one member's key is missing", async () => {
    // The run must not end before the other machine has started.
    const fleet = await setUp(names(8));
    const first = createStarter(fleet, 1);
    const second = fleet.createMachine({ KEY_ORG01: undefined });
    const run = first.start(...fleet.runWords(), ...importing);
    await waitForOutput(run, "members in 1 wave");
    const worked = await second.run("fleet", "work");
    expect([worked.code, worked.stderr]).toEqual([3, expect.stringContaining("member org01 has no key")]);
    expect(await run.ended).toBe(0);
  });

  it("`fleet work` starts the next wave on time after the fleet's process was killed", async () => {
    const waves = "waves: [ { select: ring=canary, hold: 12s }, { rest: true } ]\n";
    const fleet = await setUp(names(2), waves);
    const first = createStarter(fleet, 1);
    const run = first.start(...fleet.runWords(), ...importing);
    await waitForOutput(run, "before the next wave");
    run.child.kill("SIGKILL");
    const worked = await fleet.createMachine().run("fleet", "work");
    expect([worked.code, worked.stderr]).toEqual([0, expect.stringContaining("before the next wave")]);
    await expectImported(fleet, 1);
    const held = postgres.sql(
      `SELECT extract(epoch FROM max(started_at) FILTER (WHERE wave = 1) - max(ended_at) FILTER (WHERE wave = 0)) FROM ${schema}.member`,
    );
    expect(Number(held)).toBeGreaterThanOrEqual(12);
  });

  it("a fleet ignores the result of a worker that was suspended beyond its lease", async () => {
    const fleet = await setUp(names(1));
    const first = createStarter(fleet, 3);
    const run = first.start(...fleet.runWords("-o", "json"), ...importing);
    await waitForOutput(run, "1 member in 1 wave");
    await waitForState("running");
    run.child.kill("SIGSTOP");
    const worked = await fleet.createMachine().run("fleet", "work");
    expect([worked.code, worked.stderr]).toEqual([0, expect.stringContaining("taken over from")]);
    const countWrites = async () =>
      (await fleet.emulator.control("GET", "/requests")).filter(({ method }) => method !== "GET").length;
    const sent = await countWrites();
    run.child.kill("SIGCONT");
    expect([await run.ended, run.output.text]).toEqual([0, expect.stringContaining('"ok": 1')]);
    expect(await countWrites()).toBe(sent);
    await expectImported(fleet, 3);
  });

  it("a fleet imports each row once even if queued jobs were deleted, completed or duplicated", async () => {
    const fleet = await setUp(names(6));
    const first = createStarter(fleet, 1);
    const run = first.start(...fleet.runWords("--parallel", "6", "-o", "json"), ...importing);
    await waitForOutput(run, "members in 1 wave");
    await waitForState("running");
    const jobs = `${schema}_queue.job`;
    postgres.sql(`INSERT INTO ${jobs} (name, data) SELECT name, data FROM ${jobs}`);
    postgres.sql(`UPDATE ${jobs} SET state = 'completed' WHERE state = 'active'`);
    postgres.sql(`DELETE FROM ${jobs} WHERE state = 'created'`);
    expect([await run.ended, run.output.text]).toEqual([0, expect.stringContaining('"ok": 6')]);
    await expectImported(fleet, 1);
  });

  it("a member's result is unknown if its worker dies during a command that can't be resumed", async () => {
    const fleet = await setUp(names(1));
    const first = fleet.createMachine();
    const creating = ["groups", "create", "--type", "contacts", "--name", "Neu"];
    const run = first.start(...fleet.runWords(), ...creating);
    await waitForState("running");
    run.child.kill("SIGKILL");
    const second = fleet.createMachine();
    await second.run("fleet", "work");
    const { id } = await findFleet(second);
    expect(statesOf(await second.json("fleet", "show", id))).toEqual(["org00 unknown"]);
    expect((await second.run("fleet", "resume", id)).code).toBe(75);
    expect((await second.run("fleet", "resume", id, "--again", "org00")).code).not.toBe(75);
  });

  it("a member fails if its key on the worker's machine belongs to another organization", async () => {
    const fleet = await setUp(names(2));
    const first = createStarter(fleet, 40);
    const run = first.start(...fleet.runWords("--parallel", "1"), ...importing);
    await waitForState("running");
    run.child.kill("SIGKILL");
    const second = fleet.createMachine({ KEY_ORG00: fleet.member("org01").key });
    await second.run("fleet", "work");
    const { id } = await findFleet(second);
    const [member] = (await second.json("fleet", "show", id)).waves[0].members;
    expect(member).toMatchObject({ state: "failed", exit: 12 });
    expect(await fleet.contacts("org01")).toEqual([]);
  });

  it("`fleet work` takes no members of a fleet that another version of voxctl started", async () => {
    const fleet = await setUp(names(1));
    const first = createStarter(fleet, 1);
    await first.run(...fleet.runWords("--parallel", "1"), ...importing);
    postgres.sql(
      `UPDATE ${schema}.fleet SET state = 'running', about = jsonb_set(about, '{version}', '"0.0.1"');
       UPDATE ${schema}.member SET state = 'waiting'`,
    );
    const second = fleet.createMachine();
    const worked = await second.run("fleet", "work");
    expect([worked.code, worked.stderr]).toEqual([12, expect.stringContaining("voxctl 0.0.1")]);
    const { id } = await findFleet(second);
    expect((await second.run("fleet", "resume", id)).code).toBe(12);
    expect(statesOf(await second.json("fleet", "show", id))).toEqual(["org00 waiting"]);
  });

  it("`fleet work` releases its members immediately on the second Ctrl-C", async () => {
    const fleet = await setUp(names(8));
    const first = createStarter(fleet, 40);
    const run = first.start(...fleet.runWords("--parallel", "8", "-o", "json"), ...importing);
    await waitForOutput(run, "members in 1 wave");
    const worker = fleet.createMachine().start("fleet", "work", "--stay");
    const ofWorker = `FROM ${schema}.member WHERE state = 'running' AND worker->>'pid' = '${worker.child.pid}'`;
    await until(() => Number(postgres.sql(`SELECT count(*) ${ofWorker}`)) > 0);
    worker.child.kill("SIGINT");
    await setTimeout(500);
    worker.child.kill("SIGINT");
    await waitForOutput(worker, "other workers can continue them");
    await worker.ended;
    expect(postgres.sql(`SELECT name ${ofWorker}`)).toBe("");
    expect([await run.ended, run.output.text]).toEqual([0, expect.stringContaining('"ok": 8')]);
    await expectImported(fleet, 40);
  });

  it("in a store, an interrupted member stays interrupted if a resume doesn't start it", async () => {
    const fleet = await setUp(names(2));
    const first = createStarter(fleet, 200);
    const run = first.start(...fleet.runWords("--parallel", "2", "-o", "json"), ...importing);
    const running = `SELECT count(*) FROM ${schema}.member WHERE state = 'running'`;
    await until(() => Number(postgres.sql(running)) === 2);
    run.child.kill("SIGINT");
    await waitForOutput(run, "Stopped: interrupted");
    run.child.kill("SIGINT");
    expect(await run.ended).toBe(130);
    const { id } = await findFleet(first);
    const second = fleet.createMachine({ KEY_ORG00: "a-key-that-is-not-valid" });
    const report = await second.json("fleet", "resume", id, "--parallel", "1");
    expect(statesOf(report)).toEqual(["org00 failed", "org01 interrupted"]);
  });

  it("`fleet resume` exits with code 6 while another machine runs the fleet", async () => {
    const fleet = await setUp(names(1));
    const first = createStarter(fleet, 20, { VOXCTL_STORE_LEASE: "60s" });
    const run = first.start(...fleet.runWords(), ...importing);
    await waitForState("running");
    // The suspended run can't end before the second machine tries to resume it.
    run.child.kill("SIGSTOP");
    const second = fleet.createMachine();
    const resumed = await second.run("fleet", "resume", (await findFleet(second)).id);
    run.child.kill("SIGCONT");
    expect([resumed.code, resumed.stderr]).toEqual([6, expect.stringContaining("is running fleet run")]);
    expect(await run.ended).toBe(0);
  });

  it("`fleet work` needs only the privileges that `store init --role` prints", async () => {
    const fleet = await setUp(names(2));
    const owner = fleet.createMachine();
    const { grants } = await owner.json("store", "init", "--role", "worker");
    postgres.sql(`DROP ROLE IF EXISTS worker; CREATE ROLE worker LOGIN; ${grants.join("\n")}`);
    const address = { VOXCTL_STORE: postgres.address(schema, "worker") };
    const run = createStarter(fleet, 1, address).start(...fleet.runWords("-o", "json"), ...importing);
    await waitForOutput(run, "members in 1 wave");
    const worked = await fleet.createMachine(address).run("fleet", "work");
    expect([worked.code, worked.stderr]).toEqual([0, expect.stringContaining("this process ran")]);
    expect([await run.ended, run.output.text]).toEqual([0, expect.stringContaining('"ok": 2')]);
    const { id } = await findFleet(owner);
    expect((await createStarter(fleet, 1, address).run("runs", "discard", id, "--yes")).code).toBe(0);
    postgres.sql("DROP OWNED BY worker; DROP ROLE worker");
  });

  it("a fleet stores no keys or rows in plain text, not even in a log", async () => {
    const fleet = await setUp(names(1));
    const first = createStarter(fleet, 1);
    const ran = await first.run(...fleet.runWords(), ...importing);
    expect(ran.code).toBe(0);
    const { id } = await findFleet(first);
    const logs = join(first.data, "fleet", id);
    const texts = [
      ...[postgres.dump(schema), postgres.dump(`${schema}_queue`), ran.stdout, ran.stderr],
      ...readdirSync(logs).map((name) => readFileSync(join(logs, name), "utf8")),
    ].join("\n");
    for (const secret of [fleet.key, ...fleet.members.map(({ key }) => key), "Ahr0", "2000000"])
      expect(texts).not.toContain(secret);
  });
});

describe("a fleet run in a store after its end", () => {
  it("`store check` warns about a stopped fleet that is older than 30 days", async () => {
    const fleet = await setUp(names(1));
    const machine = fleet.createMachine();
    await machine.run(...fleet.runWords(), "assistants", "get", "Nobody");
    const check = async () => {
      const checks: { check: string; status: string }[] = await machine.json("store", "check");
      return checks.find(({ check: name }) => name === "runs")?.status;
    };
    expect(await check()).toBe("ok");
    postgres.sql(`UPDATE ${schema}.fleet SET started_at = now() - interval '31 days'`);
    expect(await check()).toBe("warning");
  });

  it("`store prune` deletes an ended fleet run with its files", async () => {
    const fleet = await setUp(names(1));
    const first = createStarter(fleet, 1);
    await first.run(...fleet.runWords(), ...importing);
    const missing = ["assistants", "get", "Nobody"];
    expect((await first.run(...fleet.runWords(), ...missing)).code).toBe(4);
    const count = () => postgres.sql(`SELECT count(*) FROM ${schema}.blob WHERE starts_with(name, 'fleet/')`);
    expect(count().trim()).toBe("1");
    // Both the fleet run and the import of its member are deleted.
    expect(await first.json("store", "prune", "--older-than", "0s", "--yes")).toEqual({ deleted: 2 });
    expect(count().trim()).toBe("0");
    expect(await findFleet(first)).toMatchObject({ state: "unfinished" });
  });

  it("`subject find --local` finds a person in an ended fleet run", async () => {
    const fleet = await setUp(names(1));
    await createStarter(fleet, 1).run(...fleet.runWords(), ...importing);
    const [member] = fleet.members;
    const machine = fleet.createMachine({ VOXCTL_BASE_URL: fleet.url, VOXCTL_API_KEY: member?.key });
    const { id } = await findFleet(machine);
    const area = "fleet runs in the store";
    const person = ["--phone", "+491702000000", "--local"];
    const { local } = await machine.json("subject", "find", ...person);
    expect(local.occurrences).toContainEqual(expect.objectContaining({ area, run: id }));
    const erased = await machine.json("subject", "erase", ...person, "--yes");
    const todo = `delete the run with \`voxctl runs discard ${id}\``;
    expect(erased.local.remains).toContainEqual(expect.objectContaining({ area, path: `run ${id}`, todo }));
  });
});
