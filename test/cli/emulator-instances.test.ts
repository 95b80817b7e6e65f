import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeServerState } from "../../src/emulator/server-state.js";
import { registerEmulator } from "../../src/features/emulate/registry.js";
import { commandLine } from "../helpers/cli.js";
import { copyOfflineDatabase, openSeededEmulator } from "../helpers/templates.js";

const secret = "a-key-of-a-deployment";

async function somebody() {
  const line = commandLine({ env: { ACME: secret } });
  await copyOfflineDatabase(line.data);
  const url = ["--url", "https://voice.example.com/api/v1", "--key-env", "ACME", "--no-check"];
  await line.run("profiles", "add", "acme", ...url);
  const groups = async (...flags: string[]) => {
    const listed = await line.run("groups", "list", "--all", ...flags);
    return listed.json.map(({ name }: { name: string }) => name);
  };
  const emulator = (...argv: string[]) => line.run("emulator", ...argv);
  return { ...line, emulator, groups };
}

async function serve(data: string) {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const server = await emulator.listen({ port: 0 });
  const line = { ...emulator.startLine, url: server.url, control_url: `${server.url}/_emulator` };
  const unregister = await registerEmulator({ data }, line);
  onTestFinished(async () => {
    unregister();
    await emulator.close();
  });
  return { ...line, port: new URL(server.url).port };
}

const changes: readonly string[] = [
  "reset --yes",
  "stop",
  "clock +1h",
  "clock next",
  "faults add error_before",
  "control faults.clear",
  "keys create --name k",
  "keys update viewer --status revoked",
  "snapshots create s",
  "snapshots restore s --yes",
  "control distributors.create",
  "incoming-call --assistant Empfang --from +4915112345678",
];

describe("a command that changes the state of an emulator", () => {
  test.each(changes)(
    "for a service's profile, `emulator %s` fails with a hint to select an emulator",
    async (command) => {
      const { emulator, groups } = await somebody();
      const before = await groups("--profile", "offline");
      const refused = await emulator(...command.split(" "));
      expect([refused.code, refused.stdout]).toEqual([12, ""]);
      for (const word of ["acme", "--profile offline", "--port", "--db"])
        expect(refused.stderr).toContain(word);
      expect(await groups("--profile", "offline")).toEqual(before);
    },
  );

  test.each(["VOXCTL_PROFILE", "environment"])(
    "an emulator command uses the profile that %s selects",
    async (choice) => {
      const { runWith } = await somebody();
      const pair = { VOXCTL_BASE_URL: "https://voice.example.com/api/v1", VOXCTL_API_KEY: secret };
      const env = choice === "environment" ? pair : { VOXCTL_PROFILE: "acme" };
      expect((await runWith({ env }, "emulator", "reset", "--yes")).code).toBe(12);
    },
  );

  test("an emulator command uses the emulator at the profile's URL, not the offline database", async () => {
    const { run, emulator, groups, data } = await somebody();
    const before = await groups("--profile", "offline");
    const { url, keys, port } = await serve(data);
    const address = `http://localhost:${port}/api/v1`;
    await run("profiles", "add", "local", "--url", address, "--key-env", "ACME", "--no-check");
    await run("profiles", "use", "local");
    const reset = await emulator("reset", "--seed", "empty", "--yes");
    expect([reset.code, reset.stderr]).toEqual([0, `Emulator: ${url} (in memory), profile local\n`]);
    expect(reset.json.keys).toEqual(keys);
    expect(await groups("--profile", "offline")).toEqual(before);
    // The profile's distributor API has the URL of a service, not of the emulator.
    const elsewhere = "https://voice.example.com/api/distributor/v2";
    const more = ["--api", "distributor-v2", "--url", elsewhere, "--key-env", "ACME", "--no-check"];
    await run("profiles", "add", "local", ...more, "--yes");
    expect((await emulator("reset", "--yes")).code).toBe(12);
  });

  test("`reset` with a production profile requires --confirm even for an emulator", async () => {
    const { run, emulator, data } = await somebody();
    const { url, port } = await serve(data);
    const words = ["--url", `${url}/api/v1`, "--key-env", "ACME", "--no-check", "--production"];
    await run("profiles", "add", "live", ...words);
    await run("profiles", "use", "live");
    const refused = await emulator("reset", "--yes");
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("--confirm=live")]);
    expect((await emulator("reset", "--confirm=live")).code).toBe(0);
    // If a flag selects the emulator, the profile's production mark doesn't apply.
    expect((await emulator("reset", "--port", port, "--yes")).code).toBe(0);
  });

  test.each(["--profile", "--db", "--port"])(
    "an emulator selected with %s takes precedence over the default profile",
    async (flag) => {
      const { emulator, data } = await somebody();
      const { port, url } = await serve(data);
      const file = join(data, "offline.db");
      const values: Record<string, string[]> = {
        "--profile": ["offline"],
        "--db": [file],
        "--port": [port],
      };
      const given = [flag, ...(values[flag] ?? [])];
      const added = await emulator("faults", "add", "error_before", ...given);
      const name =
        flag === "--profile" ? `${file}, profile offline` : flag === "--db" ? file : `${url} (in memory)`;
      expect([added.code, added.stderr]).toEqual([0, `Emulator: ${name}\n`]);
    },
  );

  test.each(["reset --yes", "stop", "status", "logs", "start --port 0"])(
    "an unknown profile is refused, with or without emulator flags: %s",
    async (command) => {
      const { emulator, data } = await somebody();
      const { port } = await serve(data);
      const flags = command.startsWith("start") ? [[], ["--db", ":memory:"]] : [[], ["--port", port]];
      for (const more of flags) {
        const refused = await emulator(...command.split(" "), ...more, "--profile", "nobody");
        expect([refused.code, refused.stderr]).toEqual([
          2,
          expect.stringContaining('profile "nobody" not found'),
        ]);
      }
    },
  );

  test.each(["reset --seed empty --yes", "clock +1h", "faults add error_before", "snapshots create s"])(
    "`emulator %s` uses the only running emulator instead of an existing offline.db",
    async (command) => {
      const { run, data } = commandLine();
      await copyOfflineDatabase(data);
      const before = readFileSync(join(data, "offline.db"));
      const { url } = await serve(data);
      const changed = await run("emulator", ...command.split(" "));
      expect([changed.code, changed.stderr]).toEqual([0, `Emulator: ${url} (in memory)\n`]);
      expect(readFileSync(join(data, "offline.db")).equals(before)).toBe(true);
    },
  );

  test("a command uses the selected profile's emulator instead of the only running one", async () => {
    const { run, data } = commandLine();
    await copyOfflineDatabase(data);
    await serve(data);
    const reset = await run("emulator", "reset", "--yes", "--profile", "offline");
    expect(reset.stderr).toBe(`Emulator: ${join(data, "offline.db")}, profile offline\n`);
  });

  test("if several emulators run and none is selected, a command lists their ports", async () => {
    const { run, data } = commandLine();
    await copyOfflineDatabase(data);
    const [first, second] = [await serve(data), await serve(data)];
    writeServerState(first, join(data, "emulators", "1"));
    const refused = await run("emulator", "reset", "--yes");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("2 emulators are running; select one with --port: "),
    ]);
    for (const { port } of [first, second]) expect(refused.stderr).toContain(port);
  });

  test("`emulator stop` lists the running emulators if the selected one does not run", async () => {
    const { run, data } = commandLine();
    await copyOfflineDatabase(data);
    const { url, port } = await serve(data);
    const stopped = await run("emulator", "stop", "--profile", "offline");
    expect(stopped.json).toEqual({ stopped: false, db: join(data, "offline.db") });
    expect(stopped.stderr).toContain(`running: ${url} (in memory), --port ${port}`);
  });

  test("`emulator reset` creates a database for a new profile, not for a mistyped name", async () => {
    const { run, emulator, groups, data } = await somebody();
    await run("profiles", "add", "rehearsal", "--offline");
    // No data is lost, so no confirmation is required.
    const made = await emulator("reset", "--seed", "empty", "--profile", "rehearsal");
    expect([made.code, made.stderr]).toEqual([
      0,
      `Emulator: ${join(data, "rehearsal.db")}, profile rehearsal\n`,
    ]);
    expect(await groups("--profile", "rehearsal")).toHaveLength(5);
    expect((await emulator("reset", "--profile", "rehearsal")).code).toBe(12);
    const mistyped = join(data, "rehersal.db");
    expect((await emulator("reset", "--db", mistyped, "--yes")).code).toBe(4);
    expect(existsSync(mistyped)).toBe(false);
  });
});

describe("a command that reads the state of an emulator", () => {
  test("`emulator status` lists the running emulators if the profile uses a service", async () => {
    const { emulator, data } = await somebody();
    expect((await emulator("status")).json).toEqual({
      running: false,
      profile: "acme",
      service: "https://voice.example.com/api/v1",
      servers: [],
    });
    const { url } = await serve(data);
    const { json } = await emulator("status");
    expect(json.servers).toEqual([{ url, db: ":memory:", pid: process.pid }]);
  });

  test("`emulator status` lists the running emulators if several run and none is selected", async () => {
    const { run, data } = commandLine();
    const [first, second] = [await serve(data), await serve(data)];
    // Both emulators have the same process ID, which names the registration file, so the first one needs
    // another file.
    writeServerState(first, join(data, "emulators", "1"));
    const listed = (await run("emulator", "status")).json.map(({ url }: { url: string }) => url);
    expect(listed.sort()).toEqual([first.url, second.url].sort());
    const selected = await run("emulator", "status", "--port", first.port);
    expect(selected.json).toMatchObject({ running: true, url: first.url });
  });

  test("`emulator status` lists the running emulators if the selected one does not run", async () => {
    const { emulator, data } = await somebody();
    const { url } = await serve(data);
    const { json } = await emulator("status", "--profile", "offline");
    expect(json).toMatchObject({ running: false, db: join(data, "offline.db"), servers: [{ url }] });
  });

  test.each(["logs", "clock", "control keys.list", "control coverage.list"])(
    "`emulator %s` suggests a running emulator if the profile has none",
    async (command) => {
      const { emulator, data } = await somebody();
      const { port } = await serve(data);
      const refused = await emulator(...command.split(" "));
      expect([refused.code, refused.stdout]).toEqual([4, ""]);
      expect(refused.stderr).toContain(`--port ${port}`);
      const reached = await emulator(...command.split(" "), "--port", port);
      expect([reached.code, reached.stderr.includes("Emulator:")]).toEqual([0, false]);
    },
  );

  test("`emulator env` uses the only running emulator even if an offline database exists", async () => {
    const { run, data } = commandLine();
    await copyOfflineDatabase(data);
    const { url } = await serve(data);
    const { json, stderr } = await run("emulator", "env", "-o", "json");
    expect(json.VOXCTL_EMULATOR_URL).toBe(url);
    expect(stderr).toBe(`Emulator: ${url} (in memory)\n`);
  });

  test("`emulator env` suggests a running emulator if the profile's emulator does not run", async () => {
    const { emulator, data } = await somebody();
    const { port } = await serve(data);
    const refused = await emulator("env", "--profile", "offline");
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(`--port ${port}`);
    expect(refused.stderr).not.toContain("start one");
  });

  test("`emulator logs` lists the running emulators if the offline database was never created", async () => {
    const { run, data } = commandLine();
    await serve(data);
    const missing = await run("emulator", "logs", "--profile", "offline");
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining("(in memory), --port")]);
  });
});
