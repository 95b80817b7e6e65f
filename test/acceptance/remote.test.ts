import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function service() {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const server = await emulator.listen({ port: 0 });
  onTestFinished(async () => {
    await server.close();
    await emulator.close();
  });
  const { keys } = emulator.startLine;
  const baseUrl = `${server.url}/api/v1`;
  const shell = commandLine({ env: { VOXCTL_BASE_URL: baseUrl, VOXCTL_API_KEY: keys.admin } });
  return { ...shell, emulator, keys, baseUrl };
}

describe("commands over the network", () => {
  test("commands have the same results over the network and in process", async () => {
    const { run, emulator } = await service();
    const offline = commandLine();
    const [remote, local] = [
      await run("groups", "list", "--all"),
      await offline.run("groups", "list", "--all"),
    ];
    const names = (rows: { name: string; type: string }[]) => rows.map(({ name, type }) => [name, type]);
    expect(names(remote.json)).toEqual(names(local.json));
    expect(remote.stderr).toBe("");
    const made = await run("contacts", "create", "--group", "Patienten", "--first-name", "Zoë");
    expect((await run("contacts", "update", made.json.id, "--last-name", "Ö")).json).toMatchObject({
      first_name: "Zoë",
      last_name: "Ö",
    });
    expect((await run("contacts", "delete", made.json.id, "--yes")).json).toEqual({
      id: made.json.id,
      deleted: true,
    });
    expect((await run("contacts", "get", made.json.id)).code).toBe(4);
    expect((await run("ping")).json).toMatchObject({
      ok: true,
      profile: "environment",
      service: expect.stringContaining("127.0.0.1"),
    });
    expect(emulator.startLine.pid).toBeGreaterThan(0);
  });

  // plain-words: allow title-long
  test("[public.auth.4 refuses] [public.auth.5 refuses] a wrong key and a missing permission cause different errors", async () => {
    const { runWith, keys, baseUrl } = await service();
    const wrong = "x".repeat(43);
    const refused = await runWith(
      { env: { VOXCTL_BASE_URL: baseUrl, VOXCTL_API_KEY: wrong } },
      "contacts",
      "list",
      "-o",
      "json",
      "--debug",
    );
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('"code":"unauthorized"');
    expect(refused.stderr).not.toContain(wrong);
    const weak = await runWith(
      { env: { VOXCTL_BASE_URL: baseUrl, VOXCTL_API_KEY: keys.viewer } },
      "groups",
      "create",
      "--type",
      "contacts",
      "--name",
      "X",
    );
    expect(weak.code).toBe(3);
    expect(weak.stderr).toContain("403 forbidden");
    const bulk = await runWith(
      { env: { VOXCTL_BASE_URL: baseUrl, VOXCTL_API_KEY: keys.viewer } },
      ...["contacts", "delete", "--search", "+49", "--max-delete", "100%", "--yes"],
    );
    expect([bulk.code, bulk.stderr]).toEqual([
      3,
      expect.stringContaining("use a key with the required role"),
    ]);
    expect(bulk.stderr).not.toContain("to resume");
  });

  test("a write without a response is sent once and reported as unconfirmed", async () => {
    const { run, emulator } = await service();
    await emulator.control("POST", "/faults", { operation: "groups.create", kind: "drop_after", times: 1 });
    const lost = await run("groups", "create", "--type", "contacts", "--name", "Once", "-o", "json");
    expect(lost.code).toBe(75);
    expect(JSON.parse(lost.stderr).error).toMatchObject({ outcome: "unknown", exit: 75 });
    const named = (await run("groups", "list", "--all")).json.filter(
      ({ name }: { name: string }) => name === "Once",
    );
    expect(named).toHaveLength(1);
  });

  test("a command repeats a read that fails once", async () => {
    const { run, emulator } = await service();
    await emulator.control("POST", "/faults", { operation: "groups.list", kind: "error_before", times: 1 });
    expect((await run("groups", "list")).code).toBe(0);
  });
});
