import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fingerprintOf } from "../../src/write/fields.js";
import { removeOldRuns, removeRun } from "../../src/write/journal/folder.js";
import type { RunIdentity } from "../../src/write/journal/identity.js";
import type { NewItem } from "../../src/write/journal/item.js";
import { Journal } from "../../src/write/journal/journal.js";
import { readRun } from "../../src/write/journal/read.js";
import { type OpenRun, openRun } from "../../src/write/journal/runs.js";
import { groupByFingerprint } from "../../src/write/journal/unconfirmed-creates.js";
import { recordOf } from "../../src/write/values.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "voxctl-journal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const identity: RunIdentity = {
  kind: "contacts",
  base_url: "https://voice.example.com/api/v1",
  world: null,
  group_id: "0123456789abcdef01234567",
  digest: "00",
  options: { on_match: "skip" },
};

const open = (changes: Partial<RunIdentity> = {}, options: { newRun?: boolean; once?: boolean } = {}) =>
  openRun({
    folder,
    identity: { ...identity, ...changes },
    now: 0,
    newRun: options.newRun ?? false,
    once: options.once ?? false,
    durable: true,
  });

const create = (number: number, name: string): NewItem => ({
  number,
  line: number + 1,
  state: "planned",
  outcome: "created",
  action: "create",
  body: { first_name: name },
});

describe("the journal of a run", () => {
  test("a second run with the same input resumes the first run", async () => {
    const first = await open();
    first.journal.insert(create(1, "a"));
    first.journal.setSetting("planned_at", 1);
    first.journal.close();
    const again = await open();
    expect(again).toMatchObject({ id: first.id, resumed: true });
    again.journal.close();
    for (const change of [
      { digest: "01" },
      { group_id: "f".repeat(24) },
      { world: "w" },
      { options: { on_match: "update" } },
    ]) {
      const run = await open(change);
      expect(run.resumed).toBe(false);
      expect(run.id).not.toBe(first.id);
      run.journal.close();
    }
  });

  test("planned steps are discarded if the run ended during planning", async () => {
    const first = await open();
    first.journal.insert(create(1, "a"));
    first.journal.close();
    const again = await open();
    expect(again).toMatchObject({ id: first.id, resumed: false });
    expect(again.journal.count("planned")).toBe(0);
    again.journal.close();
  });

  test("commands that don't compare rows repeat a finished run only with --new-run", async () => {
    const first = await open();
    first.journal.setSetting("planned_at", 1);
    first.journal.setSetting("finished_at", 2);
    first.journal.close();
    await expect(open({}, { once: true })).rejects.toMatchObject({ code: "run_finished" });
    const second = await open();
    expect(second.id).toBe(`${first.id}-2`);
    second.journal.close();
    const third = await open({}, { newRun: true, once: true });
    expect(third.id).toBe(`${first.id}-3`);
    third.journal.close();
  });

  test("only one process at a time uses a journal", async () => {
    const { journal } = await open();
    await expect(Journal.open(journal.path, { create: false })).rejects.toMatchObject({ code: "run_busy" });
    journal.close();
    (await Journal.open(journal.path, { create: false })).close();
  });

  test("reading a run doesn't change its file", async () => {
    const { id, journal } = await open();
    journal.setSetting("planned_at", 1);
    journal.close();
    const before = new Date(0);
    utimesSync(journal.path, before, before);
    expect(await readRun(folder, id, (run) => run.setting("planned_at"))).toBe(1);
    expect(statSync(journal.path).mtime).toEqual(before);
  });

  test("a run that is deleted while it starts is created again or reported as busy", async () => {
    for (let turns = 0; turns < 10; turns += 1) {
      const first = await open();
      const removed = removeRun(folder, first, { removesResults: false, keepsWrites: false });
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      const second = await open().catch((error: unknown) => error);
      await removed;
      if (second instanceof Error) {
        expect(second).toMatchObject({ code: "run_busy" });
        continue;
      }
      const { id, journal } = second as OpenRun;
      journal.insert(create(1, "a"));
      expect([id, existsSync(journal.path), journal.count("planned")]).toEqual([first.id, true, 1]);
      journal.setSetting("planned_at", 1);
      journal.setSetting("finished_at", 2);
      await removeRun(folder, { id, journal }, { removesResults: false, keepsWrites: false });
    }
  });

  test("after a kill during planning, the run is planned again in the same journal", async () => {
    const first = await open();
    first.journal.insert(create(1, "a"));
    first.journal.setSetting("group_made", true);
    first.journal.database.exec("CREATE TABLE known (id TEXT)");
    first.journal.close();
    const { ino } = statSync(first.journal.path);
    const second = await open();
    expect([second.id, second.resumed]).toEqual([first.id, false]);
    expect(statSync(second.journal.path).ino).toBe(ino);
    expect([second.journal.count("planned"), second.journal.setting("group_made")]).toEqual([0, true]);
    second.journal.database.exec("CREATE TABLE known (id TEXT)");
    second.journal.close();
  });

  test("a journal is private from its creation", async () => {
    const { journal } = await open();
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    journal.close();
  });
});

describe("items in a journal", () => {
  test("a write without a response stays unconfirmed until its outcome is known", async () => {
    const { journal } = await open();
    journal.database.transaction(() => {
      for (const number of [1, 2, 3]) journal.insert(create(number, "same"));
    });
    journal.record([], [1, 2]);
    expect(journal.planned(0, 10).map(({ number }) => number)).toEqual([3]);
    expect(journal.sentToUnknown()).toBe(2);
    const fingerprints = () =>
      journal
        .inState("unknown", 0, 10)
        .map((item) => [fingerprintOf(["first_name"], recordOf(item.body)), item] as const);
    const lost = () =>
      groupByFingerprint(fingerprints()).map(({ items }) => items.map(({ number }) => number));
    expect(lost()).toEqual([[1, 2]]);
    journal.record([{ number: 1, state: "done", target: "x" }], []);
    expect(lost()).toEqual([[2]]);
    expect(journal.knowsTarget("x")).toBe(true);
    journal.record([{ number: 2, state: "planned" }], [3]);
    expect(journal.planned(0, 10)).toMatchObject([{ number: 2, attempts: 1, body: { first_name: "same" } }]);
    journal.close();
  });

  test("a run reports the steps of its journal in order", async () => {
    const steps: string[] = [];
    const onStep = (step: string) => steps.push(step);
    const run = await openRun({
      folder,
      identity,
      now: 0,
      newRun: false,
      once: false,
      durable: false,
      onStep,
    });
    run.journal.insert(create(1, "a"));
    run.journal.record([], [1]);
    run.journal.record([{ number: 1, state: "done", target: "x" }], []);
    run.journal.record([], []);
    run.journal.close();
    expect(steps).toEqual(["created", "sending", "sent", "recording", "recorded"]);
  });
});

test("a recent temporary directory is kept even if the clock is 65 days ahead", async () => {
  const temporary = mkdtempSync(join(folder, "voxctl-"));
  const { mtimeMs } = statSync(temporary);
  await removeOldRuns(folder, mtimeMs + 65 * 24 * 60 * 60 * 1000);
  expect(existsSync(temporary)).toBe(true);
});
