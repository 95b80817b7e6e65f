import { type ApiName, apis } from "../contract/apis.js";
import { type JsonSchema, toJsonSchema } from "../contract/json-schema.js";
import type { Schema } from "../contract/operation.js";
import { publicErrorResponses } from "./errors.js";
import { flatErrors } from "./flat-errors.js";
import { selectHeaders } from "./headers.js";
import type { ComponentsObject, Errors } from "./types.js";

export class Components {
  private readonly schemas: Record<string, JsonSchema> = {};
  private readonly names = new Map<Schema, string>();
  private readonly errors: Errors;

  constructor(
    private readonly api: ApiName,
    private readonly keyText: string,
  ) {
    this.errors = api === "public" ? publicErrorResponses : flatErrors(api);
  }

  /** @throws Error if two schemas have the same name */
  reference(schema: Schema, direction: "input" | "output", name: string): JsonSchema {
    if (!this.names.has(schema)) {
      if (name in this.schemas) throw new Error(`two schemas have the name ${name}`);
      this.names.set(schema, name);
      const json = toJsonSchema(schema, direction);
      this.schemas[name] = direction === "input" ? describeDefaults(json) : json;
    }
    return { $ref: `#/components/schemas/${this.names.get(schema)}` };
  }

  errorReference(operation: string, status: number): { $ref: string } {
    const name = this.errors.nameOf(operation, status);
    if (name === undefined) throw new Error(`${operation}: no description for status ${status}`);
    return { $ref: `#/components/responses/${name}` };
  }

  toJSON(): ComponentsObject {
    const { api, errors } = this;
    const { meta, envelope } = apis[api];
    const hasPages = api !== "legacy";
    return {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: this.keyText } },
      schemas: {
        ...this.schemas,
        ...(hasPages ? { PageMeta: pageMeta(meta), Empty: empty(envelope) } : {}),
        Error: errors.schema,
      },
      responses: errors.responses(),
      headers: selectHeaders(api),
    };
  }
}

/**
 * Replaces `default` with a description and `x-default`, because type generators treat fields with `default`
 * as required.
 */
function describeDefaults({ default: value, ...schema }: JsonSchema): JsonSchema {
  const { description = "", properties, items, additionalProperties, anyOf, oneOf } = schema;
  const text = `Default: \`${JSON.stringify(value)}\`.`;
  return {
    ...schema,
    ...(value === undefined
      ? {}
      : { description: description === "" ? text : `${text} ${description}`, "x-default": value }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, describeDefaults(field)]),
      ),
    }),
    ...(items && { items: describeDefaults(items) }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: describeDefaults(additionalProperties),
    }),
    ...(anyOf && { anyOf: anyOf.map(describeDefaults) }),
    ...(oneOf && { oneOf: oneOf.map(describeDefaults) }),
  };
}

function pageMeta({ hasMore, nextCursor }: { hasMore: string; nextCursor: string }): JsonSchema {
  return {
    type: "object",
    required: [hasMore, nextCursor],
    properties: {
      [hasMore]: { type: "boolean" },
      [nextCursor]: {
        type: ["string", "null"],
        description: "Send it as `cursor`; null on the last page",
      },
    },
  };
}

function empty(envelope: "data" | "status"): JsonSchema {
  if (envelope === "data") {
    return {
      type: "object",
      required: ["data"],
      properties: { data: { type: "object", "x-assumed": "D-empty" } },
    };
  }
  return {
    type: "object",
    required: ["status", "data"],
    properties: { status: { type: "string", const: "success" }, data: { type: "object" } },
    "x-assumed": "D-v2-delete",
  };
}
