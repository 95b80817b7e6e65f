import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../helpers/cli.js";

const url = "https://voice.example/api/v1";
/** The first key could be the name of a variable; the second could not. */
const keys = ["aB3".repeat(15), "7GUq-2="];

function setUp(profile: object) {
  const line = commandLine();
  mkdirSync(join(line.home, "config"), { recursive: true });
  const content = { version: 1, default: "acme", profiles: { acme: { kind: "remote", ...profile } } };
  writeFileSync(join(line.home, "config", "config.json"), JSON.stringify(content));
  return line;
}

const targetOf = (variable: string) => ({ url, key: { from: "environment", variable } });

describe.each(keys)("the key %s instead of the name of its variable", (key) => {
  test.each([
    ["profiles", "add", "acme", "--url", url, "--key-env", key],
    ["profiles", "set", "work", `store_key=env:${key}`],
    ["plan", "show", "a.plan", "--encrypt-env", key],
    ["tools", "create", "--name", "a", "--url", url, "--secret", `env:${key}`, "--profile", "offline"],
  ])("is refused and never printed by `%s %s`", async (...argv) => {
    const { run, runWith } = commandLine();
    const work = ["profiles", "add", "work", "--url", url, "--key-stdin", "--no-check", "--no-keychain"];
    expect((await runWith({ stdin: "key-of-work" }, ...work)).code).toBe(0);
    const ran = await run(...argv);
    expect(ran.code).toBe(2);
    expect(ran.stdout + ran.stderr).not.toContain(key);
  });

  test.each([["ping"], ["doctor"], ["profiles", "list"]])(
    "in the configuration file is never printed by `%s`",
    async (...argv) => {
      const { run } = setUp({ surfaces: { public: targetOf(key) } });
      const ran = await run(...argv);
      expect(ran.stdout + ran.stderr).toMatch(
        /invalid surfaces.public.key.variable: (?:contains a key, but )?must be the name/,
      );
      expect(ran.stdout + ran.stderr).not.toContain(key);
    },
  );
});

describe.each(["env", "file", "keychain"])("a key that was pasted into the source %s:", (area) => {
  const [key = ""] = keys;
  const source = `${area}:${key}`;

  test("is refused and never printed by `profiles set`", async () => {
    const { run } = setUp({ surfaces: { public: targetOf("KEY") } });
    const ran = await run("profiles", "set", "acme", `store_key=${source}`);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("invalid store_key: contains a key")]);
    expect(ran.stdout + ran.stderr).not.toContain(key);
  });

  test.each([
    ["profiles", "show", "acme"],
    ["profiles", "list", "-o", "json"],
  ])("is never printed as a default of a profile by `%s %s`", async (...argv) => {
    const { run } = setUp({ surfaces: { public: targetOf("KEY") }, defaults: { store_key: source } });
    const ran = await run(...argv);
    expect(ran.stdout + ran.stderr).toContain("invalid defaults.store_key: contains a key, but must be");
    expect(ran.stdout + ran.stderr).not.toContain(key);
  });
});

test("a variable's name may contain hyphens and periods", async () => {
  const { run } = setUp({ surfaces: { public: targetOf("acme.api-key") } });
  expect((await run("profiles", "set", "acme", "store_key=env:store-key")).code).toBe(0);
  expect((await run("profiles", "show", "acme", "-o", "json")).json).toMatchObject({
    apis: { public: { key: "environment acme.api-key" } },
    defaults: { store_key: "env:store-key" },
  });
});
