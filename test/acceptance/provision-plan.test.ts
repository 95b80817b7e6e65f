import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { createPlan, readTree, toTree } from "../helpers/provisioning.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function setUp() {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const provision = (plan: object, ...argv: string[]) => {
    writeFileSync(join(shell.home, "plan.json"), JSON.stringify(plan));
    return shell.run("orgs", "provision", "plan.json", "-o", "json", ...argv);
  };
  const seal = (plan: object, ...argv: string[]) =>
    provision(plan, "--plan", "change.plan", "--force", ...argv);
  const apply = (...argv: string[]) => shell.run("apply", "change.plan", "--yes", "-o", "json", ...argv);
  const sent = async () =>
    ((await emulator.control("GET", "/requests?limit=1000")) as { method: string; path: string }[])
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{24}/, "ID")}`);
  return { ...shell, emulator, provision, seal, apply, sent };
}

const converging = ["--converge", "--prune", "--max-delete", "100%"];
const named = (counts: Parameters<typeof createPlan>[0]) => ({ name: "customers", ...createPlan(counts) });
function twoVersions() {
  const former = named({ msps: 2, licenses: 8, customers: 4 });
  const latter = structuredClone(former);
  latter.msps = latter.msps.slice(0, 1);
  const [msp] = latter.msps;
  if (!msp) throw new Error("the plan has an MSP");
  const [first] = msp.customers;
  const [seat] = msp.licenses;
  if (!first || !seat) throw new Error("the MSP has a customer and a license");
  msp.customers.pop();
  first.license = "seat-4";
  seat.product = "Premium";
  msp.licenses.push({ id: "seat-9", product: "Seat" });
  msp.customers.push({ external_id: "customer-9", name: "Customer 9", license: "seat-9" });
  return { former, latter };
}

function rotated(plan: ReturnType<typeof named>): typeof plan {
  const latter = structuredClone(plan);
  for (const { customers } of latter.msps) {
    const licenses = customers.map(({ license }) => license);
    for (const [index, customer] of customers.entries())
      customer.license = licenses[(index + 1) % licenses.length] ?? "";
  }
  return latter;
}

describe("orgs provision --plan", () => {
  test("the preview, plan and results count reassigned licenses", async () => {
    const { emulator, provision, seal, run } = await setUp();
    const former = named({ msps: 1, licenses: 3, customers: 1 });
    const latter = structuredClone(former);
    const [customer] = latter.msps[0]?.customers ?? [];
    if (!customer) throw new Error("the MSP has a customer");
    customer.license = "seat-1";
    await provision(former, "--yes");
    const preview = await provision(latter, "--converge", "--dry-run", "-o", "table");
    expect(preview.stdout).toContain("> customer-0: reassign license seat-0 → seat-1");
    expect(preview.stderr).toContain("; to reassign: license of 1 organization");
    const ran = await provision(latter, "--converge", "--yes", "-o", "table");
    expect(ran.stdout).toMatch(/^Created 0, updated 0, reassigned the license of 1 organization, deleted 0/);
    await seal(former, "--converge");
    const applied = await run("apply", "change.plan", "--yes", "-o", "table");
    expect(applied.stderr).toContain("will reassign the license of 1 organization in");
    expect(applied.stdout).toMatch(/^Reassigned the license of 1 organization: applied 1 of 1 step in/);
    await emulator.close();
  });

  test("[P1] [P2] [P4] a plan has one step per request, with references and preconditions", async () => {
    const { emulator, home, seal, sent, run } = await setUp();
    const plan = named({ msps: 1, licenses: 3, customers: 1 });
    const sealed = await seal(plan);
    expect(sealed.code, sealed.stderr).toBe(0);
    expect(sealed.json).toMatchObject({ plan: "change.plan", steps: 3 });
    expect(await sent()).toEqual([]);
    expect(statSync(join(home, "change.plan")).mode & 0o777).toBe(0o600);
    const [header, ...lines] = readFileSync(join(home, "change.plan"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(header).toMatchObject({
      plan: 1,
      command: ["orgs", "provision", "plan.json"],
      target: { surface: "distributor-v2" },
      provision: { name: "customers" },
      summary: { orgs: { created: 2 }, licenses: { created: 2 } },
    });
    expect(lines.slice(0, 3)).toEqual([
      {
        step: 1,
        op: "orgs.create",
        body: {
          type: "msp",
          name: "MSP 0",
          externalOrganizationId: "msp-0",
          license: { externalLicenseId: "base-0", product: "MSP" },
        },
        if: { absent: { in: "orgs", name: "msp-0" }, fields: { "base-0": null } },
        undo: "full",
      },
      {
        step: 2,
        op: "licenses.upsert",
        path: { organizationId: { $ref: 1 } },
        body: {
          licenses: [
            { externalLicenseId: "seat-0", product: "Seat" },
            { externalLicenseId: "seat-1", product: "Seat" },
          ],
        },
        if: { fields: { "seat-0": null, "seat-1": null } },
        before: { externalOrganizationId: "msp-0", licenses: { "seat-0": null, "seat-1": null } },
        undo: "full",
      },
      {
        step: 3,
        op: "orgs.create",
        body: {
          type: "customer",
          name: "Customer 0",
          parentOrganizationId: { $ref: 1 },
          externalOrganizationId: "customer-0",
          externalLicenseId: "seat-0",
        },
        needs: [2],
        if: { absent: { in: "orgs", name: "customer-0" } },
        undo: "full",
      },
    ]);
    const shown = await run("plan", "show", "change.plan", "--format", "text");
    expect(shown.stdout).toContain("create 2 licenses; create 2 organizations");
    expect(shown.stdout).toContain("+ customer-0, Customer 0 (step 3)");
    expect(shown.stdout).toContain('+ license seat-1, product "Seat"');
    await emulator.close();
  });

  test("[A2] [A3] [A10] [O2] [O3] a plan file from --converge --prune is applied only once", async () => {
    const { emulator, provision, seal, apply, run, sent } = await setUp();
    const { former, latter } = twoVersions();
    expect((await provision(former, "--yes")).code).toBe(0);
    const before = await sent();
    const sealed = await seal(latter, ...converging);
    expect(sealed.code, sealed.stderr).toBe(0);
    expect(sealed.stderr).toContain("To apply it, run `voxctl apply change.plan --allow orgs:delete`");
    const checked = await run("plan", "check", "change.plan");
    expect(checked.code, checked.stderr).toBe(0);
    expect(await sent()).toEqual(before);
    const unallowed = await apply();
    expect(unallowed.code).toBe(12);
    expect(unallowed.stderr).toContain("--allow orgs:delete");
    const applied = await apply("--allow", "orgs:delete");
    expect(applied.code, applied.stderr).toBe(0);
    expect(applied.json).toMatchObject({ created: 2, deleted: 4, steps: { done: sealed.json.steps } });
    const after = await sent();
    expect(after.length - before.length).toBe(sealed.json.steps);
    const again = await apply("--allow", "orgs:delete");
    expect([again.code, again.json.applied_before]).toEqual([0, true]);
    expect((await provision(latter, ...converging, "--yes")).json).toMatchObject({
      created: 0,
      changed: 0,
      deleted: 0,
    });
    expect(await sent()).toEqual(after);
    const elsewhere = await run("plan", "check", "change.plan");
    expect(elsewhere.code).toBe(10);
    const undone = await run("runs", "undo", applied.json.run_id, "--yes", "-o", "json");
    // The API can't remove a license's product, so the undo keeps it.
    expect([undone.code, undone.json.kept, undone.json.failed], undone.stderr).toEqual([68, 1, 0]);
    const tree = (await readTree(emulator)) as ReturnType<typeof toTree>;
    const byId = (left: { externalId: string }, right: typeof left) =>
      left.externalId < right.externalId ? -1 : 1;
    const shape = (msps: ReturnType<typeof toTree>) =>
      msps.toSorted(byId).map(({ externalId, license, customers }) => ({
        externalId,
        license,
        customers: customers.toSorted(byId),
      }));
    expect(shape(tree)).toEqual(shape(toTree(former)));
    await emulator.close();
  });

  test("[A1] [A3] `apply` refuses a plan with a changed dependency unless --skip-drifted is set", async () => {
    const { emulator, provision, seal, apply, run, sent } = await setUp();
    const { former, latter } = twoVersions();
    expect((await provision(former, "--yes")).code).toBe(0);
    const { steps } = (await seal(latter, ...converging)).json;
    // No step of the plan depends on this license.
    await run("licenses", "upsert", "msp-0", "theirs");
    expect((await run("plan", "check", "change.plan")).code).toBe(0);
    const changes: [change: string[], found: string][] = [
      [
        ["licenses", "upsert", "msp-0", "seat-0", "--product", "Other"],
        'licenses/seat-0: product: expected "Seat", found "Other"',
      ],
      [["licenses", "reassign", "customer-0", "theirs"], ': license: expected "seat-0", found "theirs"'],
      [
        "orgs create --type customer --name C --external-id customer-9 --parent msp-0 --license seat-0".split(
          " ",
        ),
        ": already exists",
      ],
      [
        ["licenses", "upsert", "msp-1", "added"],
        ": its licenses were changed after they were read for the plan",
      ],
    ];
    const before = (await sent()).length;
    for (const [index, [change, expectedMessage]] of changes.entries()) {
      expect((await run(...change)).code, change.join(" ")).toBe(0);
      const refused = await apply("--allow", "orgs:delete");
      expect(refused.code, change.join(" ")).toBe(10);
      expect(refused.stderr).toContain(expectedMessage);
      expect(await sent()).toHaveLength(before + index + 1);
    }
    const applied = await apply("--allow", "orgs:delete", "--skip-drifted");
    expect(applied.code).toBe(68);
    const { done, skipped, rejected, blocked, unknown } = applied.json.steps;
    expect({ rejected, blocked, unknown }).toEqual({ rejected: 0, blocked: 0, unknown: 0 });
    expect(done + skipped).toBe(steps);
    expect(skipped).toBeGreaterThanOrEqual(4);
    const tree = (await readTree(emulator)) as ReturnType<typeof toTree>;
    expect(tree.map(({ externalId }) => externalId)).toContain("msp-1");
    await emulator.close();
  });

  test("the prompt of `apply --skip-drifted` includes later changes of an MSP's other licenses", async () => {
    const { emulator, provision, seal, run, runWith } = await setUp();
    const former = named({ msps: 1, licenses: 4, customers: 1 });
    const latter = structuredClone(former);
    const [, changed, disabled] = latter.msps[0]?.licenses ?? [];
    if (!changed || !disabled) throw new Error("the MSP has licenses");
    changed.product = "Premium";
    Object.assign(disabled, { status: "disabled" });
    await provision(former, "--yes");
    expect((await seal(latter, "--converge")).json.steps).toBe(2);
    await run("licenses", "upsert", "msp-0", changed.id, "--product", "Other");
    const prompts = scriptPrompts(true);
    const overrides = { ...connectedTo(emulator), prompts };
    const applied = await runWith({ overrides }, "apply", "change.plan", "--skip-drifted", "-o", "json");
    expect(prompts.messages).toEqual([
      expect.stringContaining("It will update 1 license; 1 outdated step will be skipped"),
    ]);
    expect(applied.json).toMatchObject({ updated: 1, steps: { done: 1, skipped: 1 } });
    await emulator.close();
  });

  test("[A1] [A2a] `apply` refuses another distributor's plan and invalid steps before any request", async () => {
    const { emulator, home, seal, apply, provision, run, sent } = await setUp();
    await provision(named({ msps: 1, licenses: 2, customers: 0 }), "--yes");
    const plan = named({ msps: 1, licenses: 2, customers: 1 });
    await seal(plan);
    const before = await sent();
    const path = join(home, "change.plan");
    const edit = async (change: (text: string) => string) => {
      const lines = readFileSync(path, "utf8").trim().split("\n").slice(0, -1);
      const text = `${change(lines.join("\n"))}\n`;
      const end = { end: lines.length - 1, sha256: createHash("sha256").update(text).digest("hex") };
      writeFileSync(join(home, "edited.plan"), `${text}${JSON.stringify(end)}\n`);
      return run("apply", "edited.plan", "--yes");
    };
    const edited = await edit((text) => text.replace(/"anchors":\["\w+"/, '"anchors":["0123"'));
    expect([edited.code, edited.stderr]).toEqual([12, expect.stringContaining("is for another distributor")]);
    const strange = await edit((text) => text.replace('"op":"orgs.create"', '"op":"contacts.create"'));
    expect([strange.code, strange.stderr]).toEqual([
      2,
      expect.stringContaining("which plan files for organizations don't support"),
    ]);
    const unread = await edit((text) => text.replace('"type":"customer"', '"type":"customer","plan":"gold"'));
    expect([unread.code, unread.stderr]).toEqual([2, expect.stringContaining("step 1 of plan")]);
    expect(await sent()).toEqual(before);
    expect((await apply()).code).toBe(0);
    await emulator.close();
  });

  test("`plan show` lists changes to organizations in the order of the plan's steps", async () => {
    const { provision, seal, run } = await setUp();
    const former = named({ msps: 1, licenses: 5, customers: 3 });
    await provision(former, "--yes");
    await seal(rotated(former), "--converge");
    const shown = await run("plan", "show", "change.plan", "-o", "table");
    const changed = [...shown.stdout.matchAll(/^ {2}~ (customer-\d)/gm)].map(([, name]) => name);
    expect(changed).toEqual(["customer-0", "customer-2", "customer-1", "customer-0"]);
  });

  test("if customers swap licenses, every summary counts each change once", async () => {
    const { provision, seal, run } = await setUp();
    const former = named({ msps: 1, licenses: 5, customers: 3 });
    const latter = rotated(former);
    for (const { licenses } of latter.msps)
      for (const license of licenses.slice(3)) Object.assign(license, { product: "Old", status: "disabled" });
    await provision(former, "--yes");
    const preview = await provision(latter, "--converge", "--dry-run", "-o", "table");
    expect(preview.stderr).toContain(
      "unchanged: 1 MSP, 3 licenses; to update: 1 license; to reassign: licenses of 3 organizations",
    );
    await seal(latter, "--converge");
    const shown = await run("plan", "show", "change.plan", "-o", "table");
    expect(shown.stdout).toContain("will update 1 license and reassign the licenses of 3 organizations\n");
    const applied = await run("apply", "change.plan", "--yes", "-o", "table");
    expect(applied.stdout).toMatch(
      /^Updated 1, reassigned the licenses of 3 organizations: applied 6 of 6 steps/,
    );
    const back = await provision(former, "--converge", "--yes", "-o", "table");
    expect(back.stderr).toContain("> license seat-3: disabled → available\n");
    expect(back.stdout).toMatch(
      /^Created 0, updated 1, reassigned the licenses of 3 organizations, deleted 0, unchanged 4 in/,
    );
  });
});
