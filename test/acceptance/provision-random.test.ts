import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import type { Step } from "../../src/write/journal/journal.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { readTree } from "../helpers/provisioning.js";
import { createRandomPlan, removeRetired, sortTrees, toExpectedTree } from "../helpers/provisioning-pairs.js";
import { openSeededEmulator } from "../helpers/templates.js";

const seed = Number(process.env["PROOF_SEED"] ?? 1);
const pairs = process.env["PROOF"] === undefined ? 1 : 150;
const converging = ["--converge", "--prune", "--max-delete", "100%", "--yes", "-o", "json"];
type Tree = Parameters<typeof sortTrees>[0];

async function setUp() {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const provision = (plan: object, overrides = connectedTo(emulator), ...more: string[]) => {
    writeFileSync(join(shell.home, "plan.json"), JSON.stringify(plan));
    return shell.runWith({ overrides }, "orgs", "provision", "plan.json", ...converging, ...more);
  };
  const writes = async () =>
    ((await emulator.control("GET", "/requests?limit=1000")) as { method: string }[]).filter(
      ({ method }) => method !== "GET",
    ).length;
  const tree = async () => sortTrees((await readTree(emulator)) as Tree);
  return { ...shell, emulator, provision, writes, tree };
}

test.each(Array.from({ length: pairs }, (_, index) => seed * 1000 + 1 + index))(
  "[O2] [O3] provisioning changes a random tree to match a spec, and undo restores it: %i",
  async (pair) => {
    const { emulator, provision, run, writes, tree } = await setUp();
    const [former, latter] = [createRandomPlan(pair, "former"), createRandomPlan(pair, "latter")];
    expect((await provision(former)).code).toBe(0);
    const before = await tree();
    expect(before).toEqual(sortTrees(toExpectedTree(former)));
    if (pair % 2 === 1) {
      for (const fault of ["drop_before", "drop_after", "error_after"])
        for (const operation of ["orgs.create", "orgs.delete", "licenses.upsert", "licenses.reassign"])
          await emulator.control("POST", "/faults", { kind: fault, operation, probability: 0.15 });
    }
    const ran = await provision(latter);
    expect(ran.code, ran.stderr).toBe(0);
    const { tree: now, usable } = removeRetired(await tree(), latter);
    expect(now).toEqual(sortTrees(toExpectedTree(latter)));
    expect(usable).toEqual([]);
    const sent = await writes();
    const again = await provision(latter);
    expect(again.code, again.stderr).toBe(0);
    expect(await writes()).toBe(sent);
    const undone = await run("runs", "undo", ran.json.run_id, "--yes", "-o", "json");
    expect(undone.json, undone.stderr).toMatchObject({ failed: 0, unknown: 0, changed_since: 0 });
    const kept = new Set(toExpectedTree(former).flatMap(({ licenses }) => licenses.map(({ id }) => id)));
    // Licenses that the run created can't be deleted.
    const back = (await tree()).map((msp) => ({
      ...msp,
      licenses: msp.licenses.filter(({ id }) => kept.has(id)),
    }));
    expect(back).toEqual(before);
    await emulator.close();
  },
  60_000,
);

const sealed = process.env["PROOF"] === undefined ? 1 : 90;

test.each(Array.from({ length: sealed }, (_, index) => seed * 9000 + 1 + index))(
  "[A2] [A6] [O2] [O3] `apply` builds the expected tree despite faults and kills: pair %i",
  async (pair) => {
    const { emulator, provision, run, runWith, writes, tree } = await setUp();
    const [former, latter] = [createRandomPlan(pair, "former"), createRandomPlan(pair, "latter")];
    expect((await provision(former)).code).toBe(0);
    const before = await tree();
    const plan = ["orgs", "provision", "plan.json", ...converging.slice(0, 4), "--plan", "change.plan"];
    const sent = await writes();
    await provision(latter, undefined, "--dry-run");
    const made = await run(...plan, "-o", "json");
    expect(made.code, made.stderr).toBe(0);
    expect(await writes()).toBe(sent);
    if (pair % 2 === 1) {
      for (const fault of ["drop_before", "drop_after", "error_after"])
        for (const operation of ["orgs.create", "orgs.delete", "licenses.upsert", "licenses.reassign"])
          await emulator.control("POST", "/faults", { kind: fault, operation, probability: 0.15 });
    }
    const apply = (overrides = connectedTo(emulator)) =>
      runWith({ overrides }, "apply", "change.plan", "--allow", "orgs:delete", "--yes", "-o", "json");
    for (let kill = 0; kill < pair % 3; kill += 1) {
      const nth = 2 + Math.floor(seededDraw(pair, "kill", kill) * 14);
      let steps = 0;
      await apply({
        ...connectedTo(emulator),
        onJournalStep: (step: Step) => {
          steps += 1;
          if (steps === nth) throw new Error(`killed at ${step}`);
        },
      });
    }
    const applied = await apply();
    expect(applied.code, applied.stderr).toBe(0);
    expect(applied.json.steps).toEqual({
      ...{ done: made.json.steps, drifted: 0, blocked: 0, rejected: 0, unknown: 0, skipped: 0 },
    });
    const { tree: now, usable } = removeRetired(await tree(), latter);
    expect(now).toEqual(sortTrees(toExpectedTree(latter)));
    expect(usable).toEqual([]);
    const done = await writes();
    expect((await apply()).json).toMatchObject({ applied_before: true });
    expect((await provision(latter)).code).toBe(0);
    expect(await writes()).toBe(done);
    const undone = await run("runs", "undo", applied.json.run_id, "--yes", "-o", "json");
    // The API can't remove a license's product, so the undo keeps it.
    expect(undone.json, undone.stderr).toMatchObject({ failed: 0, unknown: 0, changed_since: 0 });
    expect(shape(await tree())).toEqual(shape(before));
    await emulator.close();
  },
  60_000,
);

/** Omits unassigned licenses, which remain after an undo. */
function shape(tree: Tree) {
  return tree.map(({ externalId, name, license, customers }) => ({ externalId, name, license, customers }));
}

const kills = process.env["PROOF"] === undefined ? 1 : 60;

test.each(Array.from({ length: kills }, (_, index) => seed * 5000 + index))(
  "[O2] [O3] if provisioning is killed and repeated, the result matches the spec: %i",
  async (pair) => {
    const { emulator, provision, writes, tree } = await setUp();
    const [former, latter] = [createRandomPlan(pair, "former"), createRandomPlan(pair, "latter")];
    expect((await provision(former)).code).toBe(0);
    for (let kill = 0; kill < 3; kill += 1) {
      const nth = 2 + Math.floor(seededDraw(pair, "kill", kill) * 14);
      let steps = 0;
      await provision(latter, {
        ...connectedTo(emulator),
        onJournalStep: (step: Step) => {
          steps += 1;
          if (steps === nth) throw new Error(`killed at ${step}`);
        },
      });
    }
    const last = await provision(latter);
    expect(last.code, last.stderr).toBe(0);
    const { tree: now, usable } = removeRetired(await tree(), latter);
    expect(now).toEqual(sortTrees(toExpectedTree(latter)));
    expect(usable).toEqual([]);
    const sent = await writes();
    expect((await provision(latter)).code).toBe(0);
    expect(await writes()).toBe(sent);
    await emulator.close();
  },
  60_000,
);
