import { describe, expect, onTestFinished, test } from "vitest";
import type { Emulator } from "../../src/emulator/types.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { wrapTransport } from "../helpers/import.js";
import { readLog } from "../helpers/log.js";
import { readTree } from "../helpers/provisioning.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** Opens the demo data, in which the MSP havel-it has three customers. */
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

function killedAtDelete(emulator: Emulator, nth: number, effect: "before" | "after") {
  let deletes = 0;
  return wrapTransport(emulator, (transport) => async (url, request) => {
    if (request.method === "DELETE") deletes += 1;
    if (deletes < nth) return transport(url, request);
    if (request.method === "DELETE" && deletes === nth && effect === "after") await transport(url, request);
    throw new Error("killed");
  });
}

const deleted = ["blumen-petersen", "havel-it", "physio-kanal", "praxis-sommer"];
const cascade = ["orgs", "delete", "havel-it", "--cascade"];

describe("orgs delete --cascade", () => {
  test("`orgs delete --cascade` deletes an MSP with its customers and licenses", async () => {
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

  test("`orgs delete --cascade --dry-run` prints the requests in order", async () => {
    const { run, countWrites } = await setUpDistributor();
    const { json } = await run("orgs", "list", "--search", "havel", "-o", "json");
    const dry = await run(...cascade, "--dry-run", "-o", "json");
    expect([dry.code, dry.json.length]).toEqual([0, 4]);
    expect(dry.json.at(-1)).toMatchObject({
      method: "DELETE",
      path: `/organizations/${json[0].id}`,
      external_id: "havel-it",
    });
    expect(await countWrites()).toBe(0);
  });

  test("`orgs delete --cascade --dry-run` lists the organizations to delete", async () => {
    const { run } = await setUpDistributor();
    const dry = await run(...cascade, "--dry-run", "-o", "table");
    expect(dry.stdout).toMatch(/^- havel-it ".+", active, license \S+$/m);
    expect(dry.stdout).toMatch(/^ {2}- praxis-sommer ".+", active, license havel-001$/m);
    expect(dry.stdout).toMatch(/^Will delete MSP havel-it ".+" with 3 customers and \d+ licenses\.$/m);
    expect(dry.stdout).not.toContain("DELETE");
  });

  test("a cascade can be resumed after a kill at any delete", async () => {
    for (const effect of ["before", "after"] as const) {
      for (let nth = 1; nth <= deleted.length; nth += 1) {
        const { run, runWith, emulator, readStates } = await setUpDistributor();
        const before = await readStates();
        const overrides = killedAtDelete(emulator, nth, effect);
        expect((await runWith({ overrides }, ...cascade, "--yes")).code).not.toBe(0);
        const again = await run(...cascade, "--yes", "-o", "json");
        expect([again.code, again.json], again.stderr).toMatchObject([0, { deleted: 4, not_deleted: 0 }]);
        expect(again.stderr).not.toContain("warning");
        const runs = (await run("runs", "list", "-o", "json")).json;
        expect(runs).toMatchObject([{ id: again.json.run_id, state: "finished" }]);
        const undone = await run("runs", "undo", again.json.run_id, "--yes");
        expect([undone.code, await readStates()], undone.stderr).toEqual([0, before]);
      }
    }
  });

  test("cascades for two MSPs have different run IDs", async () => {
    const { run } = await setUpDistributor();
    const ids = [];
    for (const msp of ["havel-it", "nordlicht"])
      ids.push((await run("orgs", "delete", msp, "--cascade", "--yes", "-o", "json")).json.run_id);
    expect(ids.map((id) => id.length)).toEqual([12, 12]);
    expect(new Set(ids).size).toBe(2);
  });

  test("a warning says that undo can't recreate an MSP without a license", async () => {
    const { run } = await setUpDistributor();
    await run("partners", "create", "--external-id", "alt", "--name", "Alt");
    await run("customers", "create", "--partner", "alt", "--external-id", "alt-1", "--name", "Alt 1");
    const alt = ["orgs", "delete", "alt", "--cascade"];
    const sentence = "warning: the MSP has no license, so neither it nor its customers can be recreated";
    expect((await run(...alt, "--dry-run", "-o", "table")).stderr).toContain(sentence);
    expect((await run(...alt)).stderr).toContain(sentence);
    const deletedAlt = await run(...alt, "--yes", "-o", "json");
    expect([deletedAlt.code, deletedAlt.json.deleted], deletedAlt.stderr).toEqual([0, 2]);
    expect(deletedAlt.stderr).not.toContain("runs undo");
    const undone = await run("runs", "undo", deletedAlt.json.run_id, "--yes", "-o", "table");
    expect(undone.code, undone.stderr).toBe(68);
    expect(undone.stdout + undone.stderr).not.toMatch(/kept/i);
  });

  test("`runs undo` recreates the deleted organizations with new IDs", async () => {
    const { run, listIds } = await setUpDistributor();
    const before = await listIds();
    const { json } = await run(...cascade, "--yes", "-o", "json");
    const undone = await run("runs", "undo", json.run_id, "--yes");
    expect(undone.code, undone.stderr).toBe(0);
    expect(await listIds()).toEqual(before);
  });

  test("`runs undo` restores the states of deleted licenses and organizations", async () => {
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
    expect(undone.stderr).toContain("was not completely undone: 1 failed");
  });

  test("`orgs delete --cascade` refuses a customer", async () => {
    const { run } = await setUpDistributor();
    expect((await run("orgs", "delete", "praxis-sommer", "--cascade", "--yes")).code).toBe(2);
    const missing = ["orgs", "delete", "nobody", "--cascade", "--yes"];
    expect((await run(...missing)).code).toBe(4);
    expect((await run(...missing, "--ignore-not-found")).code).toBe(0);
  });
});
