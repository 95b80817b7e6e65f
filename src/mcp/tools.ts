import type { ApiName } from "../contract/apis.js";
import { operations } from "../contract/contract.js";
import { descriptions } from "../contract/descriptions.js";
import { type JsonSchema, toJsonSchema } from "../contract/json-schema.js";
import { type Operation, parsePathParameters } from "../contract/operation.js";
import { isOperationName } from "../contract/operation-names.js";
import { ObjectId } from "../contract/primitives.js";
import type { OperationName } from "../contract/wire.js";

export interface ApiTool {
  /**
   * The operation's path in snake_case, followed by the action. The names of distributor tools start with the
   * API's name (D-mcp).
   */
  readonly name: string;
  readonly operationName: OperationName;
  readonly operation: Operation;
  readonly readOnly: boolean;
  readonly definition: ToolDefinition;
}

interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** An API with tools. The legacy API has no tools, because the Public API covers its operations. */
export type ToolApi = Exclude<ApiName, "legacy">;

/** Prefixes of tool names, because two APIs have operations with the same path. */
const prefixes: Readonly<Record<ToolApi, string>> = {
  public: "",
  "distributor-v1": "distributor_v1_",
  "distributor-v2": "distributor_",
};

/** Omits downloads of recordings, because a model can't read audio bytes (D-mcp). */
export function apiTools(apis: readonly ToolApi[] = ["public"]): ApiTool[] {
  return Object.entries(operations).flatMap(([operationName, operation]) => {
    const api = apis.find((name) => name === operation.api);
    if (api === undefined || operation.responseShape === "binary") return [];
    return isOperationName(operationName) ? [buildTool(operationName, operation, prefixes[api])] : [];
  });
}

function buildTool(operationName: OperationName, operation: Operation, prefix: string): ApiTool {
  const name = prefix + buildToolName(operationName, operation);
  const { method, summary } = operation;
  const readOnly = method === "GET";
  return {
    name,
    operationName,
    operation,
    readOnly,
    definition: {
      name,
      title: summary,
      description: [`${summary}.`, descriptions[operationName]].filter(Boolean).join(" "),
      inputSchema: buildInputSchema(operation),
      annotations: {
        readOnlyHint: readOnly,
        // An update also counts as destructive, because it replaces values.
        destructiveHint: !readOnly && method !== "POST",
        idempotentHint: readOnly || method === "DELETE",
        // A phone call reaches a person outside the system.
        openWorldHint: operation.bucket === "outbound_trigger",
      },
    },
  };
}

function buildToolName(operationName: string, { path }: Operation): string {
  const words = path
    .split("/")
    .filter((part) => part !== "" && !part.startsWith("{"))
    .map((part) => part.replaceAll("-", "_"));
  const [, ...actions] = operationName.split(".");
  const action = actions.at(-1);
  // The path of `statistics.usage` already contains the action.
  return (action === undefined || words.at(-1) === action ? words : [...words, action]).join("_");
}

function buildInputSchema(operation: Operation): ToolDefinition["inputSchema"] {
  const parameters = parsePathParameters(operation.path);
  const parts: JsonSchema[] = [
    {
      properties: Object.fromEntries(
        parameters.map((name) => [name, plainSchema(operation.parameters?.[name] ?? ObjectId)]),
      ),
      required: parameters,
    },
    ...[operation.query, operation.body]
      .filter((schema) => schema !== undefined)
      .map((schema) => flattenSchema(plainSchema(schema))),
  ];
  const required = parts.flatMap((part) => part.required ?? []);
  const fields: Record<string, JsonSchema> = Object.assign({}, ...parts.map((part) => part.properties));
  // Omit the patterns of distributor fields, because a deployment's IDs may have a different format from the
  // emulator's.
  const properties =
    operation.api === "public"
      ? fields
      : Object.fromEntries(
          Object.entries(fields).map(([name, { pattern: _, ...field }]) => [
            name,
            field satisfies JsonSchema,
          ]),
        );
  // Many models don't support combinators at the top level. Describe conditions on several fields in text.
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/**
 * Many models don't support combinators at the top level. A field is required if every alternative requires
 * it; the service refuses invalid combinations.
 */
function flattenSchema(schema: JsonSchema): JsonSchema {
  const forms = schema.oneOf ?? schema.anyOf ?? [];
  if (schema.properties !== undefined || forms.length === 0) return schema;
  const properties: Record<string, JsonSchema> = {};
  for (const form of forms) {
    for (const [name, field] of Object.entries(form.properties ?? {})) {
      const known = properties[name];
      const values = [known?.const, ...(known?.enum ?? []), field.const].filter(
        (value) => value !== undefined,
      );
      properties[name] = known === undefined || values.length < 2 ? field : { type: "string", enum: values };
    }
  }
  const [first, ...remaining] = forms.map(({ required = [] }) => required);
  const required = (first ?? []).filter((name) => remaining.every((names) => names.includes(name)));
  return { properties, required };
}

// Omits `x-assumed`, because a model can't use the IDs of design decisions.
function plainSchema(schema: Operation["body"] & {}): JsonSchema {
  return toJsonSchema(schema, "input", { marks: false });
}
