import * as z from "zod";
import { findDecision } from "./assumed.js";
import type { Schema } from "./operation.js";

export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  const?: unknown;
  enum?: unknown[];
  description?: string;
  [keyword: string]: unknown;
}

/**
 * Converts a contract schema to JSON Schema. If `marks` is true, marks assumptions with `x-assumed`.
 * @param direction `input`: the schema of a request, in which fields with defaults are optional. `output`:
 * the schema of a response, which can have unknown fields
 */
export function toJsonSchema(
  schema: Schema,
  direction: "input" | "output",
  { marks = true }: { marks?: boolean } = {},
): JsonSchema {
  const texts = cache.get(schema) ?? new Map<string, string>();
  cache.set(schema, texts);
  const key = `${direction} ${marks}`;
  const text = texts.get(key) ?? JSON.stringify(createSchema(schema, direction, marks));
  texts.set(key, text);
  return JSON.parse(text);
}

/** Stored as text, so that each caller gets a separate copy. */
const cache = new WeakMap<Schema, Map<string, string>>();

function createSchema(schema: Schema, direction: "input" | "output", marks: boolean): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io: direction,
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => {
      const decision = marks ? findDecision(zodSchema) : undefined;
      if (decision) jsonSchema["x-assumed"] = decision;
      if (direction === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  // Zod adds hidden properties such as `~standard` to its result. A JSON copy doesn't contain them.
  const plain: JsonSchema = JSON.parse(JSON.stringify(made));
  delete plain["$schema"];
  return tidySchema(plain);
}

function tidySchema(schema: JsonSchema): JsonSchema {
  const result = mergeNullType(schema);
  if (result["x-assumed"] !== undefined) {
    // Viewers don't show fields that start with `x-`, so the description also states the assumption.
    const assumed = `Assumed: ${result["x-assumed"]}`;
    result.description = result.description ? `${result.description} (${assumed})` : `${assumed}.`;
  }
  // Omit the pattern of times, because the format already describes times.
  if (result["format"] === "date-time") delete result["pattern"];
  // Zod adds these limits to every integer.
  if (result["minimum"] === Number.MIN_SAFE_INTEGER) delete result["minimum"];
  if (result["maximum"] === Number.MAX_SAFE_INTEGER) delete result["maximum"];
  if (result.properties) {
    const fields = Object.entries(result.properties).filter(([, field]) => !isNeverSchema(field));
    result.properties = Object.fromEntries(fields.map(([name, field]) => [name, tidySchema(field)]));
  }
  if (result.items) result.items = tidySchema(result.items);
  if (typeof result.additionalProperties === "object")
    result.additionalProperties = tidySchema(result.additionalProperties);
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = result[keyword];
    if (Array.isArray(choices)) result[keyword] = choices.map(tidySchema);
  }
  return result;
}

function mergeNullType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...siblingKeywords } = schema;
  const [value, none, ...more] = anyOf ?? [];
  if (!value || none?.type !== "null" || more.length > 0 || typeof value.type !== "string")
    return { ...schema };
  if (["anyOf", "oneOf", "allOf", "if", "const"].some((keyword) => keyword in value)) return { ...schema };
  const values = Array.isArray(value["enum"]) ? { enum: [...value["enum"], null] } : {};
  return { ...value, ...siblingKeywords, ...values, type: [value.type, "null"] };
}

/** A field that accepts no value exists only for its error message. */
function isNeverSchema(schema: JsonSchema): boolean {
  return JSON.stringify(schema["not"]) === "{}";
}
