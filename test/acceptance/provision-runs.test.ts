import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/write/journal/journal.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { wrapTransport } from "../helpers/import.js";
import { createPlan, killedAt, readTree, toTree } from "../helpers/provisioning.js";
import { openSeededEmulator } from "../helpers/templates.js";

const startTime = "2026-03-02T09:00:00Z";
const small = createPlan({ msps: 2, licenses: 6, customers: 3 });

/** A simulated kill at step 1 would leave the journal file open, so kills start at step 2. */
const afterCreated = 2;

/** Returns the journal steps to kill at, counted from 1. */
function deaths(steps: readonly Step[]): number[] {
  const all = steps.map((_, index) => index + 1).filter((nth) => nth >= afterCreated);
  if (process.env["PROOF"] !== undefined) return all;
  return all.filter((nth) => {
    const [step, remaining] = [steps[nth - 1], steps.length - nth];
    const isOnly = (part: readonly Step[]) => part.every((candidate) => candidate !== step);
    return remaining < 2 || isOnly(steps.slice(0, nth - 1)) || isOnly(steps.slice(nth));
  });
}

async function setUp() {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  writeFileSync(join(shell.home, "plan.json"), JSON.stringify(small));
  const v2 = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  const provision = (overrides = connectedTo(emulator)) =>
    shell.runWith({ overrides }, "--profile", "offline", "orgs", "provision", "plan.json", "--yes");
  const runs = async () => (await shell.run("runs", "list", "-o", "json")).json;
  /** Simulates a kill: throws an exception at the nth journal step. */
  const dyingAt = (nth: number, steps: Step[] = []) => ({
    ...connectedTo(emulator),
    onJournalStep: (step: Step) => {
      steps.push(step);
      if (steps.length === nth) throw new Error(`killed at ${step}`);
    },
  });
  return { ...shell, emulator, v2, provision, runs, dyingAt };
}

describe("a run of `orgs provision`", () => {
  test("a provisioning run's journal is private and contains no key", async () => {
    const { home, provision, runs, run, emulator } = await setUp();
    const ran = await provision();
    expect(ran.code).toBe(0);
    expect(await runs()).toMatchObject([
      {
        id: ran.json.run_id,
        state: "finished",
        kind: "provisioning",
        command: "orgs provision",
        file: "plan.json",
        group: null,
        group_id: null,
        profile: "offline",
        done: 9,
        rejected: 0,
        open: 0,
      },
    ]);
    expect((await run("runs", "list", ran.json.run_id)).json).toMatchObject({ state: "finished" });
    const files = readdirSync(home, { recursive: true, encoding: "utf8" });
    const journal = join(home, files.find((name) => name.endsWith(`${ran.json.run_id}.sqlite`)) ?? "none");
    expect(statSync(journal).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(journal, "latin1");
    expect(bytes).toContain("customer-0");
    expect(bytes).not.toContain(emulator.startLine.keys.distributor_v2);
  });

  test("[v2.duplicate holds refuses] the same command resumes a run that was killed at any step", async () => {
    const whole: Step[] = [];
    const first = await setUp();
    await first.provision(first.dyingAt(0, whole));
    expect(new Set(whole)).toEqual(
      new Set(["created", "planned", "sending", "sent", "recording", "recorded", "finished"]),
    );
    for (const nth of deaths(whole)) {
      const { emulator, provision, dyingAt, runs } = await setUp();
      const killed = await provision(dyingAt(nth));
      expect(killed.code).not.toBe(0);
      const again = await provision();
      expect(again.code).toBe(0);
      const { created, existing } = again.json;
      expect(created + existing).toBe(9);
      // If only the run's end is missing from the journal, the next run finds all resources.
      expect(created).toBe(nth >= whole.length - 1 ? 0 : 9);
      expect(await readTree(emulator)).toEqual(toTree(small));
      expect(new Set((await runs()).map(({ state }: { state: string }) => state))).toEqual(
        new Set(["finished"]),
      );
    }
  });

  test("`runs resume` resumes provisioning without the spec", async () => {
    for (const effect of ["before", "after"] as const) {
      const { emulator, provision, v2, runs, home } = await setUp();
      expect((await provision(killedAt(emulator, 6, effect))).code).not.toBe(0);
      const [run] = await runs();
      expect(run).toMatchObject({ state: "unfinished", kind: "provisioning" });
      writeFileSync(join(home, "plan.json"), "gone");
      const preview = await v2("runs", "resume", run.id, "--dry-run");
      expect(preview.stderr).toContain("Dry run: no changes were made.");
      const resumed = await v2("runs", "resume", run.id);
      expect(resumed.stderr).toContain(`Resuming run ${run.id} (plan.json) in profile offline`);
      expect(resumed.code).toBe(0);
      expect(resumed.json).toMatchObject({ run_id: run.id, created: 9, existing: 0, failed: 0 });
      expect(await readTree(emulator)).toEqual(toTree(small));
      expect((await v2("runs", "resume", run.id)).code).toBe(12);
    }
  });

  // plain-words: allow title-long
  test("[v2.delete.msp] [v2.license.delete] [D-v2-delete] an undo deletes customers first, then MSPs with their licenses", async () => {
    const { emulator, provision, v2, runs } = await setUp();
    await v2(
      "orgs",
      "create",
      "--type",
      "msp",
      "--name",
      "Before",
      "--external-id",
      "before",
      "--license",
      "b",
    );
    const before = await readTree(emulator);
    const { run_id } = (await provision()).json;
    const preview = await v2("runs", "undo", run_id, "--dry-run");
    expect(preview.json).toMatchObject({
      undone: run_id,
      deleted: 5,
      changed_since: 0,
      kept: 0,
      with_msp: 4,
      writes: 5,
    });
    expect(await readTree(emulator)).not.toEqual(before);
    const undone = await v2("runs", "undo", run_id, "--yes");
    expect(undone.code).toBe(0);
    expect(undone.json).toMatchObject({
      undone: run_id,
      deleted: 5,
      with_msp: 4,
      changed_since: 0,
      kept: 0,
      gone: 0,
    });
    expect(await readTree(emulator)).toEqual(before);
    expect((await runs()).map(({ state }: { state: string }) => state).sort()).toEqual([
      "finished",
      "undone",
    ]);
    // A finished undo can be repeated and finds nothing to do (T6).
    const repeated = await v2("runs", "undo", run_id, "--yes");
    expect(repeated.code).toBe(0);
    expect(repeated.json).toMatchObject({ deleted: 0, gone: 0, changed_since: 0 });
  });

  test("undo keeps and lists organizations that other clients use or changed", async () => {
    const { provision, v2, emulator, runs } = await setUp();
    const { run_id } = (await provision()).json;
    const id = async (externalId: string) => (await v2("orgs", "get", externalId)).json.id;
    // The undo keeps another user's customer, that customer's MSP, and all licenses of that MSP.
    await v2("licenses", "upsert", "msp-0", "extra");
    const created = await v2(
      ...["orgs", "create", "--type", "customer", "--name", "Other", "--external-id", "other"],
      ...["--parent", await id("msp-0"), "--license", "extra"],
    );
    expect(created.code).toBe(0);
    await v2("orgs", "delete", "customer-2", "--yes");
    await v2("licenses", "upsert", "msp-1", "extra-1");
    const undone = await v2("runs", "undo", run_id, "--yes");
    expect(undone.code).toBe(68);
    // The undo deletes customer-0 and customer-1, and keeps both MSPs and their four licenses. customer-2 no
    // longer exists.
    expect(undone.json).toMatchObject({ deleted: 2, gone: 1, changed_since: 1, kept: 5 });
    const listed = (await runs()).find(({ id }: { id: string }) => id === undone.json.run_id);
    expect(listed).toMatchObject({ done: 2, rejected: 0 });
    const report = readFileSync(undone.json.report, "utf8").trim().split("\n");
    const lines = report.map((line) => JSON.parse(line));
    expect(lines.find(({ external_id }) => external_id === "msp-0").reason).toBe(
      "has customers that will be kept: other",
    );
    expect(lines.find(({ external_id }) => external_id === "msp-1").reason).toBe(
      "has licenses that the run did not add: extra-1",
    );
    expect(await readTree(emulator)).toMatchObject([
      { externalId: "msp-0", customers: [{ externalId: "other" }] },
      { externalId: "msp-1", customers: [] },
    ]);
  });

  test("a second undo reverts everything if the first was killed or lost responses", async () => {
    const whole: Step[] = [];
    const first = await setUp();
    const { run_id: firstId } = (await first.provision()).json;
    const undo = ["--profile", "offline", "runs", "undo", firstId, "--yes"];
    await first.runWith({ overrides: first.dyingAt(0, whole) }, ...undo);
    expect(whole.length).toBeGreaterThan(12);
    for (const nth of deaths(whole)) {
      const { emulator, provision, dyingAt, runWith, v2 } = await setUp();
      const { run_id } = (await provision()).json;
      const killed = await runWith(
        { overrides: dyingAt(nth) },
        "--profile",
        "offline",
        "runs",
        "undo",
        run_id,
        "--yes",
      );
      expect(killed.code).not.toBe(0);
      const again = await v2("runs", "undo", run_id, "--yes");
      if (whole[nth - 1] !== "finished") {
        expect(again.code).toBe(0);
        expect(again.json).toMatchObject({ deleted: 5, failed: 0, unknown: 0 });
      }
      expect(await readTree(emulator)).toEqual([]);
    }
    const { emulator, provision, v2 } = await setUp();
    const { run_id } = (await provision()).json;
    for (const fault of ["drop_after", "drop_before", "error_after"])
      await emulator.control("POST", "/faults", { kind: fault, operation: "orgs.delete", probability: 0.4 });
    const undone = await v2("runs", "undo", run_id, "--yes");
    expect(undone.json).toMatchObject({ deleted: 5, gone: 0, failed: 0, unknown: 0 });
    expect(await readTree(emulator)).toEqual([]);
  });

  /** Advances the clock by two minutes at each delete, so that the undo reads the organizations again. */
  async function undoSlowly(change: (url: string) => string) {
    const { emulator, provision, runWith } = await setUp();
    const { run_id } = (await provision()).json;
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      if (request.method !== "DELETE")
        return transport(request.method === "GET" ? change(url) : url, request);
      await emulator.control("PATCH", "/clock", { advance_seconds: 120 });
      return transport(url, request);
    });
    const undone = await runWith({ overrides }, "--profile", "offline", "runs", "undo", run_id, "--yes");
    return { undone, tree: await readTree(emulator) };
  }

  test("an undo deletes organizations even if one billing summary returns 404", async () => {
    const { undone, tree } = await undoSlowly((url) =>
      url.replace(/organizations\/\w+\/billing-summary/, `organizations/${"0".repeat(24)}/billing-summary`),
    );
    expect(undone.json).toMatchObject({ deleted: 5, gone: 0, failed: 0 });
    expect(tree).toEqual([]);
  });

  test("an undo doesn't report organizations as deleted if their list returns 404", async () => {
    let lists = 0;
    const { undone } = await undoSlowly((url) => {
      if (!/organizations(\?|$)/.test(url)) return url;
      lists += 1;
      return lists > 2 ? url.replace("organizations", "nothing") : url;
    });
    expect(undone.json).toMatchObject({ deleted: 1, failed: 4, gone: 0, kept: 4 });
  });
});
