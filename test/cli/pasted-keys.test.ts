import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../helpers/cli.js";

const url = "https://voice.example/api/v1";
/** The first key could be the name of a variable; the second could not. */
const keys = ["aB3".repeat(15), "7GUq-2"];

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
      const { run, home } = commandLine();
      const target = { url, key: { from: "environment", variable: key } };
      const profile = { kind: "remote", surfaces: { public: target } };
      mkdirSync(join(home, "config"), { recursive: true });
      const content = { version: 1, default: "acme", profiles: { acme: profile } };
      writeFileSync(join(home, "config", "config.json"), JSON.stringify(content));
      const ran = await run(...argv);
      expect(ran.stdout + ran.stderr).toContain("invalid surfaces.public.key.variable");
      expect(ran.stdout + ran.stderr).not.toContain(key);
    },
  );
});
