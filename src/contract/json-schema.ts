import * as z from "zod";
import { findDecision } from "./assumed.js";
import type { Schema } from "./operation.js";

/** The part of JSON Schema 2020-12 that the contract's schemas use. */
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
 * Converts a contract schema to JSON Schema. Marks assumptions with `x-assumed`, unless disabled.
 * @param direction `input`: what a client sends; fields with defaults are optional, and strict schemas refuse unknown fields. `output`: a
 *   response; unknown fields are allowed, because later versions may add some
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

/** Cached as text, so that callers can modify the schema they get. */
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
  // A plain JSON copy doesn't contain zod's additions.
  const plain: JsonSchema = JSON.parse(JSON.stringify(made));
  delete plain["$schema"];
  return tidySchema(plain);
}

/** Shortens a schema, and adds its assumptions to the descriptions. */
function tidySchema(schema: JsonSchema): JsonSchema {
  const result = mergeNullType(schema);
  if (result["x-assumed"] !== undefined) {
    // State the assumption in the description: viewers don't show fields that start with `x-`.
    const assumed = `Assumed: ${result["x-assumed"]}`;
    result.description = result.description ? `${result.description} (${assumed})` : `${assumed}.`;
  }
  // Omit the pattern of times: the format covers most of it. The document's introduction says that times are in UTC.
  if (result["format"] === "date-time") delete result["pattern"];
  // Zod adds these limits to every integer. They are not limits of the API.
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

/** Merges `anyOf: [{type: "string"}, {type: "null"}]` into `type: ["string", "null"]`, unless the first schema is itself an `anyOf`. */
function mergeNullType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...siblingKeywords } = schema;
  const [value, none, ...more] = anyOf ?? [];
  if (!value || none?.type !== "null" || more.length > 0 || typeof value.type !== "string")
    return { ...schema };
  if (["anyOf", "oneOf", "allOf", "if", "const"].some((keyword) => keyword in value)) return { ...schema };
  const values = Array.isArray(value["enum"]) ? { enum: [...value["enum"], null] } : {};
  return { ...value, ...siblingKeywords, ...values, type: [value.type, "null"] };
}

/** Returns whether a field accepts no value. Such a field exists only for its error message, so it is omitted. */
function isNeverSchema(schema: JsonSchema): boolean {
  return JSON.stringify(schema["not"]) === "{}";
}
