import type { JsonSchema } from "../contract/json-schema.js";
import { buckets } from "../contract/limits.js";
import type { Operation } from "../contract/operation.js";
import { interfaceVersion } from "../contract/version.js";
import { Components } from "./components.js";
import { introduction } from "./introduction.js";
import { tagOf } from "./names.js";
import { operationObject } from "./operations.js";
import type { OpenApiDocument, OperationObject } from "./types.js";

/**
 * The Public API as an OpenAPI 3.1 document, made from its operations.
 * @param serverUrl the base address that paths are relative to
 */
export function createOpenApiDocument(
  operations: Readonly<Record<string, Operation>>,
  serverUrl: string,
): OpenApiDocument {
  const published = Object.entries(operations).filter(([, operation]) => operation.surface === "public");
  const components = new Components();
  const paths: OpenApiDocument["paths"] = {};
  for (const [name, { path, method }] of published) {
    const methods = paths[path] ?? {};
    methods[method.toLowerCase()] = operationObject(name, operations, components);
    paths[path] = methods;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Voice assistant service: Public API",
      // public.versioning.1
      version: interfaceVersion,
      summary: "Assistants, what they know, whom they know, and their calls.",
      description: introduction,
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set([...published.map(([name]) => tagOf(name)), descriptionTag])].map((name) => ({ name })),
    paths: { ...paths, ...descriptionPaths },
    components: components.toJSON(),
    "x-buckets": Object.fromEntries(
      publicBuckets.map((name) => [
        name,
        { limit: buckets[name].limit, window_seconds: buckets[name].windowSeconds },
      ]),
    ),
  };
}

const publicBuckets = ["read", "write", "outbound_trigger"] as const;

const descriptionTag = "Description";

const describing = (
  operationId: string,
  summary: string,
  mediaType: string,
  schema: JsonSchema,
): { get: OperationObject } => ({
  get: {
    operationId,
    summary,
    description: "Needs no key and is not counted.",
    tags: [descriptionTag],
    // public.auth.1
    security: [],
    responses: { 200: { description: "Done", content: { [mediaType]: { schema } } } },
    "x-assumed": "D-docs",
  },
});

/** The document describes the way to itself, too. */
const descriptionPaths = {
  "/openapi.json": describing("description.json", "This document as JSON", "application/json", {
    type: "object",
  }),
  "/openapi.yaml": describing("description.yaml", "This document as YAML", "application/yaml", {
    type: "string",
  }),
  "/docs": describing("description.page", "This document as a page to read", "text/html", {
    type: "string",
  }),
};
