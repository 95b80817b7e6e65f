import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function practice() {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  return { ...shell, run: (...argv: string[]) => shell.run("--profile", "offline", ...argv) };
}

describe("the edited output of `get` as input of `update --data`", () => {
  test.each([
    ["contacts", "last_name"],
    ["groups", "name"],
    ["assistants", "introduction"],
    ["prompts", "name"],
    ["knowledge", "name"],
    ["forwardings", "name"],
    ["glossary", "term"],
    ["pronunciation", "replacement"],
    ["calendars", "name"],
    ["tools", "description"],
    ["partners", "name"],
  ])("`update --data` accepts the edited output of `get` for %s", async (resource, field) => {
    const { run, home } = await practice();
    const [first] = (await run(resource, "list", "--limit", "1")).json;
    const id = first.id ?? first.externalPartnerId;
    const shown = await run(resource, "get", id, "-o", "yaml");
    const edited = shown.stdout.replace(new RegExp(`^${field}: (.|\n  )*$`, "m"), `${field}: Edited`);
    expect(edited).not.toBe(shown.stdout);
    writeFileSync(join(home, "edited.yaml"), edited);
    const updated = await run(resource, "update", id, "--data", "@edited.yaml");
    expect(updated.stderr).toMatch(/^--data: ignoring read-only fields: \S/);
    expect(updated.code).toBe(0);
    expect((await run(resource, "get", id)).json[field]).toBe("Edited");
  });

  test("`update --set` refuses a field that can't be changed", async () => {
    const { run } = await practice();
    const refused = await run("glossary", "update", "KVA", "--set", "group_id=x");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("group_id: can't be changed");
  });
});

describe("update --data", () => {
  test.each([
    ["[1]", "a list"],
    ['"x"', "a text"],
    ["null", "nothing"],
  ])(
    "if --data contains %s instead of an object, the error names the expected type",
    async (text, expectedType) => {
      const { run, home } = await practice();
      writeFileSync(join(home, "body.json"), text);
      const { code, stderr } = await run("contacts", "create", "--data", "@body.json");
      expect(code).toBe(2);
      expect(stderr).toContain(`error: --data @body.json must be an object, not ${expectedType}`);
    },
  );
});
