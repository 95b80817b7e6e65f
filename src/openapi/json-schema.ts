import * as z from "zod";
import { decisionOf } from "../contract/assumed.js";
import type { Schema } from "../contract/operation.js";

/** The part of JSON Schema 2020-12 that the contract's schemas come out as. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  description?: string;
  format?: string;
  not?: JsonSchema;
  [keyword: string]: unknown;
}

/** A date-time's pattern says the same as its format, less readably. */
const isDateTimePattern = (pattern: unknown) => typeof pattern === "string" && pattern.length > 200;

/**
 * A contract's schema as JSON Schema; what a decision made up is marked `x-assumed`.
 * @param direction `input`: what a caller sends (defaults are optional, unknown fields refused where the schema is
 *   strict); `output`: what an answer holds (open, since later versions may say more)
 */
export function jsonSchemaOf(schema: Schema, direction: "input" | "output"): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io: direction,
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => {
      const decision = decisionOf(zodSchema);
      if (decision) jsonSchema["x-assumed"] = decision;
      if (direction === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      if (jsonSchema.format === "date-time" && isDateTimePattern(jsonSchema.pattern))
        delete jsonSchema.pattern;
      // Every JSON number is within these.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      withoutRefused(jsonSchema.properties);
    },
  });
  // Plain JSON, without what zod attaches to it.
  const plain: JsonSchema = JSON.parse(JSON.stringify(made));
  delete plain["$schema"];
  return plain;
}

/** A field that is known only to be refused by name is none that can be sent. */
function withoutRefused(properties: Record<string, unknown> | undefined): void {
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (typeof property !== "object" || property === null || !("not" in property)) continue;
    if (JSON.stringify(property.not) === "{}") delete properties?.[name];
  }
}
