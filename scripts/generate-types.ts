import { operations } from "../src/contract/contract.js";
import { type JsonSchema, toJsonSchema } from "../src/contract/json-schema.js";
import type { Operation } from "../src/contract/operation.js";

/** Returns each operation's input and response as TypeScript, for programs that import the client. */
export function typesModule(): string {
  const entries = Object.entries(operations).map(
    ([name, operation]) => `  ${JSON.stringify(name)}: ${operationText(operation)};`,
  );
  return [
    "// Generated from the contract: the input and the response of each operation.",
    "",
    "/** Path parameters, query, body, and the response's data without its envelope, by operation. */",
    "export interface OperationTypes {",
    ...entries,
    "}",
    "",
  ].join("\n");
}

function operationText({ path, query, body, response, responseShape: responseType }: Operation): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const dataType =
    response === undefined ? "unknown" : typeText(toJsonSchema(response, "output", { marks: false }));
  const data = {
    item: dataType,
    bare: dataType,
    page: listText(dataType),
    list: listText(dataType),
    empty: "null",
    binary: "AsyncIterable<Uint8Array>",
  }[responseType];
  const parts = [
    `path: { ${names.join("; ")} }`.replace("{  }", "Record<never, never>"),
    `query: ${query === undefined ? "Record<never, never>" : typeText(toJsonSchema(query, "input", { marks: false }))}`,
    `body: ${body === undefined ? "undefined" : typeText(toJsonSchema(body, "input", { marks: false }))}`,
    `data: ${data}`,
  ];
  return `{ ${parts.join("; ")} }`;
}

const listText = (itemType: string) =>
  `${/[|&]/.test(itemType) && !itemType.startsWith("{") ? `(${itemType})` : itemType}[]`;

function typeText(schema: JsonSchema): string {
  const choices = schema.anyOf ?? (Array.isArray(schema["oneOf"]) ? schema["oneOf"] : undefined);
  if (choices) return union(choices.map(typeText));
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return union(schema["enum"].map((value) => JSON.stringify(value)));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return union(types.map((type) => plainText(type, schema)));
}

function plainText(type: string | undefined, schema: JsonSchema): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return listText(schema.items ? typeText(schema.items) : "unknown");
    case "object":
      return objectText(schema);
    default:
      return "unknown";
  }
}

function objectText({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const text = typeText(field);
    return required.includes(name) ? `${key}: ${text}` : `${key}?: ${text} | undefined`;
  });
  const additionalType =
    typeof additionalProperties === "object" ? typeText(additionalProperties) : undefined;
  if (fields.length === 0) return `Record<string, ${additionalType ?? "unknown"}>`;
  return `{ ${fields.join("; ")} }`;
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.includes("unknown") ? "unknown" : distinct.join(" | ");
}
