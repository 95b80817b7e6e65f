import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { bin, createInstalledCli } from "../helpers/installed-cli.js";

describe("the built command", () => {
  test("the built command runs a new user's first commands offline, in every output format", async () => {
    const { run, built } = createInstalledCli();
    const listing = (format: string) => ["contacts", "list", "--all", "-o", format];
    const json = await run(listing("json"));
    const [yaml, ndjson, csv, table] = await Promise.all(
      ["yaml", "ndjson", "csv", "table"].map((format) => built(listing(format))),
    );
    const rows: unknown[] = JSON.parse(json.stdout);
    expect(rows.length).toBeGreaterThan(50);
    expect(parse(yaml?.stdout ?? "")).toEqual(rows);
    expect(
      ndjson?.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
    for (const text of [csv, table]) expect(text?.stdout.trimEnd().split("\n")).toHaveLength(rows.length + 1);
    for (const ran of [json, yaml, ndjson, csv, table])
      expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("offline") });
  });

  test("a list command does not load modules that only other commands need", async () => {
    const { home, data, command } = createInstalledCli();
    const chunks = readdirSync(new URL("../../dist/chunks", import.meta.url));
    const report = join(home, "report.cjs");
    writeFileSync(
      report,
      `process.on("exit", () => {
        const files = Object.keys(require.cache).map((path) => require("node:path").basename(path));
        process.stderr.write("loaded " + JSON.stringify([...process.moduleLoadList, ...files]) + "\\n");
      });`,
    );
    const env = {
      ...inheritedEnvironment(),
      VOXCTL_CONFIG_DIR: join(home, "config"),
      VOXCTL_DATA_DIR: data,
      // Cached code bypasses the loader that this test observes.
      NODE_DISABLE_COMPILE_CACHE: "1",
    };
    // The first process creates the database.
    const list = ["contacts", "list", "-o", "json", "--profile", "offline"];
    expect((await command(list)).code).toBe(0);
    const child = spawn(process.execPath, ["--require", report, bin, ...list], {
      cwd: home,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const loaded = /^loaded (.+)$/m.exec(await text(child.stderr))?.[1] ?? "";
    expect(loaded).toContain("contacts-");
    for (const name of ["http", "https"]) expect(loaded).not.toContain(`NativeModule ${name}"`);
    for (const chunk of [
      "network-transport",
      "serve",
      "inquirer-prompts",
      "cli-table3",
      "more",
      "bulk",
      "store",
    ]) {
      // Each chunk must exist: otherwise the next check would also pass after the chunk was renamed.
      expect(chunks.some((file) => file.startsWith(`${chunk}-`))).toBe(true);
      expect(loaded).not.toContain(`"${chunk}-`);
    }
  });

  test("`emulator start` does not load Node.js's cluster, https and tls modules", async () => {
    const cache = temporaryFolder();
    const { home, start } = createInstalledCli({ XDG_CACHE_HOME: cache });
    const report = join(home, "report.cjs");
    writeFileSync(
      report,
      'process.on("exit", () => process.stderr.write("loaded " + process.moduleLoadList.join(" ") + " "));',
    );
    const child = start(
      ["emulator", "start", "--db", ":memory:", "--seed", "empty", "--port", "0", "-o", "json"],
      {
        NODE_OPTIONS: `--require ${report}`,
      },
    );
    child.stdout.once("data", () => child.kill("SIGTERM"));
    const loaded = /loaded .*/s.exec(await text(child.stderr))?.[0];
    expect(loaded).toContain("NativeModule http ");
    for (const name of ["cluster", "https", "tls"]) expect(loaded).not.toContain(`NativeModule ${name} `);
    expect(readdirSync(join(cache, "voxctl"))).toEqual([expect.stringMatching(/-server$/)]);
  });

  test("the built command stores text with umlauts unchanged", async () => {
    const { run, built, home } = createInstalledCli();
    writeFileSync(join(home, "group.yaml"), "type: contacts\nname: Käufer\n");
    const made = await run(["groups", "create", "--profile", "offline", "--data", "@group.yaml"]);
    expect(made.code).toBe(0);
    const contact = await built(
      ["contacts", "create", "--profile", "offline", "--group", "Käufer", "--data", "@-"],
      '{"first_name":"Änne"}',
    );
    expect(JSON.parse(contact.stdout)).toMatchObject({
      first_name: "Änne",
      group_id: JSON.parse(made.stdout).id,
    });
    const listed = await run(["contacts", "list", "--group", "Käufer", "--fields", "first_name"]);
    expect(JSON.parse(listed.stdout)).toEqual([{ first_name: "Änne" }]);
    const deleted = await built(["groups", "delete", "Käufer", "--yes", "--profile", "offline"]);
    expect(deleted.stderr).toContain("1 contact in the group will be deleted");
  });

  test("the built command exits silently if its output pipe is closed", async () => {
    const { start } = createInstalledCli();
    const child = start(["contacts", "list", "--all", "-o", "ndjson"]);
    child.stdin.end();
    child.stdout.once("data", () => child.stdout.destroy());
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect(code).toBe(0);
    expect(stderr).not.toContain("EPIPE");
  });

  test("the built command adds a profile without printing the piped key", async () => {
    const { run, built } = createInstalledCli();
    const key = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG";
    const added = await run(
      ["profiles", "add", "local", "--url", "http://127.0.0.1:9/api/v1", "--key-stdin", "--no-check"],
      { stdin: `${key}\n` },
    );
    expect(added).toMatchObject({ code: 0, stdout: expect.not.stringContaining(key) });
    const failed = await built(["groups", "create", "--type", "contacts", "--name", "X", "--debug"]);
    expect(failed.code).toBe(9);
    expect(failed.stdout + failed.stderr).not.toContain(key);
  });

  test("the built command does not prompt without a terminal", async () => {
    const { run, built } = createInstalledCli();
    expect(await run(["contacts", "create", "--profile", "offline"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("--first-name"),
    });
    expect(await built(["groups", "delete", "Überweiser", "--profile", "offline"])).toMatchObject({
      code: 12,
      stdout: "",
      stderr: expect.stringContaining("--yes"),
    });
  });
});
