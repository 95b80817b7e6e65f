import { operations } from "../contract/contract.js";
import { descriptions } from "../contract/descriptions.js";
import { type JsonSchema, jsonSchemaOf } from "../contract/json-schema.js";
import { type Operation, pathParameters } from "../contract/operation.js";
import { ObjectId } from "../contract/primitives.js";
import { type OperationName, wireOperations } from "../contract/wire.js";

/** One operation of the Public API as a tool. */
export interface ApiTool {
  /** D-mcp: the path in snake_case, and the action. */
  readonly name: string;
  readonly operationName: OperationName;
  readonly operation: Operation;
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** As `tools/list` shows it. */
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

/** Every tool, in the contract's order. Recordings are no tools: their bytes are nothing to read (D-mcp). */
export function apiTools(): ApiTool[] {
  return Object.entries(operations).flatMap(([operationName, operation]) => {
    if (operation.surface !== "public" || operation.answer === "binary") return [];
    return isOperationName(operationName) ? [toolOf(operationName, operation)] : [];
  });
}

function toolOf(operationName: OperationName, operation: Operation): ApiTool {
  const name = toolName(operationName, operation);
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
      inputSchema: inputSchema(operation),
      annotations: {
        readOnlyHint: readOnly,
        // A create only adds; whatever an update replaces is gone, too.
        destructiveHint: !readOnly && method !== "POST",
        idempotentHint: readOnly || method === "DELETE",
        // A call reaches a person.
        openWorldHint: operation.bucket === "outbound_trigger",
      },
    },
  };
}

function toolName(operationName: string, { path }: Operation): string {
  const words = path
    .split("/")
    .filter((part) => part !== "" && !part.startsWith("{"))
    .map((part) => part.replaceAll("-", "_"));
  const [, ...actions] = operationName.split(".");
  const action = actions.at(-1);
  // `statistics.usage` lies at /statistics/usage: its path says the action.
  return (action === undefined || words.at(-1) === action ? words : [...words, action]).join("_");
}

/** Path, query and body side by side. */
function inputSchema(operation: Operation): ToolDefinition["inputSchema"] {
  const parameters = pathParameters(operation.path);
  const parts: JsonSchema[] = [
    {
      properties: Object.fromEntries(
        parameters.map((name) => [name, plainSchema(operation.parameters?.[name] ?? ObjectId)]),
      ),
      required: parameters,
    },
    ...[operation.query, operation.body].filter((schema) => schema !== undefined).map(plainSchema),
  ];
  const required = parts.flatMap((part) => part.required ?? []);
  // Conditions between fields are left to the description: many models take no combinators at the top.
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

// An assistant that fills the arguments has no use for the decision behind a bound.
function plainSchema(schema: Operation["body"] & {}): JsonSchema {
  return jsonSchemaOf(schema, "input", { marks: false });
}

function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(wireOperations, name);
}
