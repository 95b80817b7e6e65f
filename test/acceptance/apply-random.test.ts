// Applies random plan files during interruptions, faults and other users' changes. PROOF=1 runs all cases.
import { describe, expect, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import type { Emulator } from "../../src/emulator/types.js";
import type { Step } from "../../src/write/journal/journal.js";
import { connectedTo } from "../helpers/cli.js";
import { killedAt } from "../helpers/provisioning.js";
import { publicApi } from "../helpers/public-api.js";
import { setUpApply } from "../helpers/set-up-apply.js";

const isProof = process.env["PROOF"] !== undefined;
const seeds = Array.from({ length: isProof ? 100 : 1 }, (_, index) => index + 1);
type ApplySetup = Awaited<ReturnType<typeof setUpApply>>;
type Resource = Record<string, unknown> & { id: string };
type PlannedRequest = {
  op: string;
  path?: Record<string, unknown>;
  body?: Record<string, unknown>;
  [name: string]: unknown;
};

const resources = ["groups", "contacts", "glossary", "prompts"] as const;

async function stateOf(emulator: Emulator): Promise<string[]> {
  const ask = publicApi(emulator);
  const rows = async (resource: (typeof resources)[number]): Promise<Resource[]> =>
    (await ask("GET", `/${resource}?limit=200`)).body.data;
  const names = new Map((await rows("groups")).map(({ id, name, type }) => [id, `${type}/${name}`]));
  const state: string[] = [];
  for (const resource of resources) {
    for (const { id: _, created_at: __, updated_at: ___, group_id, ...fields } of await rows(resource))
      state.push(JSON.stringify([resource, names.get(String(group_id)) ?? null, fields]));
  }
  return state.sort();
}

function randomSteps(seed: number, { ids, group }: Pick<ApplySetup, "ids" | "group">): PlannedRequest[] {
  const draw = (below: number, ...names: (string | number)[]) =>
    Math.floor(seededDraw(seed, ...names) * below);
  const steps: PlannedRequest[] = [];
  const touched = new Map<string, string>();
  const created: { number: number; op: string; parameter: string }[] = [];
  const length = 8 + draw(8, "length");
  for (let index = 0; index < length; index += 1) {
    const id = ids[draw(ids.length, index, "thing")] ?? "";
    const isFree = touched.get(id) !== "deleted";
    const first = !touched.has(id);
    switch (draw(6, index, "kind")) {
      case 0:
        if (!isFree) break;
        steps.push({
          op: "contacts.update",
          path: { contact_id: id },
          body: { last_name: `Neu${index}` },
          ...(first ? { if: { fields: { last_name: "Weiß" } } } : {}),
        });
        touched.set(id, "changed");
        break;
      case 1:
        if (!isFree) break;
        steps.push({ op: "contacts.delete", path: { contact_id: id }, undo: "new-id" });
        touched.set(id, "deleted");
        break;
      case 2:
        steps.push({ op: "groups.create", body: { type: "glossaries", name: `G${index}` } });
        for (const term of ["a", "b"]) {
          const body = {
            group_id: { $ref: steps.length - (term === "a" ? 0 : 1) },
            term: `${term}${index}`,
            definition: "d",
          };
          steps.push({ op: "glossary.create", body });
        }
        created.push({ number: steps.length, op: "glossary.update", parameter: "glossary_id" });
        break;
      case 3: {
        const made = created[draw(created.length, index, "created")];
        if (made === undefined) break;
        const body = { definition: `d${index}` };
        steps.push({ op: made.op, path: { [made.parameter]: { $ref: made.number } }, body });
        break;
      }
      case 4:
        steps.push({ op: "prompts.create", body: { name: `P${index}`, kind: "answering", text: "Hallo" } });
        break;
      default:
        steps.push({
          op: "contacts.create",
          body: { group_id: group, first_name: `Neu${index}`, phone_numbers: [`+49301000${index}`] },
          if: { absent: { in: `contacts?group_id=${group}` } },
        });
    }
  }
  return steps;
}

async function sendByHand(emulator: Emulator, steps: readonly PlannedRequest[]): Promise<void> {
  const made: string[] = [];
  const filled = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    if ("$ref" in value) return made[Number(value.$ref) - 1];
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)]));
  };
  for (const { op, path = {}, body } of steps) {
    const [resource = "", verb = ""] = op.split(".");
    const id = Object.values(path).map(filled)[0];
    const method = verb === "create" ? "POST" : verb === "update" ? "PATCH" : "DELETE";
    const target = `/${resource}${id === undefined ? "" : `/${id}`}`;
    const response = await publicApi(emulator)(method, target, body === undefined ? undefined : filled(body));
    expect([op, response.status < 300]).toEqual([op, true]);
    made.push(method === "POST" ? String(response.body.data.id) : String(id));
  }
}

/** Simulates a kill: throws an exception at the nth journal step. */
const dyingAt = (emulator: Emulator, nth: number, steps: Step[] = []) => ({
  ...connectedTo(emulator),
  onJournalStep: (step: Step) => {
    steps.push(step);
    if (steps.length === nth) throw new Error(`killed at ${step}`);
  },
});

/** Kills start at the second journal step, because a simulated kill at the first one leaves the file open. */
const afterCreated = 2;
const apply = ["apply", "kunden.plan", "--yes", "-o", "json"];
const plenty = { limits: { write: 100_000, read: 100_000 } };

const sampledSteps: readonly Step[] = ["planned", "sent", "recorded"];

/** Returns the journal steps to kill at, counted from 1. */
function moments(steps: readonly Step[]): number[] {
  return steps
    .map((_, index) => index + 1)
    .filter((nth) => {
      if (nth < afterCreated) return false;
      const step = steps[nth - 1] ?? "created";
      const isFirst = steps.indexOf(step) === nth - 1;
      return isProof || (isFirst && sampledSteps.includes(step)) || nth === steps.length;
    });
}

describe.each([["in process", false] as const, ...(isProof ? [["over HTTP", true] as const] : [])])(
  "applying a random plan file, %s",
  (_, http) => {
    test.each(seeds)(
      "[P4] [A2] [A10] applying plan %i has the same effect as sending its requests one by one",
      async (seed) => {
        const setup = await setUpApply(6, { http, ...plenty });
        const { emulator, seal, run } = setup;
        const before = await stateOf(emulator);
        const steps = randomSteps(seed, setup);
        const fork = await emulator.fork();
        await sendByHand(fork, steps);
        seal(steps);
        const applied = await run(...apply);
        expect(applied.code, applied.stderr).toBe(0);
        const after = await stateOf(emulator);
        expect(after).toEqual(await stateOf(fork));
        await fork.close();
        const written = (await setup.writes()).length;
        expect((await run(...apply)).json).toMatchObject({ applied_before: true });
        expect((await setup.writes()).length).toBe(written);
        // Another machine has no journal, so only preconditions can refuse the plan there.
        const elsewhere = await setup.runWith(
          { env: { VOXCTL_DATA_DIR: `${setup.data}-elsewhere` } },
          ...apply,
        );
        const hasPreconditions = steps.some((step) => "if" in step);
        if (hasPreconditions) {
          expect(elsewhere.code).toBe(10);
          expect((await setup.writes()).length).toBe(written);
          const undone = await run("runs", "undo", applied.json.run_id, "--yes", "-o", "json");
          expect(undone.code, undone.stderr).toBe(0);
          expect(await stateOf(emulator)).toEqual(before);
        }
      },
    );
  },
);

describe("interrupting the apply of a random plan file", () => {
  test("[A6] after a kill at any step, `apply` can be repeated with the same result", async () => {
    const seed = 2;
    const setup = await setUpApply(6, plenty);
    const { emulator, seal, run, runWith } = setup;
    const before = await stateOf(emulator);
    const steps = randomSteps(seed, setup);
    const start = await emulator.snapshot("start");
    seal(steps);
    const seen: Step[] = [];
    const whole = await runWith({ overrides: dyingAt(emulator, 0, seen) }, ...apply);
    expect(whole.code, whole.stderr).toBe(0);
    const after = await stateOf(emulator);
    let nonce = 0;
    for (const nth of moments(seen)) {
      await emulator.restore(start);
      nonce += 1;
      seal(steps, { nonce: `nonce number ${nonce}` });
      const cut = await runWith({ overrides: dyingAt(emulator, nth) }, ...apply);
      const again = await run(...apply);
      expect([nth, cut.code === 0 || again.code === 0], again.stderr).toEqual([nth, true]);
      expect(await stateOf(emulator)).toEqual(after);
      const undoSteps: Step[] = [];
      // --include-matched is safe here, because no other user creates resources.
      const undo = ["runs", "undo", again.json.run_id, "--include-matched", "--yes", "-o", "json"];
      await runWith({ overrides: dyingAt(emulator, nth, undoSteps) }, ...undo);
      const undone = await run(...undo);
      expect([nth, undone.code], undone.stderr).toEqual([nth, 0]);
      expect(await stateOf(emulator)).toEqual(before);
    }
  });

  test("[A6] after a kill before or after any request, `apply` can be repeated safely", async () => {
    const setup = await setUpApply(4, plenty);
    const { emulator, seal, run, runWith } = setup;
    const steps = randomSteps(3, setup);
    const start = await emulator.snapshot("start");
    seal(steps);
    const requests = (await setup.requests()).length;
    expect((await run(...apply)).code).toBe(0);
    const count = (await setup.requests()).length - requests;
    const after = await stateOf(emulator);
    const every = isProof ? 1 : Math.ceil(count / 2);
    for (let request = 1; request <= count; request += every) {
      for (const effect of ["before", "after"] as const) {
        await emulator.restore(start);
        seal(steps, { nonce: `nonce ${request} ${effect}` });
        await runWith({ overrides: killedAt(emulator, request, effect) }, ...apply, "--outage", "1s");
        const again = await run(...apply);
        expect([request, effect, again.code], again.stderr).toEqual([request, effect, 0]);
        expect(await stateOf(emulator)).toEqual(after);
      }
    }
  });

  test.each(seeds)(
    "[A6] despite faults of any type, `apply` runs every step of plan %i at most once",
    async (seed) => {
      const setup = await setUpApply(6, plenty);
      const { emulator, seal, run, fault, noFaults } = setup;
      const steps = randomSteps(seed, setup);
      const fork = await emulator.fork();
      await sendByHand(fork, steps);
      const expected = await stateOf(fork);
      await fork.close();
      seal(steps);
      const faultTypes = ["drop_after", "drop_before", "error_after", "error_before"];
      for (const [index, operation] of [...new Set(steps.map(({ op }) => op))].entries()) {
        const faultType = faultTypes[Math.floor(seededDraw(seed, index, "fault") * faultTypes.length)];
        const skip = Math.floor(seededDraw(seed, index, "skip") * 3);
        await fault({
          operation,
          kind: faultType,
          skip,
          times: 1 + Math.floor(seededDraw(seed, index, "times") * 2),
        });
      }
      const ran = await run(...apply);
      await noFaults();
      expect([0, 75], ran.stderr).toContain(ran.code);
      if (ran.code === 0) expect(await stateOf(emulator)).toEqual(expected);
      const { steps: counts } = ran.json;
      expect(counts.done + counts.unknown + counts.blocked).toBe(steps.length);
    },
  );
});

describe("another client's change during an apply", () => {
  test("[A3] another client's change stops `apply` only if the change violates a precondition", async () => {
    const setup = await setUpApply(6, plenty);
    const { emulator, seal, ids, json, run, rename, create } = setup;
    const start = await emulator.snapshot("start");
    const [firstId = "", secondId = "", third = ""] = ids;
    const changes: [touches: boolean, change: () => Promise<unknown>][] = [
      [true, () => json("contacts", "update", firstId, "--last-name", "Anders")],
      [false, () => json("contacts", "update", firstId, "--first-name", "Anders")],
      [true, () => run("contacts", "delete", firstId, "--yes")],
      [true, () => json("contacts", "update", secondId, "--first-name", "Anders")],
      [false, () => json("contacts", "update", third, "--last-name", "Anders")],
      [true, () => json("contacts", "create", "--group", setup.group, "--first-name", "NEU ")],
      [false, () => json("contacts", "create", "--group", setup.group, "--first-name", "Neu2")],
    ];
    const [, contact] = setup.contacts;
    for (const [index, [touches, change]] of changes.entries()) {
      await emulator.restore(start);
      const { fingerprintOf } = await import("../../src/write/plan/canonical.js");
      const remove = {
        op: "contacts.delete",
        path: { contact_id: secondId },
        if: { same: fingerprintOf("contacts", contact) },
        undo: "new-id",
      };
      seal([rename(firstId), remove, create("Neu")], { nonce: `nonce number ${index}` });
      await change();
      expect([index, (await run(...apply)).code]).toEqual([index, touches ? 10 : 0]);
    }
  });

  test("[A4] `apply` skips outdated steps and their dependents until --retry is set", async () => {
    const setup = await setUpApply(2, plenty);
    const { emulator, seal, ids, runWith, run, rename, json } = setup;
    const [firstId = "", secondId = ""] = ids;
    seal([
      rename(firstId),
      { op: "contacts.update", path: { contact_id: firstId }, body: { first_name: "X" } },
      rename(secondId),
    ]);
    const overrides = {
      ...connectedTo(emulator),
      onJournalStep: (step: Step) => {
        if (step !== "planned") return;
        void emulator.fetch(`contacts/${firstId}`, {
          method: "PATCH",
          headers: {
            authorization: `Bearer ${emulator.startLine.keys.admin}`,
            "content-type": "application/json",
          },
          body: JSON.stringify({ last_name: "Anders" }),
        });
      },
    };
    const ran = await runWith({ overrides }, ...apply);
    expect([ran.code, ran.json.steps]).toEqual([
      68,
      { done: 1, drifted: 1, blocked: 1, rejected: 0, unknown: 0, skipped: 0 },
    ]);
    expect(await json("contacts", "get", firstId)).toMatchObject({ last_name: "Anders" });
    const repeated = await run(...apply);
    expect([repeated.code, repeated.json.applied_before]).toEqual([68, true]);
    await json("contacts", "update", firstId, "--last-name", "Weiß");
    const retried = await run(...apply, "--retry");
    expect([retried.code, retried.json.steps.done], retried.stderr).toEqual([0, 2]);
    expect(await json("contacts", "get", firstId)).toMatchObject({ first_name: "X", last_name: "Weiss" });
  });
});
