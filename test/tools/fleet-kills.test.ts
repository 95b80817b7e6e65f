// Fleets whose processes are killed and suspended at random, and the costs of a large fleet.
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { seededDraw } from "../../src/base/random.js";
import { FleetReport, listMembers } from "../../src/features/fleet/report.js";
import {
  createStarter,
  expectImported,
  importing,
  names,
  setUpSharedFleet,
  waitForOutput,
} from "./fleet-machines.js";
import { until, usePostgres } from "./store-machines.js";

/** `npm run proof -- fleet` repeats the tests with 20 organizations. */
const whole = process.env["PROOF"] !== undefined;
const seed = Number(process.env["PROOF_SEED"] ?? 27);
const rounds = Array.from({ length: whole ? 20 : 2 }, (_, index) => index);
const members = names(whole ? 20 : 4);
const rowCount = 8;

const postgres = await usePostgres();

const reportOf = (text: string) => JSON.parse(text.slice(text.indexOf("{")));

/** Makes the store record, after each change, how many members of its fleets are running. */
function recordRunning(schema: string): void {
  postgres.sql(
    `CREATE TABLE ${schema}.running (members int);
     CREATE FUNCTION ${schema}.record() RETURNS trigger LANGUAGE plpgsql AS
       $$BEGIN
         INSERT INTO ${schema}.running SELECT count(*) FROM ${schema}.member WHERE state = 'running';
         RETURN NULL;
       END$$;
     CREATE TRIGGER record AFTER UPDATE ON ${schema}.member FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.record()`,
  );
}

describe("a fleet whose processes end at random", { timeout: 900_000 }, () => {
  it.each(rounds)(
    "a fleet imports each row once, even if three workers are killed or suspended, round %i",
    async (round) => {
      const fleet = await setUpSharedFleet(postgres, `kills_${round}`, members);
      const first = createStarter(fleet, rowCount);
      const machines = [first, fleet.createMachine(), fleet.createMachine()];
      const schema = `kills_${round}`;
      recordRunning(schema);
      const flags = ["--parallel", "8", "--max-failures", "0"];
      const processes = machines.map((machine, index) =>
        index === 0
          ? machine.start(...fleet.runWords(...flags), ...importing)
          : machine.start("fleet", "work", "--stay"),
      );
      const draw = (step: number, what: string, count: number) =>
        Math.floor(seededDraw(seed, round, step, what) * count);
      if (processes[0] !== undefined) await waitForOutput(processes[0], "in 1 wave");
      for (let step = 0; step < 4; step += 1) {
        await setTimeout(500 + draw(step, "wait", 4_000));
        const index = draw(step, "process", processes.length);
        const machine = machines[index];
        const victim = processes[index];
        if (machine === undefined || victim === undefined) continue;
        if (draw(step, "how", 2) === 0) {
          victim.child.kill("SIGKILL");
          processes[index] = machine.start("fleet", "work", "--stay");
        } else {
          victim.child.kill("SIGSTOP");
          await setTimeout(4_000);
          victim.child.kill("SIGCONT");
        }
      }
      const last = await fleet.createMachine().run("fleet", "work");
      expect([last.code, last.stderr]).toEqual([0, expect.stringContaining("this process ran")]);
      await expectImported(fleet, rowCount);
      const runs: { id: string; kind: string }[] = await first.json("runs", "list");
      const id = runs.find(({ kind }) => kind === "fleet")?.id ?? "";
      expect(await first.json("fleet", "show", id)).toMatchObject({
        counts: { ok: members.length },
        stopped: null,
        selected: members.length,
      });
      expect(Number(postgres.sql(`SELECT max(members) FROM ${schema}.running`))).toBeLessThanOrEqual(8);
    },
  );

  it.each(rounds)(
    "a fleet without a store imports each row once if it is killed and resumed, round %i",
    async (round) => {
      const fleet = await setUpSharedFleet(postgres, `local_${round}`, members);
      const machine = createStarter(fleet, rowCount, { VOXCTL_STORE: "local" });
      const started = machine.start(...fleet.runWords(), ...importing);
      await setTimeout(3_000 + seededDraw(seed, round, "first") * 6_000);
      started.child.kill("SIGKILL");
      await started.ended;
      const runs: { id: string; kind: string }[] = await machine.json("runs", "list");
      const id = runs.find(({ kind }) => kind === "fleet")?.id;
      if (id === undefined) return;
      const resumed = machine.start("fleet", "resume", id);
      await setTimeout(1_000 + seededDraw(seed, round, "second") * 6_000);
      resumed.child.kill("SIGKILL");
      await resumed.ended;
      const last = await machine.run("fleet", "resume", id, "-o", "json");
      const report = FleetReport.parse(reportOf(last.stdout));
      expect(listMembers(report).filter(({ state }) => state !== "ok")).toEqual([]);
      expect([last.code, report.counts]).toEqual([0, { ok: members.length }]);
      await expectImported(fleet, rowCount);
    },
  );
});

interface Span {
  startedAt: number;
  endedAt: number;
}

/** Returns the times at which members of a run ran on this machine, from the run's journal. */
async function readLocalSpans(data: string, id: string): Promise<Span[]> {
  const journal = await openDatabase(join(data, "runs", `${id}.sqlite`));
  try {
    return journal
      .prepare("SELECT row FROM members")
      .all()
      .map(({ row }) => JSON.parse(String(row)));
  } finally {
    journal.close();
  }
}

const readSharedSpans = (schema: string): Span[] =>
  postgres
    .sql(
      `SELECT 1000 * extract(epoch FROM started_at), 1000 * extract(epoch FROM ended_at) FROM ${schema}.member`,
    )
    .trim()
    .split("\n")
    .map((line) => line.split("|").map(Number))
    .map(([startedAt = 0, endedAt = 0]) => ({ startedAt, endedAt }));

/**
 * Returns the most members that ran at once, and the unused share of the capacity until the last member's
 * start.
 */
function measureHandingOut(spans: readonly Span[], parallel: number): { most: number; share: number } {
  const lastStart = Math.max(...spans.map(({ startedAt }) => startedAt));
  const changes = spans
    .flatMap(({ startedAt, endedAt }) => [
      { at: startedAt, change: 1 },
      { at: Math.min(endedAt, lastStart), change: -1 },
    ])
    .sort((left, right) => left.at - right.at || left.change - right.change);
  let [running, most, idle] = [0, 0, 0];
  for (const [index, { at, change }] of changes.entries()) {
    running += change;
    most = Math.max(most, running);
    idle += ((changes[index + 1]?.at ?? at) - at) * (parallel - running);
  }
  const firstStart = changes[0]?.at ?? lastStart;
  return { most, share: idle / ((lastStart - firstStart) * parallel) };
}

// Takes minutes: each member is a process.
describe.runIf(whole)("a fleet of 200 members", { timeout: 1_800_000 }, () => {
  const parallel = 16;
  const flags = ["--no-waves", "--parallel", String(parallel)];

  function expectQuick(where: string, spans: readonly Span[]): void {
    const { most, share } = measureHandingOut(spans, parallel);
    process.stdout.write(`handing out ${where}: ${(share * 100).toFixed(1)} % of the time\n`);
    expect(spans).toHaveLength(200);
    expect(most).toBeLessThanOrEqual(parallel);
    expect(share).toBeLessThan(0.05);
  }

  it("in a fleet of 200 members, 4 workers are idle for less than 5% of the time", async () => {
    const fleet = await setUpSharedFleet(postgres, "large", names(200), { clock: "real" });
    // With the delay, members wait for responses, as with a real service.
    await fleet.emulator.control("POST", "/faults", { kind: "delay", delay_ms: 500 });
    // Other tests use a short lease, which these workers would renew all the time.
    const lease = { VOXCTL_STORE_LEASE: "60s" };
    const workers = [1, 2, 3].map(() =>
      fleet.createMachine(lease).start("fleet", "work", "--stay", "--parallel", "8"),
    );
    const connections =
      "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'owner'";
    await until(() => Number(postgres.sql(connections)) >= workers.length);
    const run = createStarter(fleet, rowCount, lease).start(...fleet.runWords(...flags), ...importing);
    expect(await run.ended).toBe(0);
    for (const { child } of workers) child.kill("SIGINT");
    expectQuick("to 4 workers", readSharedSpans("large"));
  });

  it("without a store, a fleet of 200 members is idle for less than 5% of the time", async () => {
    const fleet = await setUpSharedFleet(postgres, "large_local", names(200));
    const machine = createStarter(fleet, rowCount, { VOXCTL_STORE: "local" });
    const ran = await machine.run(...fleet.runWords(...flags, "-o", "json"), ...importing);
    expectQuick("on one machine", await readLocalSpans(machine.data, reportOf(ran.stdout).run));
  });
});
