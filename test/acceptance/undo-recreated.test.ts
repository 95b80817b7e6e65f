import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { createPlan, readTree, toTree } from "../helpers/provisioning.js";
import { createPeople, formatCsv, setUpSync } from "../helpers/sync.js";
import { openSeededEmulator } from "../helpers/templates.js";

describe("`runs undo` of a run whose resources another undo recreated", () => {
  test("undo deletes imported contacts even if another undo recreated them with new IDs", async () => {
    const { run, write, contacts } = await setUpSync();
    write(formatCsv(createPeople(4)));
    const imported = await run(
      "contacts",
      "import",
      "kunden.csv",
      "--group",
      "Kunden",
      "--country",
      "DE",
      "-o",
      "json",
    );
    for (let time = 0; time < 2; time += 1) {
      await run("contacts", "delete", "--search", "Vor1", "--group", "Kunden", "--yes");
      const { json: runs } = await run("runs", "list", "-o", "json");
      expect((await run("runs", "undo", runs[0].id, "--yes")).code).toBe(0);
    }
    expect(await contacts()).toHaveLength(4);
    const undo = ["runs", "undo", imported.json.run_id, "-o", "json"];
    expect((await run(...undo, "--dry-run")).json).toMatchObject({ deleted: 4, gone: 0 });
    expect((await run(...undo, "--yes")).json).toMatchObject({ deleted: 4, gone: 0 });
    expect(await contacts()).toEqual([]);
  });

  test("undo keeps a recreated contact that was changed afterwards", async () => {
    const { run, write, contacts } = await setUpSync();
    write(formatCsv(createPeople(2)));
    const imported = await run(
      "contacts",
      "import",
      "kunden.csv",
      "--group",
      "Kunden",
      "--country",
      "DE",
      "-o",
      "json",
    );
    const deleted = await run(
      "contacts",
      "delete",
      "--search",
      "Vor1",
      "--group",
      "Kunden",
      "--yes",
      "-o",
      "json",
    );
    await run("runs", "undo", deleted.json.run_id, "--yes");
    const recreated = (await contacts()).find(({ first_name }) => first_name === "Vor1");
    await run("contacts", "update", String(recreated?.id), "--last-name", "Neu");
    const undone = await run("runs", "undo", imported.json.run_id, "--yes", "-o", "json");
    expect(undone.json).toMatchObject({ deleted: 1, changed_since: 1, gone: 0 });
    expect((await contacts()).map(({ last_name }) => last_name)).toEqual(["Neu"]);
  });

  test("undo deletes provisioned organizations that another undo recreated", async () => {
    const { run, provision, emulator } = await setUpOrganizations();
    const provisioned = await provision("--yes");
    const cascade = await run("orgs", "delete", "msp-0", "--cascade", "--yes", "-o", "json");
    expect((await run("runs", "undo", cascade.json.run_id, "--yes")).code).toBe(0);
    const undone = await run("runs", "undo", provisioned.json.run_id, "--yes", "-o", "json");
    expect(undone.json, undone.stderr).toMatchObject({ deleted: 3, gone: 0, changed_since: 0 });
    expect(await readTree(emulator)).toEqual([]);
  });

  test("undoing a prune gives the recreated customer its license back, as previewed", async () => {
    const { run, plan, provision, emulator } = await setUpOrganizations();
    await provision("--yes");
    const [msp] = plan.msps;
    Object.assign(msp?.licenses.at(-1) ?? {}, { status: "disabled" });
    await provision("--converge", "--yes");
    const before = await readTree(emulator);
    const customer = msp?.customers.pop();
    const pruned = await provision("--prune", "--converge", "--max-delete", "100%", "--yes");
    expect(pruned.json, pruned.stderr).toMatchObject({ deleted: 1 });
    const undo = ["runs", "undo", pruned.json.run_id, "-o", "json"];
    const counts = { restored: 2, recreated: 1, gone: 0, failed: 0 };
    expect((await run(...undo, "--dry-run")).json).toMatchObject(counts);
    const undone = await run(...undo, "--yes");
    expect([undone.code, undone.json], undone.stderr).toMatchObject([0, counts]);
    expect(await readTree(emulator)).toEqual(before);
    const { json } = await run("orgs", "get", String(customer?.external_id), "-o", "json");
    expect(json).toMatchObject({ status: "blocked", externalLicenseId: "seat-1" });
  });

  test("the preview of an undo shows why the API can't revert a change", async () => {
    const { run, plan, provision } = await setUpOrganizations();
    const [seat] = plan.msps[0]?.licenses ?? [];
    const product = seat?.product;
    Object.assign(seat ?? {}, { product: undefined });
    await provision("--yes");
    Object.assign(seat ?? {}, { product });
    const { json } = await provision("--converge", "--yes");
    const shown = await run("runs", "undo", json.run_id, "--dry-run");
    expect(shown.stderr).toContain("kept: the API can't remove a license's product");
  });

  test("[O3] --prune can delete an organization that an undo of a prune recreated", async () => {
    const { run, plan, provision, emulator } = await setUpOrganizations();
    await provision("--yes");
    const customer = plan.msps[0]?.customers.pop();
    const pruned = await provision("--prune", "--max-delete", "100%", "--yes");
    expect(pruned.json, pruned.stderr).toMatchObject({ deleted: 1 });
    expect((await run("runs", "undo", pruned.json.run_id, "--yes")).code).toBe(0);
    const shown = await provision("--prune", "--dry-run", "-o", "table");
    expect(shown.stdout).toContain(`- ${customer?.external_id} `);
    await provision("--prune", "--max-delete", "100%", "--yes");
    expect(await readTree(emulator)).toMatchObject(toTree(plan).map(({ customers }) => ({ customers })));
  });
});

async function setUpOrganizations() {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const plan = { name: "customers", ...createPlan({ msps: 1, licenses: 3, customers: 2 }) };
  const provision = (...argv: string[]) => {
    writeFileSync(join(shell.home, "plan.json"), JSON.stringify(plan));
    return shell.run("orgs", "provision", "plan.json", "-o", "json", ...argv);
  };
  return { ...shell, emulator, plan, provision };
}
