import { apis } from "../contract/apis.js";
import { descriptions } from "../contract/descriptions.js";
import { exampleIds, findExample } from "../contract/examples.js";
import { type JsonSchema, toJsonSchema } from "../contract/json-schema.js";
import { buckets } from "../contract/limits.js";
import { type Operation, parsePathParameters, type Schema } from "../contract/operation.js";
import { ObjectId } from "../contract/primitives.js";
import type { Components } from "./components.js";
import { limitHeaders } from "./headers.js";
import { requestName, responseName, toTag } from "./names.js";
import type { MediaTypeObject, OperationObject, ParameterObject } from "./types.js";

type Operations = Readonly<Record<string, Operation>>;

export function buildOperation(
  name: string,
  operations: Operations,
  components: Components,
): OperationObject {
  const operation = operations[name];
  if (!operation) throw new Error(`unknown operation ${name}`);
  const parameters = [
    ...pathObjects(operation, operations),
    ...queryObjects(operation),
    ...rangeObjects(operation),
  ];
  return {
    operationId: name,
    summary: operation.summary,
    description: [descriptions[name], formatNeeds(operation)].filter(Boolean).join("\n\n"),
    tags: [toTag(name)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: requestBody(name, operation, operation.body, components) } : {}),
    responses: {
      ...successResponses(name, operations, operation, components),
      ...Object.fromEntries(
        listStatuses(operation).map((status) => [status, components.errorReference(name, status)]),
      ),
    },
    ...(operation.bucket ? { "x-bucket": operation.bucket } : {}),
    ...(operation.permission ? { "x-permission": operation.permission } : {}),
    ...(listFeatures(operation).length > 0 ? { "x-feature": listFeatures(operation) } : {}),
    // An empty list means that no key is required (dist.auth).
    ...(operation.keyless ? { security: [] } : {}),
    ...(operation.pathAssumed ? { "x-assumed": operation.pathAssumed } : {}),
  };
}

// Ping requires no permission, so it never returns 403 (public.endpoints.ping).
function listStatuses(operation: Operation): number[] {
  const common = operation.keyless ? [500] : apis[operation.api].commonErrors;
  return [...new Set([...operation.errors, ...common])]
    .filter((status) => status !== 403 || operation.permission !== null)
    .sort((a, b) => a - b);
}

// D-features
function listFeatures(operation: Operation): string[] {
  const always = operation.api === "public" ? ["public_api"] : [];
  return [...always, ...(operation.feature ? [operation.feature] : [])];
}

/** Formats an operation's requirements as text, because viewers don't show fields that start with `x-`. */
function formatNeeds(operation: Operation): string {
  const needs: string[] = [];
  if (operation.permission) needs.push(`Permission \`${operation.permission}\``);
  const features = listFeatures(operation);
  if (features.length > 0)
    needs.push(
      `feature${features.length > 1 ? "s" : ""} ${features.map((feature) => `\`${feature}\``).join(" and ")}`,
    );
  if (operation.keyless) needs.push("no key required · not rate-limited");
  if (operation.bucket) {
    const { limit, windowSeconds } = buckets[operation.bucket];
    needs.push(
      `bucket \`${operation.bucket}\` (${limit} ${windowSeconds === 60 ? "per minute" : "per hour"})`,
    );
  }
  const text = needs.join(" · ");
  const assumed = operation.pathAssumed ? ` · path assumed (${operation.pathAssumed})` : "";
  return text.charAt(0).toUpperCase() + text.slice(1) + assumed;
}

function pathObjects(operation: Operation, operations: Operations): ParameterObject[] {
  return parsePathParameters(operation.path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: toJsonSchema(operation.parameters?.[name] ?? ObjectId, "input"),
    example: findIdExample(name, operation.path, operations),
  }));
}

function findIdExample(parameter: string, path: string, operations: Operations): unknown {
  const shared = Object.entries(exampleIds).find(([name]) => name === parameter)?.[1];
  if (shared !== undefined) return shared;
  const [collection] = path.split(`/{${parameter}}`);
  return Object.values(operations)
    .filter((operation) => operation.path === collection)
    .map(({ response }): Readonly<Record<string, unknown>> => ({ ...Object(findExample(response)) }))
    .map((example) => example[parameter] ?? example["id"])
    .find((id) => id !== undefined);
}

/**
 * Examples of required query parameters. Optional parameters have no examples, because viewers would send
 * them: an invented cursor is invalid, and a filter would return an empty page.
 */
const queryExamples: Readonly<Record<string, unknown>> = {
  week: 47,
  year: 2026,
  assistant_id: "all",
  from: "2026-11-01",
  to: "2026-11-30",
};

function queryObjects(operation: Operation): ParameterObject[] {
  if (!operation.query) return [];
  const query = toJsonSchema(operation.query, "input");
  return Object.entries(query.properties ?? {}).map(([name, { description, ...schema }]) => {
    const required = query.required?.includes(name) ?? false;
    return {
      name,
      in: "query",
      ...(description === undefined ? {} : { description }),
      required,
      schema,
      ...(required ? { example: queryExamples[name] } : {}),
    };
  });
}

// public.operations.13a
function rangeObjects(operation: Operation): ParameterObject[] {
  if (operation.responseShape !== "binary") return [];
  const header = (
    name: string,
    description: string,
    more: Partial<ParameterObject> = {},
  ): ParameterObject => ({
    name,
    in: "header",
    description,
    required: false,
    schema: { type: "string" },
    ...more,
  });
  return [
    header(
      "Range",
      "One range of bytes to return, such as `bytes=0-1023`. For any other value, the response is the whole file.",
    ),
    header(
      "If-Range",
      "The `ETag` of the part that you already have. If the file's current `ETag` is different, the response is the whole file.",
      {
        "x-assumed": "D-recording",
      },
    ),
  ];
}

function requestBody(
  name: string,
  operation: Operation,
  body: Schema,
  components: Components,
): OperationObject["requestBody"] & object {
  return {
    required: true,
    content: {
      "application/json": {
        schema: components.reference(body, "input", requestName(name)),
        examples: buildExample(operation.summary, findExample(body)),
      },
    },
  };
}

function successResponses(
  name: string,
  operations: Operations,
  operation: Operation,
  components: Components,
): OperationObject["responses"] {
  if (operation.responseShape === "binary") return recordingResponses;
  const limits = operation.keyless ? {} : limitHeaders(operation.api);
  return {
    [operation.success]: {
      description: operation.success === 201 ? "Created" : "Done",
      ...(Object.keys(limits).length > 0 ? { headers: limits } : {}),
      content: { "application/json": successContent(name, operations, operation, components) },
    },
  };
}

function successContent(
  name: string,
  operations: Operations,
  operation: Operation,
  components: Components,
): MediaTypeObject {
  const { envelope: form, meta } = apis[operation.api];
  const success = form === "status" ? { status: "success" } : {};
  if (operation.responseShape === "empty" || !operation.response) {
    // public.endpoints.delete
    return {
      schema: { $ref: "#/components/schemas/Empty" },
      examples: buildExample("Done", { ...success, data: {} }),
    };
  }
  const component = responseName(name, operation, operations);
  const item = components.reference(operation.response, "output", component);
  const example = findExample(operation.response);
  switch (operation.responseShape) {
    case "page":
      return {
        schema: envelope(
          form,
          { type: "array", items: item },
          { meta: { $ref: "#/components/schemas/PageMeta" } },
        ),
        examples: buildExample("A list that fits on one page", {
          ...success,
          data: [example],
          meta: { [meta.hasMore]: false, [meta.nextCursor]: null },
        }),
      };
    case "list":
      return {
        schema: envelope(form, { type: "array", items: item }),
        examples: buildExample("All items", { ...success, data: [example] }),
      };
    case "bare":
      return { schema: item, examples: buildExample(component, example) };
    default:
      return {
        schema: envelope(form, item),
        examples: buildExample(component, { ...success, data: example }),
      };
  }
}

/** Some viewers would invent a name for an example without a name. */
function buildExample(summary: string, value: unknown): MediaTypeObject["examples"] & object {
  return { example: { summary, value } };
}

function envelope(
  form: "data" | "status",
  data: JsonSchema,
  more: Record<string, JsonSchema> = {},
): JsonSchema {
  const status: Record<string, JsonSchema> =
    form === "status" ? { status: { type: "string", const: "success" } } : {};
  const properties = { ...status, data, ...more };
  return { type: "object", required: Object.keys(properties), properties };
}

// public.operations.13b
const bytes = { schema: { type: "string", format: "binary" } };
const audio = { "audio/flac": bytes, "audio/wav": bytes, "audio/mpeg": bytes };
const recordingHeaders = {
  ...limitHeaders("public"),
  "Accept-Ranges": { $ref: "#/components/headers/Accept-Ranges" },
  ETag: { $ref: "#/components/headers/ETag" },
};
const recordingResponses = {
  200: { description: "The whole recording", headers: recordingHeaders, content: audio },
  206: {
    description: "The requested part",
    headers: { ...recordingHeaders, "Content-Range": { $ref: "#/components/headers/Content-Range" } },
    content: audio,
  },
};
