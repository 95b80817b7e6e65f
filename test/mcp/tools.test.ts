import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parsePathParameters } from "../../src/contract/operation.js";
import { apiTools } from "../../src/mcp/index.js";
import { publicRows } from "../independent/table-public.js";

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const tools = apiTools();
const tool = (name: string) => {
  const match = tools.find((candidate) => candidate.name === name);
  if (!match) throw new Error(`unknown tool ${name}`);
  return match.definition;
};

describe("the tools of the MCP server", () => {
  it("[D-mcp] every Public API operation has a tool, except the download of recordings", () => {
    const missing = publicRows
      .map(({ request }) => request)
      .filter((line) => !tools.some(({ operation }) => `${operation.method} ${operation.path}` === line));
    expect(missing).toEqual(["GET /calls/{call_id}/recording"]);
    expect(tools).toHaveLength(publicRows.length - 1);
  });

  it("[D-mcp] a tool's name is in snake_case and consists of the path and the action", () => {
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of [
      "ping",
      "contacts_list",
      "knowledge_items_list",
      "knowledge_items_create",
      "calls_create",
      "calls_recording_delete",
      "statistics_summary",
      "statistics_usage",
      "voices_list",
    ])
      expect(names).toContain(name);
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it("[D-mcp] a tool's arguments are the path, query and body fields, with unique names", () => {
    expect(tool("contacts_update").inputSchema).toMatchObject({
      type: "object",
      required: ["contact_id"],
      additionalProperties: false,
    });
    const fields = (name: string) => Object.keys(Object(tool(name).inputSchema["properties"]));
    expect(fields("contacts_update")).toEqual([
      "contact_id",
      "group_id",
      "first_name",
      "last_name",
      "phone_numbers",
      "emails",
    ]);
    expect(fields("contacts_list")).toEqual(["cursor", "limit", "group_id"]);
    expect(tool("statistics_usage").inputSchema["required"]).toEqual(["week", "year", "assistant_id"]);
    for (const { operation, definition } of tools) {
      const parts = [
        parsePathParameters(operation.path),
        ...[operation.query, operation.body].map((schema) =>
          schema && "shape" in schema ? Object.keys(Object(schema.shape)) : [],
        ),
      ].flat();
      expect([definition.name, new Set(parts).size]).toEqual([definition.name, parts.length]);
    }
  });

  it.each(tools.map(({ name, definition }) => [name, definition] as const))(
    "the tool %s has an input schema that validators and models accept",
    (_name, { inputSchema, description }) => {
      const validate = ajv.compile(inputSchema);
      expect(validate({ nothing: "known" })).toBe(false);
      expect(Object.keys(inputSchema).filter((word) => /Of$|^if$|^not$/.test(word))).toEqual([]);
      expect(description).not.toMatch(/Assumed|x-assumed/);
      expect(JSON.stringify(inputSchema)).not.toMatch(/Assumed|x-assumed/);
    },
  );

  it("[D-mcp] annotations show whether a tool is read-only, deletes data or calls people", () => {
    const hints = (name: string) => Object.values(tool(name).annotations);
    expect(Object.keys(tool("ping").annotations)).toEqual([
      "readOnlyHint",
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
    ]);
    expect(hints("contacts_list")).toEqual([true, false, true, false]);
    expect(hints("contacts_create")).toEqual([false, false, false, false]);
    expect(hints("contacts_update")).toEqual([false, true, false, false]);
    expect(hints("contacts_delete")).toEqual([false, true, true, false]);
    expect(hints("calls_recording_delete")).toEqual([false, true, true, false]);
    expect(hints("calls_create")).toEqual([false, false, false, true]);
  });
});
