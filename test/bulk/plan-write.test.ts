import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.js";
import { ExactNumber } from "../../src/base/exact-json.js";
import { systemRandom } from "../../src/base/random.js";
import type { PlanStep } from "../../src/write/plan/format.js";
import { createStep, deleteStep, openPlan, updateStep, writePlan } from "../../src/write/plan/index.js";
import { temporaryFolder } from "../helpers/cli.js";
import { createFullDiskError, stopAtStep } from "../helpers/stop-at-step.js";

const contact = { id: "65f1", group_id: "65aa", first_name: "Eva", last_name: "Weiß", phone_numbers: [] };
const steps: readonly PlanStep[] = [
  createStep("groups", { type: "contacts", name: "Neu" }, { step: 1 }),
  createStep("contacts", { group_id: { $ref: 1 }, first_name: "Ada" }, { step: 2 }),
  createStep("contacts", { group_id: "65aa", first_name: "Ida" }, { step: 3, key: "4711", sent: "ab" }),
  updateStep("contacts", "65f1", { last_name: "Weiss" }, contact, { step: 4 }),
  deleteStep("contacts", "65f1", contact, { step: 5 }),
  updateStep("tools", "65f2", { secret: { $secret: "tools/crm" } }, { name: "crm" }, { step: 6 }),
];

const isWhole = process.env["PROOF"] !== undefined;

const facts = {
  made_at: "2026-11-22T08:27:10.000Z",
  made_by: "voxctl 0.1.0",
  command: ["contacts", "sync", "kunden.csv"],
  target: { base_url: "https://voice.example.com/api/v1", anchors: ["65aa"] },
};

async function sealed(
  name: string,
  {
    passphrase,
    force = false,
    folder = temporaryFolder(),
    entries = steps,
  }: { passphrase?: string; force?: boolean; folder?: string; entries?: Iterable<PlanStep> } = {},
) {
  const path = join(folder, name);
  const plan = await writePlan(
    path,
    { header: facts, steps: entries },
    {
      force,
      passphrase,
      temporaryFolder: folder,
      random: systemRandom(),
      waiting: { clock: systemClock(), signal: new AbortController().signal },
    },
  );
  return { folder, path, plan };
}

async function readSteps(path: string, passphrase?: string): Promise<unknown[]> {
  const steps: unknown[] = [];
  for await (const entry of (await openPlan(path, { passphrase })).entries())
    if (entry.type === "step") steps.push(entry.step);
  return steps;
}

describe("a plan file", () => {
  test.each(["kunden.plan", "kunden.plan.gz"])(
    "reading a plan file returns the content that was written: %s",
    async (name) => {
      const { path, plan } = await sealed(name);
      expect(await readSteps(path)).toEqual(steps);
      const { id, header } = await openPlan(path);
      expect(plan).toEqual({ id, steps: 6 });
      expect(header).toMatchObject({
        ...facts,
        estimate: { writes: 6, seconds: 0 },
        summary: {
          groups: { created: 1, updated: 0, deleted: 0 },
          contacts: { created: 2, updated: 1, deleted: 1 },
          tools: { created: 0, updated: 1, deleted: 0 },
        },
        secrets: { "tools/crm": ["tools.update.secret"] },
      });
      expect(statSync(path).mode & 0o777).toBe(0o600);
    },
  );

  test("a plan file keeps all digits of a number, even if a double can't represent it", async () => {
    const { path } = await sealed("exact.plan", {
      entries: [
        deleteStep(
          "contacts",
          "65f1",
          { ...contact, score: new ExactNumber("90071992547409931") },
          { step: 1 },
        ),
      ],
    });
    expect(readFileSync(path, "utf8")).toContain('"score":90071992547409931');
    expect(await readSteps(path)).toMatchObject([
      { before: { score: new ExactNumber("90071992547409931") } },
    ]);
  });

  test("a plan file has a unique ID, even if another plan has the same effect", async () => {
    const [first, second] = [await sealed("a.plan"), await sealed("a.plan")];
    expect(first.plan.id).not.toBe(second.plan.id);
  });

  interface Ending {
    how: string;
    name: string;
    passphrase?: string;
    error?: () => Error;
  }
  const endings: readonly Ending[] = [
    { how: "killed", name: "a.plan" },
    { how: "refused by the file system", name: "a.plan", error: createFullDiskError },
    ...(!isWhole
      ? []
      : [
          { how: "killed, packed", name: "a.plan.gz" },
          { how: "killed, encrypted", name: "a.plan", passphrase: "a passphrase" },
        ]),
  ];
  test.each(endings)(
    "[P7] after an interrupted write, a plan file is complete or missing: $how",
    async ({ name, passphrase, error }) => {
      for (const replaces of isWhole ? [false, true] : [error !== undefined]) {
        let after = 0;
        for (let came = true; came; after += 1) {
          const folder = temporaryFolder();
          const path = join(folder, name);
          if (replaces)
            await sealed(name, { folder, entries: steps.slice(0, 2), ...(passphrase && { passphrase }) });
          const before = replaces ? readFileSync(path) : undefined;
          const seal = () => sealed(name, { folder, force: replaces, ...(passphrase && { passphrase }) });
          came = await stopAtStep(folder, { after, ...(error && { error }) }, seal);
          const current = existsSync(path) ? readFileSync(path) : undefined;
          const isAsBefore = current === undefined ? before === undefined : before?.equals(current) === true;
          if (!isAsBefore) expect(await readSteps(path, passphrase)).toEqual(steps);
          if (error && isAsBefore)
            expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
          // The temporary file of a killed process is kept, because it could belong to a running process.
          const left = readdirSync(folder).filter(
            (fileName) => fileName.startsWith("a.") && fileName !== name,
          );
          expect(left.length).toBeLessThanOrEqual(error ? 0 : 1);
          await sealed(name, { folder, force: true, ...(passphrase && { passphrase }) });
          expect(await readSteps(path, passphrase)).toEqual(steps);
          expect(readdirSync(folder).filter((name) => name.startsWith("a."))).toEqual([name, ...left]);
        }
        // Two temporary files are created, written and closed, so there are more than ten operations.
        expect(after).toBeGreaterThan(10);
      }
    },
    300_000,
  );

  test("if writing a plan file fails at any line, no file is created or replaced", async () => {
    const folder = temporaryFolder();
    const { path } = await sealed("a.plan", { folder });
    const before = readFileSync(path);
    function* ending(line: number): Generator<PlanStep, void> {
      yield* steps.slice(0, line);
      throw new Error("the process ends here");
    }
    for (let line = 0; line <= steps.length; line += 1) {
      await expect(sealed("b.plan", { folder, entries: ending(line) })).rejects.toThrow("ends here");
      await expect(sealed("a.plan", { folder, force: true, entries: ending(line) })).rejects.toThrow(
        "ends here",
      );
      expect(readdirSync(folder)).toEqual(["a.plan"]);
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  test("writing a plan file replaces no file by default", async () => {
    const { folder, path } = await sealed("a.plan");
    await expect(sealed("a.plan", { folder })).rejects.toMatchObject({ code: "file_exists" });
    await sealed("a.plan", { folder, force: true });
    expect(await readSteps(path)).toEqual(steps);
  });

  test.each(isWhole ? ["kunden.plan", "kunden.plan.gz"] : ["kunden.plan.gz"])(
    "only an encrypted plan file requires a passphrase: %s",
    async (name) => {
      const { path } = await sealed(name, { passphrase: "korrekt Pferd" });
      expect(readFileSync(path, "latin1")).not.toContain("Ida");
      expect(await readSteps(path, "korrekt Pferd")).toEqual(steps);
      await expect(openPlan(path)).rejects.toMatchObject({ code: "plan_encrypted" });
      await expect(openPlan(path, { passphrase: "another" })).rejects.toMatchObject({ code: "plan_damaged" });
    },
  );

  test("a changed or truncated encrypted plan file is refused", async () => {
    const { path } = await sealed("a.plan", { passphrase: "korrekt Pferd" });
    const bytes = readFileSync(path);
    const isTaken = (content: Uint8Array) => {
      writeFileSync(path, content);
      return openPlan(path, { passphrase: "korrekt Pferd" }).then(
        () => true,
        (error: Error) => (error.name === "BulkError" ? false : Promise.reject(error)),
      );
    };
    const offsets = [20, 60, 100, 200, bytes.length - 20, bytes.length - 1];
    // Deriving a key is slow by design, so only `npm run proof` tests every offset.
    for (const [index, offset] of offsets.entries()) {
      const changed = Buffer.from(bytes);
      changed[offset] = (changed[offset] ?? 0) ^ 1;
      if (isWhole || index % 4 === 0) expect([offset, await isTaken(changed)]).toEqual([offset, false]);
      if (isWhole || index % 4 === 1)
        expect([offset, await isTaken(bytes.subarray(0, offset))]).toEqual([offset, false]);
    }
  });

  test("[P4] a step checks the values that it replaces, unless the plan creates the resource", () => {
    const [group, inNew, inOld, update, remove, secret] = steps;
    expect(group?.if).toEqual({ absent: { in: "groups?type=contacts", name: "Neu" } });
    expect(inNew?.if).toEqual({});
    expect(inOld?.if).toMatchObject({
      absent: { in: "contacts?group_id=65aa", count: 0 },
      exists: ["groups/65aa"],
    });
    expect(update?.if).toEqual({ fields: { last_name: "Weiß" } });
    expect(remove).toMatchObject({ if: { same: expect.stringMatching(/^[0-9a-f]{32}$/) }, undo: "new-id" });
    expect(secret).toMatchObject({ if: { fields: {} }, undo: "none" });
  });
});
