import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../helpers/cli.js";

const url = "https://voice.example/api/v1";
/** The first key could be the name of a variable; the second could not. */
const keys = ["aB3".repeat(15), "7GUq-2"];

function setUp(profile: object) {
  const line = commandLine();
  mkdirSync(join(line.home, "config"), { recursive: true });
  const content = { version: 1, default: "acme", profiles: { acme: { kind: "remote", ...profile } } };
  writeFileSync(join(line.home, "config", "config.json"), JSON.stringify(content));
  return line;
}

const targetOf = (variable: string) => ({ url, key: { from: "environment", variable } });

describe.each(keys)("the key %s where the name of a variable is expected", (key) => {
  test.each([
    ["profiles", "add", "acme", "--url", url, "--key-env", key],
    ["profiles", "set", "work", `store_key=env:${key}`],
    ["plan", "show", "a.plan", "--encrypt-env", key],
    ["tools", "create", "--name", "a", "--url", url, "--secret", `env:${key}`, "--profile", "offline"],
  ])("a key that was passed as a variable name is refused and never printed by `%s %s`", async (...argv) => {
    const { run, runWith } = commandLine();
    const work = ["profiles", "add", "work", "--url", url, "--key-stdin", "--no-check", "--no-keychain"];
    expect((await runWith({ stdin: "key-of-work" }, ...work)).code).toBe(0);
    const ran = await run(...argv);
    expect(ran.code).toBe(2);
    expect(ran.stdout + ran.stderr).not.toContain(key);
  });

  test.each([["ping"], ["doctor"], ["profiles", "list"]])(
    "a key that was stored as a variable name is never printed by `%s`",
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

describe.each(["env", "file", "keychain"])(
  "a key that was pasted into a source that starts with %s:",
  (area) => {
    const [key = ""] = keys;
    const source = `${area}:${key}`;

    test("a key that was pasted into store_key is refused and never printed by `profiles set`", async () => {
      const { run } = setUp({ surfaces: { public: targetOf("KEY") } });
      const ran = await run("profiles", "set", "acme", `store_key=${source}`);
      expect([ran.code, ran.stderr]).toEqual([
        2,
        expect.stringContaining("invalid store_key: contains a key"),
      ]);
      expect(ran.stdout + ran.stderr).not.toContain(key);
    });

    test.each([
      ["profiles", "show", "acme"],
      ["profiles", "list", "-o", "json"],
    ])("a key that was stored in a profile's store_key is never printed by `%s %s`", async (...argv) => {
      const { run } = setUp({ surfaces: { public: targetOf("KEY") }, defaults: { store_key: source } });
      const ran = await run(...argv);
      expect(ran.code).toBe(0);
      expect(ran.stdout + ran.stderr).not.toContain(key);
    });
  },
);

describe("a variable name that could be a password, because it has hyphens and periods", () => {
  const name = "Korrekt-Pferd.Batterie";

  test.each([
    ["plan", "show", "a.plan", "--encrypt-env", name],
    ["tools", "create", "--name", "a", "--url", url, "--secret", `env:${name}`, "--profile", "offline"],
    ["profiles", "add", "acme", "--url", url, "--key-env", name],
  ])(
    "`%s %s` doesn't print a variable name that could be a password if the variable is not set",
    async (...argv) => {
      const ran = await commandLine().run(...argv);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("expected the name of a variable")]);
      expect(ran.stdout + ran.stderr).not.toContain(name);
    },
  );

  test("a variable name that could be a password can be stored and used, but is never printed", async () => {
    const { runWith, config } = commandLine();
    const env = { [name]: "key-of-acme" };
    const added = await runWith(
      { env },
      "profiles",
      "add",
      "acme",
      "--url",
      url,
      "--key-env",
      name,
      "--no-check",
    );
    const set = await runWith({ env }, "profiles", "set", "acme", `store_key=env:${name}`);
    const shown = await runWith({ env }, "profiles", "show", "acme", "-o", "json");
    const exported = await runWith({}, "profiles", "export");
    const read = await runWith({}, "ping", "--profile", "acme");
    expect([added, set, shown, exported].map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(shown.json).toMatchObject({ apis: { public: { key: "environment" } } });
    const output = [added, set, shown, exported, read]
      .flatMap(({ stdout, stderr }) => [stdout, stderr])
      .join();
    expect(output).not.toContain(name);
    expect(readFileSync(join(config, "config.json"), "utf8")).toContain(`"env:${name}"`);
  });
});

test.each(["defaults", "offline_defaults"])(
  "an invalid store key in %s affects only commands that use the store",
  async (place) => {
    const { runWith, config } = commandLine();
    const defaults = { store: "postgres://anna@127.0.0.1:9/ops", store_key: keys[0] };
    const acme = { kind: "remote", surfaces: { public: targetOf("KEY") } };
    const content =
      place === "defaults" ? { profiles: { acme: { ...acme, defaults } } } : { offline_defaults: defaults };
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.json"), JSON.stringify({ version: 1, ...content }));
    const profile = place === "defaults" ? "acme" : "offline";
    const listed = await runWith({}, "profiles", "list", "-o", "json");
    const used = await runWith({}, "store", "init", "--profile", profile);
    const repaired = await runWith({}, "profiles", "set", profile, "store_key=env:STORE_KEY");
    expect([listed.code, repaired.code]).toEqual([0, 0]);
    expect(listed.json).toContainEqual(
      expect.objectContaining({ name: profile, defaults: { store: defaults.store } }),
    );
    expect(used.stderr).toContain(`invalid store_key of profile ${profile}: must be a source`);
    expect([listed, used, repaired].map(({ stdout, stderr }) => stdout + stderr).join()).not.toContain(
      keys[0],
    );
  },
);
