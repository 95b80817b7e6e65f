import { type JsonSchema, jsonSchemaOf } from "../contract/json-schema.js";
import type { Schema } from "../contract/operation.js";
import { errorResponses, errorSchema } from "./errors.js";
import { headers } from "./headers.js";
import type { ComponentsObject } from "./types.js";

/** The document's components: each of the contract's schemas by its name. */
export class Components {
  private readonly schemas: Record<string, JsonSchema> = {};
  private readonly names = new Map<Schema, string>();

  /** @throws Error when two schemas would have one name */
  reference(schema: Schema, direction: "input" | "output", name: string): JsonSchema {
    if (!this.names.has(schema)) {
      if (name in this.schemas) throw new Error(`two schemas are called ${name}`);
      this.names.set(schema, name);
      this.schemas[name] = jsonSchemaOf(schema, direction);
    }
    return { $ref: `#/components/schemas/${this.names.get(schema)}` };
  }

  toJSON(): ComponentsObject {
    return {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key of the organization" },
      },
      schemas: { ...this.schemas, PageMeta: pageMeta, Empty: empty, Error: errorSchema },
      responses: errorResponses(),
      headers,
    };
  }
}

const pageMeta: JsonSchema = {
  type: "object",
  required: ["has_more", "next_cursor"],
  properties: {
    has_more: { type: "boolean" },
    next_cursor: {
      type: ["string", "null"],
      description: "Send it back as `cursor`; null on the last page",
    },
  },
};

const empty: JsonSchema = {
  type: "object",
  required: ["data"],
  properties: { data: { type: "object", "x-assumed": "D-empty" } },
};
