import { describe, expect, test } from "vitest";
import * as z from "zod";
import { buildFieldFlags, readFieldFlags } from "../../src/cli/derive/field-flags.js";
import type { Noun } from "../../src/cli/derive/noun.js";
import { listRequiredFields } from "../../src/cli/derive/schema.js";
import type { Input } from "../../src/cli/session/input.js";
import { assumed, documentedOnly } from "../../src/contract/assumed.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const Body = z.strictObject({
  group_id: z.string(),
  tool_ids: z.array(z.string()).default([]),
  name: z.string(),
  timeout: z.number().default(30),
  active: z.boolean().optional(),
  kind: z.enum(["a", "b"]),
  tags: z.array(z.enum(["x", "y"])).optional(),
  levels: z.array(z.number()).optional(),
  note: z.string().nullable().optional(),
  limit: assumed("D-limit", z.number(), z.number().optional()),
  nested: z.object({ url: z.string() }).optional(),
  schedules: z.array(z.object({ kind: z.string() })).optional(),
});

const resource: Noun = {
  name: "things",
  noun: "thing",
  plural: "things",
  summary: "",
  operations: {},
  columns: [],
  verbs: {},
  references: {
    group_id: { list: "groups.list", noun: "group" },
    tool_ids: { list: "groups.list", noun: "tool" },
  },
};

const flags = buildFieldFlags(Body, resource, {
  examples: [],
  flagNames: { timeout: "ring-timeout", limit: "at-most" },
});

function input(given: Record<string, string | string[] | boolean>): Input {
  return {
    arguments: [],
    text: (name) => (typeof given[name] === "string" ? given[name] : undefined),
    texts: (name) => (Array.isArray(given[name]) ? given[name] : []),
    on: (name) => (name in given ? given[name] !== false : undefined),
    has: (name) => name in given,
  };
}

describe("flags derived from the fields of a request body", () => {
  test("request fields that are scalars, enums or arrays of scalars get flags with readable names", () => {
    expect(
      flags.map(
        ({ flag }) =>
          `${flag.name}${flag.repeatable ? "…" : ""} ${flag.value ?? (flag.negatable ? "yes/no" : "")}`,
      ),
    ).toEqual([
      "group name|id",
      "tool… name|id",
      "name text",
      "ring-timeout number",
      "active yes/no",
      "kind value",
      "tag… text",
      "level… number",
      "note text",
      "at-most number",
    ]);
  });

  test("a flag derived from a request field shows its choices and default", () => {
    const [, , , timeout, , promptKind] = flags;
    expect(timeout?.flag).toMatchObject({ default: "30" });
    expect(promptKind?.flag.choices).toEqual(["a", "b"]);
  });

  test("values of flags derived from request fields are converted to the type of the field", () => {
    const given = {
      group: "G",
      tool: ["2", "1"],
      "ring-timeout": "12.5",
      active: false,
      tag: ["x"],
      level: ["1", "2"],
      note: "",
    };
    expect(Object.fromEntries(readFieldFlags(flags, input(given)))).toEqual({
      group_id: "G",
      tool_ids: ["2", "1"],
      timeout: 12.5,
      active: false,
      tags: ["x"],
      levels: [1, 2],
      note: "",
    });
  });

  test("a flag derived from a request field refuses an invalid number", () => {
    expect(() => readFieldFlags(flags, input({ "ring-timeout": "soon" }))).toThrow("--ring-timeout");
  });

  test("the help shows a default only for the flag itself, not for its opposite", async () => {
    const { stdout } = await commandLine().run("knowledge", "create", "--help");
    expect(stdout).toMatch(/--active .*\(default: true\)/);
    expect(stdout).toMatch(/--no-active +Opposite of --active\n/);
  });

  test("a flag derived from a request field is required only if the documents require it", () => {
    expect(listRequiredFields(Body)).toEqual(["group_id", "name", "kind", "limit"]);
    expect(listRequiredFields(documentedOnly(Body))).toEqual(["group_id", "name", "kind"]);
  });
});

describe("--set", () => {
  test.each([
    ["a.b.c=1", { a: { b: { c: 1 } } }],
    ["a=true", { a: true }],
    ["a=text with = in it", { a: "text with = in it" }],
    ['a="1"', { a: "1" }],
    ["a=", { a: "" }],
    ["a=null", { a: null }],
    ["list.0.x=9", { list: [{ x: 9 }, 2] }],
    ["list.2=3", { list: [{ x: 1 }, 2, 3] }],
  ])("--set parses %s", async (assignment, expected) => {
    const { run } = commandLine({ overrides: connectedTo(await openSeededEmulator({})) });
    const data = JSON.stringify({ a: {}, list: [{ x: 1 }, 2] });
    const dry = await run(
      "contacts",
      "update",
      "0".repeat(24),
      "--data",
      data,
      "--set",
      assignment,
      "--dry-run",
      "--profile",
      "offline",
    );
    expect(dry.json[0].body).toEqual({ a: {}, list: [{ x: 1 }, 2], ...expected });
  });

  test("`update --set` with a path into an object keeps the other values of the object", async () => {
    const { run } = commandLine({ overrides: connectedTo(await openSeededEmulator({})) });
    const headers = { "X-Api-Key": "aaa", "X-Team": "bbb" };
    const parameters = { type: "object", properties: { day: { type: "string" } } };
    await run(
      ...["tools", "create", "--profile", "offline", "--name", "look_up", "--url", "https://a.example"],
      ...["--data", JSON.stringify({ headers, parameters })],
    );
    const updated = await run(
      ...["tools", "update", "look_up", "--profile", "offline", "--set", "headers.X-Team=new"],
      ...["--set", "parameters.properties.place.type=string"],
    );
    expect(updated.code).toBe(0);
    expect(updated.json).toMatchObject({
      headers: { "X-Api-Key": "aaa", "X-Team": "new" },
      parameters: { type: "object", properties: { day: { type: "string" }, place: { type: "string" } } },
    });
  });

  test("the error for a header whose value is a number names the header", async () => {
    const { run } = commandLine({ overrides: connectedTo(await openSeededEmulator({})) });
    const data = JSON.stringify({ name: "look_up", url: "https://a.example", headers: { "X-Team": 1 } });
    const refused = await run("tools", "create", "--data", data, "--profile", "offline");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("headers: the value of X-Team must be text: put it in quotes"),
    ]);
  });

  test("`update --set` refuses to send back a header whose value the service masks", async () => {
    const { run } = commandLine({ overrides: connectedTo(await openSeededEmulator({})) });
    // The emulator returns headers unchanged, so store a value that looks masked.
    const data = JSON.stringify({ headers: { "X-Api-Key": "***", "X-Team": "bbb" } });
    const tool = (...argv: string[]) => run("tools", ...argv, "--profile", "offline");
    await tool("create", "--name", "look_up", "--url", "https://a.example", "--data", data);
    const refused = await tool("update", "look_up", "--set", "headers.X-Team=new");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("masks the value of headers.X-Api"),
    ]);
    const both = ["--set", "headers.X-Team=new", "--set", "headers.X-Api-Key=aaa"];
    expect((await tool("update", "look_up", ...both)).json.headers).toEqual({
      "X-Api-Key": "aaa",
      "X-Team": "new",
    });
  });

  test.each(["a", "=1", "a..b=1", "list.7=1", "list.x=1"])("--set %s is invalid", async (assignment) => {
    const { run } = commandLine();
    const refused = await run(
      "contacts",
      "update",
      "0".repeat(24),
      "--data",
      '{"list":[]}',
      "--set",
      assignment,
      "--profile",
      "offline",
    );
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--set");
  });
});
