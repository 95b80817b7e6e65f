import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo, type RunOptions } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function setUp() {
  const emulator = await openSeededEmulator({ seed: "empty" });
  const server = await emulator.listen({ port: 0 });
  onTestFinished(async () => {
    await server.close();
    await emulator.close();
  });
  const shell = commandLine();
  writeFileSync(
    join(shell.home, "list.csv"),
    "Vorname;Telefon;Nr\nAnna;0170 1000001;1\nBea;0170 1000002;2\n",
  );
  const offline: RunOptions = { overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } };
  const toServer = (url: string, key: string): RunOptions => ({
    env: { VOXCTL_PROFILE: "environment", VOXCTL_BASE_URL: `${url}/api/v1`, VOXCTL_API_KEY: key },
  });
  const importing = async (options: RunOptions, ...flags: string[]) => {
    const words = "contacts import list.csv --group Kunden --create-group --country DE".split(" ");
    const imported = await shell.runWith(options, ...words, ...flags, "-o", "json");
    expect(imported.code, imported.stderr).toBe(0);
    return imported.json;
  };
  const undo = (options: RunOptions, id: string) =>
    shell.runWith(options, "runs", "undo", id, "--yes", "--settle", "0s", "-o", "json");
  return {
    ...shell,
    emulator,
    offline,
    served: toServer(server.url, emulator.startLine.keys.admin),
    toServer,
    importing,
    undo,
  };
}

describe("runs undo with an emulator that has several addresses", () => {
  test("a run on an in-process emulator can be undone through a server, and vice versa", async () => {
    const { offline, served, importing, undo } = await setUp();
    for (const [first, second] of [
      [offline, served],
      [served, offline],
    ] as const) {
      const { run_id } = await importing(first);
      const undone = await undo(second, run_id);
      expect(undone.code, undone.stderr).toBe(0);
      expect(undone.json).toMatchObject({ deleted: 2, group_deleted: true });
    }
  });

  test("[K1] an undo through the server reverts the key map of an in-process run", async () => {
    const { offline, served, importing, undo, home } = await setUp();
    const { run_id } = await importing(offline, "--key", "Nr", "--state", "keys.jsonl");
    expect((await undo(served, run_id)).code).toBe(0);
    const [header, ...keys] = readFileSync(join(home, "keys.jsonl"), "utf8").trim().split("\n");
    expect([JSON.parse(header ?? "").base_url, keys]).toEqual(["http://emulator.localhost/api/v1", []]);
  });

  test("`runs undo` refuses to undo a run with a different emulator, at any address", async () => {
    const { importing, undo, offline, served, toServer } = await setUp();
    const other = await openSeededEmulator({ seed: "empty" });
    const server = await other.listen({ port: 0 });
    onTestFinished(async () => {
      await server.close();
      await other.close();
    });
    const { run_id } = await importing(offline);
    const addresses: RunOptions[] = [
      { ...offline, overrides: connectedTo(other) },
      toServer(server.url, other.startLine.keys.admin),
    ];
    for (const address of addresses) {
      const refused = await undo(address, run_id);
      expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining('"run_elsewhere"')]);
    }
    expect((await undo(served, run_id)).json).toMatchObject({ deleted: 2 });
  });
});
