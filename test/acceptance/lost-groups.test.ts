// Two organizations of one service create groups with the same name, with the same data directory.
import { describe, expect, test } from "vitest";
import { createFleet, csv, importWords } from "../helpers/fleet.js";

async function setUp() {
  const fleet = await createFleet(["a", "b"]);
  fleet.write("rows.csv", csv(1));
  const run = (name: string, ...words: string[]) => {
    const env = { VOXCTL_BASE_URL: fleet.url, VOXCTL_API_KEY: fleet.member(name).key };
    return fleet.runWith({ env }, ...words, "-o", "json");
  };
  /** The request to create the group is sent, but neither arrives nor gets a response. */
  const loseGroup = async (name: string) => {
    const fault = { operation: "groups.create", kind: "drop_before", times: 1 };
    await fleet.emulator.control("POST", "/faults", fault);
    return run(name, ...importWords, "--settle", "0s");
  };
  const listGroups = async (name: string): Promise<string[]> =>
    (await run(name, "groups", "list", "--all")).json.map((group: { name: string }) => group.name);
  return { run, loseGroup, listGroups };
}

describe("a lost request to create a group", () => {
  test("an undo keeps an earlier group if another organization lost a request for one", async () => {
    const { run, loseGroup, listGroups } = await setUp();
    expect((await loseGroup("a")).code).toBe(75);
    await run("b", "groups", "create", "--type", "contacts", "--name", "Kunden");
    const imported = await run("b", ...importWords, "--settle", "0s");
    expect(imported.code, imported.stderr).toBe(0);
    expect((await run("b", "runs", "undo", imported.json.run_id, "--yes")).code).toBe(0);
    expect(await listGroups("b")).toContain("Kunden");
  });

  test("an undo deletes a group that a lost request created late", async () => {
    const { run, loseGroup, listGroups } = await setUp();
    expect((await loseGroup("a")).code).toBe(75);
    await run("a", "groups", "create", "--type", "contacts", "--name", "Kunden");
    const imported = await run("a", ...importWords, "--settle", "0s");
    expect(imported.code, imported.stderr).toBe(0);
    expect((await run("a", "runs", "undo", imported.json.run_id, "--yes")).code).toBe(0);
    expect(await listGroups("a")).not.toContain("Kunden");
  });
});
