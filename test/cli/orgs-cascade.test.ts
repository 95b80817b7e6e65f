import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { readLog } from "../helpers/log.js";
import { readTree } from "../helpers/provisioning.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** The demo's distributor: the MSP havel-it has three customers. */
async function setUpDistributor() {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
  onTestFinished(() => emulator.close());
  const { run, ...shell } = commandLine({
    overrides: connectedTo(emulator),
    env: { VOXCTL_PROFILE: "offline" },
  });
  const listIds = async (): Promise<string[]> =>
    (await run("orgs", "list", "--all", "-o", "json")).json
      .map((row: { externalOrganizationId: string }) => row.externalOrganizationId)
      .sort();
  /** Returns organizations with their licenses and status, and the licenses of all MSPs with their states. */
  const readStates = async () => ({
    organizations: (await run("orgs", "list", "--all", "-o", "json")).json
      .map((row: Record<string, string>) =>
        [row["externalOrganizationId"], row["externalLicenseId"], row["status"]].join(" "),
      )
      .sort(),
    licenses: Object.values(Object(await readTree(emulator)))
      .flatMap((msp) => Object(msp).licenses.map((license: object) => JSON.stringify(license)))
      .sort(),
  });
  const countWrites = async () => (await readLog(emulator)).filter(({ method }) => method !== "GET").length;
  return { ...shell, run, emulator, listIds, readStates, countWrites };
}

const deleted = ["blumen-petersen", "havel-it", "physio-kanal", "praxis-sommer"];
const cascade = ["orgs", "delete", "havel-it", "--cascade"];

describe("orgs delete --cascade", () => {
  test("`orgs delete --cascade` asks once, then deletes the customers, the licenses and the MSP", async () => {
    const { run, listIds, countWrites } = await setUpDistributor();
    const before = await listIds();
    expect((await run("orgs", "delete", "havel-it", "--yes")).stderr).toContain("--cascade");
    const tried = await countWrites();
    const refused = await run(...cascade);
    expect([refused.code, await countWrites()]).toEqual([12, tried]);
    const { code, json, stderr } = await run(...cascade, "--yes", "-o", "json");
    expect([code, json], stderr).toMatchObject([0, { deleted: 4, not_deleted: 0 }]);
    expect(await listIds()).toEqual(before.filter((id) => !deleted.includes(id)));
  });

  test("`orgs delete --cascade --dry-run` prints the requests, with the MSP's request last", async () => {
    const { run, countWrites } = await setUpDistributor();
    const { json } = await run("orgs", "list", "--search", "havel", "-o", "json");
    const dry = await run(...cascade, "--dry-run", "-o", "json");
    expect([dry.code, dry.json.length]).toEqual([0, 4]);
    expect(dry.json.at(-1)).toEqual({ method: "DELETE", path: `/organizations/${json[0].id}` });
    expect(await countWrites()).toBe(0);
  });

  test("`runs undo` recreates the deleted organizations with new IDs", async () => {
    const { run, listIds } = await setUpDistributor();
    const before = await listIds();
    const { json } = await run(...cascade, "--yes", "-o", "json");
    const undone = await run("runs", "undo", json.run_id, "--yes");
    expect(undone.code, undone.stderr).toBe(0);
    expect(await listIds()).toEqual(before);
  });

  test("`runs undo` disables licenses and blocks their holders again", async () => {
    const { run, readStates } = await setUpDistributor();
    const { json } = await run("orgs", "get", "praxis-sommer", "-o", "json");
    const disable = ["licenses", "disable", "havel-it", json.externalLicenseId, "--yes"];
    expect((await run(...disable)).code).toBe(0);
    const before = await readStates();
    expect(before.organizations).toContain("praxis-sommer havel-001 blocked");
    const deleted = await run(...cascade, "--yes", "-o", "json");
    const undone = await run("runs", "undo", deleted.json.run_id, "--yes");
    expect([undone.code, await readStates()], undone.stderr).toEqual([0, before]);
  });

  test("`runs undo` reports a customer that can't be blocked again", async () => {
    const { run, emulator } = await setUpDistributor();
    const { json } = await run("orgs", "get", "praxis-sommer", "-o", "json");
    await emulator.control("PATCH", `/organizations/${json.id}`, { status: "blocked" });
    const deleted = await run(...cascade, "--yes", "-o", "json");
    const undone = await run("runs", "undo", deleted.json.run_id, "--yes");
    expect(undone.code, undone.stderr).toBe(68);
    expect(undone.stderr).toContain("1 change could not be undone");
  });

  test("--cascade refuses a customer, and --ignore-not-found accepts a missing MSP", async () => {
    const { run } = await setUpDistributor();
    expect((await run("orgs", "delete", "praxis-sommer", "--cascade", "--yes")).code).toBe(2);
    const missing = ["orgs", "delete", "nobody", "--cascade", "--yes"];
    expect((await run(...missing)).code).toBe(4);
    expect((await run(...missing, "--ignore-not-found")).code).toBe(0);
  });
});
