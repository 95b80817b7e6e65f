import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const url = "https://voice.example/api/v1";
const key = { from: "environment", variable: "ACME" };
const good = { kind: "remote", surfaces: { public: { url, key } } };

async function shell(bad: unknown, more: object = {}) {
  const emulator = await openSeededEmulator({ seed: "empty" });
  onTestFinished(() => emulator.close());
  const line = commandLine({ env: { ACME: "a-key" }, overrides: connectedTo(emulator) });
  const file = join(line.config, "config.json");
  mkdirSync(line.config, { recursive: true });
  writeFileSync(file, JSON.stringify({ profiles: { p1: good, bad }, ...more }));
  const stored = () => JSON.parse(readFileSync(file, "utf8")).profiles;
  return { ...line, file, stored };
}

const broken: readonly [string, unknown][] = [
  ["an unknown type", { kind: "weird" }],
  ["null", null],
  ["a text", "p1"],
  ["a URL that is a number", { kind: "remote", surfaces: { public: { url: 5, key } } }],
  ["a key of a later version", { kind: "remote", surfaces: { public: { url, key: { from: "vault" } } } }],
  ["a default in another form", { ...good, defaults: { output: "xml" } }],
];

describe("an invalid profile", () => {
  test.each(broken)("an invalid profile does not block other profiles: %s", async (_, bad) => {
    const { run } = await shell(bad);
    expect((await run("ping", "--profile", "p1")).code).toBe(0);
    const refused = await run("ping", "--profile", "bad");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('cannot use profile "bad"')]);
  });

  test.each(broken)("an invalid profile can be listed and removed: %s", async (_, bad) => {
    const { run, stored } = await shell(bad);
    const listed = (await run("profiles", "list")).json;
    expect(listed).toContainEqual(expect.objectContaining({ name: "bad", problem: expect.any(String) }));
    expect((await run("profiles", "set", "p1", "country=DE")).code).toBe(0);
    expect(stored().bad).toEqual(bad);
    expect((await run("profiles", "remove", "bad", "--yes")).code).toBe(0);
    expect(Object.keys(stored())).toEqual(["p1"]);
  });

  test("a profile with an invalid URL is listed with its problem", async () => {
    const { run } = await shell({ kind: "remote", surfaces: { public: { url: "nope.example", key } } });
    expect((await run("profiles", "list")).json).toContainEqual(
      expect.objectContaining({ name: "bad", problem: expect.stringContaining("nope.example") }),
    );
    expect((await run("ping", "--profile", "p1")).code).toBe(0);
  });

  test("`profiles add` and `profiles import` do not replace an invalid profile", async () => {
    const { run, stored, home } = await shell({ kind: "weird" });
    expect((await run("profiles", "add", "bad", "--offline")).code).toBe(2);
    writeFileSync(join(home, "t.yaml"), "voxctl_profiles: 1\nprofiles: { bad: { kind: offline } }\n");
    expect((await run("profiles", "import", "t.yaml", "--yes")).code).toBe(2);
    expect(stored().bad).toEqual({ kind: "weird" });
  });

  test("an invalid default profile blocks only commands without --profile", async () => {
    const { run } = await shell({ kind: "weird" }, { default: "bad" });
    expect((await run("ping")).code).toBe(2);
    expect((await run("ping", "--profile", "p1")).code).toBe(0);
  });
});

describe("the configuration file", () => {
  test("a configuration file with a byte order mark can be read and changed", async () => {
    const { run, file } = await shell(good);
    writeFileSync(file, `\uFEFF${readFileSync(file, "utf8")}`);
    expect((await run("profiles", "list")).json).toHaveLength(3);
    expect((await run("profiles", "remove", "p1", "--yes")).code).toBe(0);
    expect((await run("profiles", "list")).json).toHaveLength(2);
  });

  test("the error for an invalid configuration names the last good backup if there is one", async () => {
    const { run, file, config } = await shell(good);
    const copy = join(config, "config.last-good.json");
    expect((await run("profiles", "use", "p1")).code).toBe(0);
    writeFileSync(file, "{");
    expect((await run("ping")).stderr).toContain(copy);
    rmSync(copy);
    expect(existsSync(copy)).toBe(false);
    expect((await run("ping")).stderr).not.toContain("last-good");
  });
});
