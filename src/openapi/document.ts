import { type ApiName, apis } from "../contract/apis.js";
import type { JsonSchema } from "../contract/json-schema.js";
import { buckets } from "../contract/limits.js";
import type { Operation } from "../contract/operation.js";
import { interfaceVersion } from "../contract/version.js";
import { apiDescriptions } from "./api-descriptions.js";
import { Components } from "./components.js";
import { descriptionTag, toTag } from "./names.js";
import { buildOperation } from "./operations.js";
import type { OpenApiDocument, OperationObject } from "./types.js";

export function createOpenApiDocument(
  operations: Readonly<Record<string, Operation>>,
  api: ApiName,
  serverUrl: string,
): OpenApiDocument {
  const published = Object.entries(operations).filter(([, operation]) => operation.api === api);
  const { title, summary, introduction, keyText } = apiDescriptions[api];
  const { basePath, descriptionPath } = apis[api];
  const components = new Components(api, keyText);
  const paths: OpenApiDocument["paths"] = {};
  for (const [name, { path, method }] of published) {
    const methods = paths[path] ?? {};
    methods[method.toLowerCase()] = buildOperation(name, operations, components);
    paths[path] = methods;
  }
  const counted = new Set(published.flatMap(([, { bucket }]) => bucket ?? []));
  return {
    openapi: "3.1.0",
    // public.versioning.1
    info: { title, version: versions[api], summary, description: introduction },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: listTags(published),
    paths: { ...paths, ...descriptionPaths(descriptionPath.slice(basePath.length)) },
    components: components.toJSON(),
    "x-buckets": Object.fromEntries(
      bucketNames
        .filter((name) => counted.has(name))
        .map((name) => [name, { limit: buckets[name].limit, window_seconds: buckets[name].windowSeconds }]),
    ),
  };
}

/** A tag's description is the first `about` text among its operations. */
function listTags(published: readonly (readonly [string, Operation])[]): OpenApiDocument["tags"] {
  const tags = new Map<string, string>();
  for (const [name, { about = "" }] of published) {
    const tag = toTag(name);
    tags.set(tag, tags.get(tag) || about);
  }
  tags.set(descriptionTag, "This document in several formats.");
  return [...tags].map(([name, description]) => ({ name, description }));
}

const bucketNames = ["read", "write", "outbound_trigger", "distributor", "legacy"] as const;

/** Only the Public API has a version number in addition to the version in its path. */
const versions: Readonly<Record<ApiName, string>> = {
  public: interfaceVersion,
  "distributor-v1": "1",
  "distributor-v2": "2",
  legacy: "1",
};

const describing = (
  operationId: string,
  summary: string,
  mediaType: string,
  schema: JsonSchema,
): Record<string, OperationObject> => ({
  get: {
    operationId,
    summary,
    description: "Requires no key and is not rate-limited.",
    tags: [descriptionTag],
    // public.auth.1
    security: [],
    responses: { 200: { description: "Done", content: { [mediaType]: { schema } } } },
    "x-assumed": "D-docs",
  },
});

/**
 * Returns the paths of the operations that return this document.
 * @param at path relative to the base URL
 */
function descriptionPaths(at: string): OpenApiDocument["paths"] {
  return {
    [`${at}/openapi.json`]: describing("description.json", "This document as JSON", "application/json", {
      type: "object",
    }),
    [`${at}/openapi.yaml`]: describing("description.yaml", "This document as YAML", "application/yaml", {
      type: "string",
    }),
    [`${at}/docs`]: describing("description.page", "This document as a web page", "text/html", {
      type: "string",
    }),
  };
}
