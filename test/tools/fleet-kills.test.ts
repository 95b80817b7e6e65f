// Fleets whose processes are killed and suspended at random, and the costs of a large fleet.
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import {
  createStarter,
  expectImported,
  importing,
  names,
  setUpSharedFleet,
  waitForOutput,
} from "./fleet-machines.js";
import { usePostgres } from "./store-machines.js";

/** `npm run proof -- fleet` repeats the tests with 20 organizations. */
const whole = process.env["PROOF"] !== undefined;
const seed = Number(process.env["PROOF_SEED"] ?? 27);
const rounds = Array.from({ length: whole ? 20 : 2 }, (_, index) => index);
const members = names(whole ? 20 : 4);
const rowCount = 8;

const postgres = await usePostgres();

const reportOf = (text: string) => JSON.parse(text.slice(text.indexOf("{")));

describe("a fleet whose processes end at random", { timeout: 900_000 }, () => {
  it.each(rounds)(
    "imports each row once with three workers that are killed or suspended, round %i",
    async (round) => {
      const fleet = await setUpSharedFleet(postgres, `kills_${round}`, members);
      const first = createStarter(fleet, rowCount);
      const machines = [first, fleet.createMachine(), fleet.createMachine()];
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
      expect([last.code, last.stderr]).toEqual([0, expect.stringContaining("done here")]);
      await expectImported(fleet, rowCount);
      const states = postgres.sql(`SELECT DISTINCT state FROM kills_${round}.member`).trim();
      expect(states).toBe("ok");
    },
  );

  it.each(rounds)(
    "imports each row once without a store if it is killed and resumed, round %i",
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
      expect([last.code, reportOf(last.stdout).counts]).toEqual([0, { ok: members.length }]);
      await expectImported(fleet, rowCount);
    },
  );
});

// Takes minutes: each member is a process.
test.runIf(whole)(
  "hands out 200 members to 4 workers in less than 5 % of the time",
  { timeout: 1_800_000 },
  async () => {
    const parallel = 16;
    const fleet = await setUpSharedFleet(postgres, "large", names(200));
    const first = createStarter(fleet, 1);
    const run = first.start(...fleet.runWords("--no-waves", "--parallel", String(parallel)), ...importing);
    const workers = [1, 2, 3].map(() => fleet.createMachine().start("fleet", "work", "--stay"));
    expect(await run.ended).toBe(0);
    for (const { child } of workers) child.kill("SIGINT");
    // Each moment in which a member waits and fewer members run than allowed is time for handing out.
    const [most, idle, total] = postgres
      .sql(
        `WITH moments AS (SELECT started_at AS at, 1 AS change FROM large.member UNION ALL SELECT ended_at, -1 FROM large.member),
         running AS (SELECT at, sum(change) OVER (ORDER BY at, change) AS n, lead(at) OVER (ORDER BY at, change) - at AS span FROM moments),
         busy AS (SELECT * FROM running WHERE at < (SELECT max(started_at) FROM large.member))
       SELECT max(n), extract(epoch FROM sum(span * (${parallel} - n))), extract(epoch FROM sum(span)) * ${parallel} FROM busy`,
      )
      .trim()
      .split("|")
      .map(Number);
    expect(most).toBeLessThanOrEqual(parallel);
    process.stdout.write(
      `handing out: ${Math.round(((idle ?? 0) / (total ?? 1)) * 1_000) / 10} % of the time\n`,
    );
    expect((idle ?? 0) / (total ?? 1)).toBeLessThan(0.05);
  },
);
