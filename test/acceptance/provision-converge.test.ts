import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { createPlan, readTree, toTree } from "../helpers/provisioning.js";
import { openSeededEmulator } from "../helpers/templates.js";

const startTime = "2026-03-02T09:00:00Z";

async function setUp() {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime });
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const provision = (plan: object, ...argv: string[]) => {
    writeFileSync(join(shell.home, "plan.json"), JSON.stringify(plan));
    return shell.run("orgs", "provision", "plan.json", "-o", "json", ...argv);
  };
  const sent = async () =>
    ((await emulator.control("GET", "/requests?limit=1000")) as { method: string }[]).filter(
      ({ method }) => method !== "GET",
    ).length;
  return { ...shell, emulator, provision, sent };
}

const converging = ["--converge", "--prune", "--max-delete", "100%", "--yes"];
const named = (counts: Parameters<typeof createPlan>[0]) => ({ name: "customers", ...createPlan(counts) });

describe("orgs provision --converge --prune", () => {
  test("[O2] --converge changes products, states and holders of licenses to match the spec", async () => {
    const { emulator, provision, sent } = await setUp();
    const plan = named({ msps: 1, licenses: 5, customers: 3 });
    await provision(plan, "--yes");
    const changed = structuredClone(plan);
    const [msp] = changed.msps;
    const [first, second, third] = msp?.customers ?? [];
    if (!msp || !first || !second || !third) throw new Error("the plan has three customers");
    [first.license, second.license] = [second.license, first.license];
    const [seat] = msp.licenses;
    if (seat) seat.product = "Premium";
    const plain = await provision(changed, "--dry-run", "-o", "table");
    expect(plain.code).toBe(10);
    expect(plain.stdout).toContain(
      "~ customer-0: has the license seat-0, expected seat-1 (use --converge to assign it)",
    );
    const shown = await provision(changed, ...converging, "--dry-run", "-o", "table");
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("> customer-0: reassign license seat-0 → seat-3");
    expect(shown.stdout).toContain("> license seat-0: product Seat → Premium");
    const ran = await provision(changed, ...converging);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.json).toMatchObject({ created: 0, existing: 5, changed: 3, deleted: 0, differing: 0 });
    const ended = ran.json.items.map(({ result, external_id }: Record<string, string>) => [
      result,
      external_id,
    ]);
    expect(ended.filter(([result]: string[]) => result !== "exists")).toEqual([
      ["changed", "seat-0"],
      ["changed", "customer-0"],
      ["changed", "customer-1"],
      ["changed_again", "customer-0"],
    ]);
    expect(await readTree(emulator)).toEqual(toTree(changed));
    const before = await sent();
    const again = await provision(changed, ...converging);
    expect(again.code).toBe(0);
    expect(await sent()).toBe(before);
  });

  test.each([
    ["with", converging],
    ["without", ["--yes"]],
  ])("`orgs provision` refuses a license that its MSP doesn't have, %s --converge", async (_, flags) => {
    const { provision, sent } = await setUp();
    const plan = named({ msps: 1, licenses: 2, customers: 1 });
    const first = await provision(plan, "--yes");
    expect(first.stderr).toContain(`To undo this run, run \`voxctl runs undo ${first.json.run_id}\`.`);
    const before = await sent();
    const [msp] = plan.msps;
    const [customer] = msp?.customers ?? [];
    if (!msp || !customer) throw new Error("the plan has a customer");
    customer.license = "seat-999";
    msp.license = { ...msp.license, id: "base-999" };
    const { code, stderr } = await provision(plan, ...flags);
    expect(code).toBe(2);
    const { details, hint } = JSON.parse(stderr).error;
    expect(details.map(({ message }: { message: string }) => message)).toEqual([
      "msp-0 already exists and has no license base-999",
      "msp-0 has no license seat-999, and the spec doesn't list it",
    ]);
    expect(hint).toBe("use its license base-0 in the spec");
    expect(await sent()).toBe(before);
  });

  test("`orgs provision` refuses an external ID of an organization with a different name", async () => {
    const { provision } = await setUp();
    const plan = named({ msps: 1, licenses: 1, customers: 0 });
    await provision(plan, "--yes");
    const [msp] = plan.msps;
    if (!msp) throw new Error("the plan has an MSP");
    Object.assign(msp, { name: "Another", license: { id: "another-base" } });
    const { code, stderr } = await provision(plan, "--dry-run");
    expect(code).toBe(2);
    const { message, hint } = JSON.parse(stderr).error;
    expect(message).toContain(
      'the external ID msp-0 belongs to an organization with a different name, "MSP 0"',
    );
    expect(hint).toContain("to create an organization, use an external ID that no organization has");
  });

  test("`orgs provision` explains that a customer of a different MSP can't be moved", async () => {
    const { provision } = await setUp();
    const plan = named({ msps: 2, licenses: 4, customers: 2 });
    await provision(plan, "--yes");
    const [first, second] = plan.msps;
    const [moved] = second?.customers.splice(0) ?? [];
    if (!first || !moved) throw new Error("each MSP has a customer");
    first.customers = [{ ...moved, name: "Other", license: first.licenses.at(-1)?.id ?? "" }];
    const { stdout } = await provision(plan, "--dry-run", "-o", "table");
    expect(stdout).toContain(
      "belongs to msp-1, not msp-0 (a customer can't be moved to another MSP: list this customer under msp-1, or, to create a new customer, use an external ID that no organization has)\n",
    );
  });

  test("`orgs provision` explains that an organization's type can't be changed", async () => {
    const { provision } = await setUp();
    const plan = named({ msps: 2, licenses: 4, customers: 2 });
    await provision(plan, "--yes");
    const other = plan.msps.pop()?.external_id ?? "";
    const [customer] = plan.msps[0]?.customers ?? [];
    if (!customer) throw new Error("the MSP has a customer");
    customer.external_id = other;
    const { stdout } = await provision(plan, "--dry-run", "-o", "table");
    expect(stdout).toMatch(
      /~ msp-1: is of type msp; .* \(types can't be changed: use an external ID that no organization has\)\n/,
    );
  });

  test("`runs undo --dry-run` shows no line number for an organization that isn't in the spec", async () => {
    const { provision, run } = await setUp();
    const plan = named({ msps: 1, licenses: 3, customers: 2 });
    await provision(plan, "--yes");
    plan.msps[0]?.customers.pop();
    const pruned = await provision(plan, ...converging);
    const { stderr } = await run("runs", "undo", pruned.json.run_id, "--dry-run", "-o", "table");
    expect(stderr).toMatch(/\n +customer-1 +will be recreated with a new ID\n/);
  });

  test("--converge warns before it blocks an organization", async () => {
    const { provision, run } = await setUp();
    const plan = named({ msps: 1, licenses: 3, customers: 1 });
    await provision(plan, "--yes");
    const [msp] = plan.msps;
    const license = msp?.licenses.find(({ id }) => id === msp.customers[0]?.license);
    if (!license) throw new Error("the customer has a license");
    Object.assign(license, { status: "disabled" });
    const shown = await provision(plan, "--converge", "--dry-run", "-o", "table");
    expect(shown.stdout).toContain(`${license.id}: assigned → disabled, which blocks the organization\n`);
    const { json } = await provision(plan, "--converge", "--yes");
    const { stderr } = await run("runs", "undo", json.run_id, "--dry-run", "-o", "table");
    expect(stderr).toMatch(new RegExp(`${license.id} +will be restored: status available\\n`));
  });

  test("[O3] --prune deletes omitted customers and MSPs if an earlier run created them", async () => {
    const { emulator, provision, run, sent } = await setUp();
    const plan = named({ msps: 2, licenses: 8, customers: 4 });
    await provision(plan, "--yes");
    const command = "orgs create --type msp --name E --external-id e --license elsewhere";
    await run(...command.split(" "));
    await run("licenses", "upsert", "msp-0", "theirs");
    const shrunk = structuredClone(plan);
    shrunk.msps = shrunk.msps.slice(0, 1);
    const [msp] = shrunk.msps;
    if (!msp) throw new Error("the plan has an MSP");
    const gone = msp.customers.pop();
    msp.licenses = msp.licenses.filter(({ id }) => id !== gone?.license);
    const shown = await provision(shrunk, ...converging, "--dry-run", "-o", "table");
    expect(shown.stdout.split("\n")).toEqual(
      expect.arrayContaining([
        `  - ${gone?.external_id} "Customer 2", active, license ${gone?.license}`,
        '- msp-1 "MSP 1", active, license base-1',
        `  > license ${gone?.license}: assigned → disabled`,
        "  ? 1 license not in the spec: theirs",
        "? 1 MSP not in the spec: e",
      ]),
    );
    const ran = await provision(shrunk, ...converging);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.json).toMatchObject({ deleted: 4, changed: 1, left: 0 });
    const expected = toTree(shrunk);
    expected[0]?.licenses.push({ id: gone?.license ?? "", product: "Seat", status: "disabled" });
    expected[0]?.licenses.sort((left, two) => (left.id < two.id ? -1 : 1));
    const tree = (await readTree(emulator)) as typeof expected;
    expect(tree.map(({ externalId }) => externalId)).toEqual(["msp-0", "e"]);
    const licenses = tree[0]?.licenses.filter(({ id }) => id !== "theirs");
    expect(licenses?.toSorted((left, two) => (left.id < two.id ? -1 : 1))).toEqual(expected[0]?.licenses);
    const before = await sent();
    expect((await provision(shrunk, ...converging)).code).toBe(0);
    expect(await sent()).toBe(before);
    const back = await provision(plan, ...converging);
    expect(back.code, back.stderr).toBe(0);
    expect(
      ((await readTree(emulator)) as { externalId: string }[]).map(({ externalId }) => externalId),
    ).toEqual(["msp-0", "e", "msp-1"]);
  });

  test("[O3] --prune keeps and lists an organization that contains other users' resources", async () => {
    const { emulator, provision, run, sent } = await setUp();
    const plan = named({ msps: 2, licenses: 6, customers: 2 });
    await provision(plan, "--yes");
    const create = (externalId: string, msp: string, license: string) =>
      run(
        ...["orgs", "create", "--type", "customer", "--name", externalId, "--external-id", externalId],
        ...["--parent", msp, "--license", license],
      );
    expect((await create("theirs-0", "msp-0", "seat-2")).code).toBe(0);
    expect((await create("theirs-1", "msp-1", "seat-3")).code).toBe(0);
    const shrunk = structuredClone(plan);
    shrunk.msps = shrunk.msps.slice(0, 1);
    const [msp] = shrunk.msps;
    if (msp) msp.licenses = msp.licenses.filter(({ id }) => id !== "seat-2");
    const ran = await provision(shrunk, ...converging);
    expect(ran.code).toBe(10);
    expect(ran.json).toMatchObject({ deleted: 1, changed: 1, left: 2 });
    // The kept MSP's licenses that no organization holds are disabled.
    const { json: licenses } = await run("licenses", "list", "msp-1");
    expect(licenses.map(({ externalLicenseId: id, status }: Record<string, string>) => [id, status])).toEqual(
      [
        ["base-1", "assigned"],
        ["seat-1", "disabled"],
        ["seat-3", "assigned"],
      ],
    );
    expect(ran.stderr).toContain("has customers that will be kept: theirs-1");
    expect(ran.stderr).toContain("is held by theirs-0 and will not be disabled");
    const before = await sent();
    const again = await provision(shrunk, ...converging);
    expect([again.code, await sent()]).toEqual([10, before]);
    // `--prune=adopted` also deletes theirs-0. It keeps theirs-1, because the spec doesn't contain its MSP.
    const adopted = await provision(
      shrunk,
      ...converging.filter((flag) => flag !== "--prune"),
      "--prune=adopted",
    );
    expect(adopted.code).toBe(10);
    expect(adopted.json).toMatchObject({ deleted: 1, changed: 1, left: 1 });
    const tree = (await readTree(emulator)) as { externalId: string; customers: { externalId: string }[] }[];
    expect(
      tree.map(({ externalId, customers }) => [externalId, customers.map((customer) => customer.externalId)]),
    ).toEqual([
      ["msp-0", ["customer-0"]],
      ["msp-1", ["theirs-1"]],
    ]);
  });

  test("[O3] --prune requires a spec with a name and respects --max-delete", async () => {
    const { provision, sent } = await setUp();
    const plan = named({ msps: 1, licenses: 8, customers: 7 });
    await provision(plan, "--yes");
    const before = await sent();
    const nameless = await provision({ msps: plan.msps }, "--prune", "--yes");
    expect(nameless.code).toBe(2);
    expect(nameless.stderr).toContain("--prune requires a spec with a name, but plan.json has none");
    const shrunk = structuredClone(plan);
    shrunk.msps[0]?.customers.splice(1);
    const refused = await provision(shrunk, "--prune", "--yes");
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain(
      "6 of 8 affected organizations would be deleted, but --max-delete allows 1",
    );
    expect(refused.stderr).toContain("--max-delete 6");
    const [renamedPlan] = [{ ...shrunk, name: "others" }];
    const unknown = await provision(renamedPlan, "--prune", "--yes");
    expect(unknown.json).toMatchObject({ deleted: 0 });
    expect(await sent()).toBe(before);
  });

  test("[O3] --prune shows a user the name, status and license of each organization to delete", async () => {
    const { emulator, provision, runWith } = await setUp();
    const plan = named({ msps: 1, licenses: 3, customers: 2 });
    await provision(plan, "--yes");
    plan.msps[0]?.customers.pop();
    const overrides = { ...connectedTo(emulator), prompts: scriptPrompts(false) };
    await provision(plan, "--dry-run");
    const declined = await runWith({ overrides }, "orgs", "provision", "plan.json", "--prune");
    expect(declined.code).toBe(12);
    expect(overrides.prompts.messages).toEqual([
      'Delete 1 customer with their contents: customer-1 "Customer 1", active, license seat-1? Usage and billing may no longer include the calls of deleted organizations.',
    ]);
  });
});
