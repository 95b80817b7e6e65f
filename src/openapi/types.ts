import type { JsonSchema } from "../contract/json-schema.js";

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: ComponentsObject;
  [extension: `x-${string}`]: unknown;
}

export interface ComponentsObject {
  securitySchemes: Record<string, object>;
  schemas: Record<string, JsonSchema>;
  responses: Record<string, ResponseObject>;
  headers: Record<string, HeaderObject>;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  /** Markdown. */
  description: string;
  tags: string[];
  parameters?: ParameterObject[];
  requestBody?: { required: boolean; content: Record<string, MediaTypeObject> };
  responses: Record<string, ResponseObject | Reference>;
  /** Empty if no key is required. */
  security?: Record<string, string[]>[];
  [extension: `x-${string}`]: unknown;
}

export interface LocatedOperation {
  operation: OperationObject;
  method: string;
  path: string;
}

export interface ParameterObject {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required: boolean;
  schema: JsonSchema;
  example?: unknown;
  [extension: `x-${string}`]: unknown;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, HeaderObject | Reference>;
  content?: Record<string, MediaTypeObject>;
  [extension: `x-${string}`]: unknown;
}

export interface MediaTypeObject {
  schema?: JsonSchema;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface HeaderObject {
  description: string;
  required: boolean;
  schema: JsonSchema;
  [extension: `x-${string}`]: unknown;
}

interface Reference {
  $ref: string;
}

export interface Errors {
  schema: JsonSchema;
  /** Returns undefined if the operation has no error response for this status. */
  nameOf(operation: string, status: number): string | undefined;
  responses(): Record<string, ResponseObject>;
}
