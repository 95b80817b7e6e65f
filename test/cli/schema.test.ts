import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

function shell(overrides = {}) {
  return commandLine({ overrides, env: { VOXCTL_PROFILE: "offline" } });
}

/** Returns the errors that an editor would show for the document. */
async function complaints(name: string, document: unknown): Promise<string[]> {
  const { json } = await shell().run("schema", name);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(json);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe("voxctl schema", () => {
  test("`voxctl schema` prints the schema of each file that voxctl reads", async () => {
    const { json } = await shell().run("schema", "-o", "json");
    const schemaType = await shell().run("schema", "call-suite", "--jq", ".type");
    expect(schemaType.stdout).toBe("object\n");
    for (const { name } of json) expect((await shell().run("schema", name)).json).toHaveProperty("$schema");
  });

  test.each([
    ["call-suite", { scenarios: [{ name: "rings", assistant: "Empfang", to: "+4930123456" }] }],
    ["organizations", { name: "n", msps: [{ external_id: "a", name: "A", license: "l-1", customers: [] }] }],
    ["pin", { profile: "acme" }],
    ["fault", { kind: "delay", delay_ms: 300, operation: "contacts.create" }],
  ])("the schema %s accepts the same documents as voxctl", async (name, document) => {
    expect(await complaints(name, document)).toEqual([]);
    expect(await complaints(name, { ...document, surprise: 1 })).not.toEqual([]);
  });

  test("files from `config init` match the schemas that they reference", async () => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    onTestFinished(() => emulator.close());
    const { run, home } = shell(connectedTo(emulator));
    const { code, stderr } = await run("config", "init", "praxis", "--target", "prod");
    expect(code, stderr).toBe(0);
    const root = join(home, "praxis");
    const seen = new Map<string, number>();
    const validators = new Map<string, ValidateFunction>();
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".yaml")) continue;
      const text = readFileSync(join(root, name), "utf8");
      const modeline = /^# yaml-language-server: \$schema=(\S+)/.exec(text);
      if (!modeline) continue;
      const path = join(root, name, "..", modeline[1] ?? "");
      const validate =
        validators.get(path) ??
        new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(path, "utf8")));
      validators.set(path, validate);
      expect([name, validate(parse(text)), validate.errors]).toEqual([name, true, null]);
      const schemaName = relative(join(root, ".voxctl", "schema"), path);
      seen.set(schemaName, (seen.get(schemaName) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual(
      ["assistants", "calendars", "forwardings", "glossary", "project", "pronunciation", "tools"].map(
        (resource) => `${resource}.json`,
      ),
    );
  });

  test("`voxctl schema` exits with code 2 and a suggestion for an unknown name", async () => {
    const { code, stderr } = await shell().run("schema", "call-suit");
    expect(code).toBe(2);
    expect(stderr).toContain("did you mean call-suite?");
  });
});
