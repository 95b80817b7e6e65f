import type { ApiName } from "../contract/apis.js";
import type { JsonSchema } from "../contract/json-schema.js";
import type { HeaderObject } from "./types.js";

const whole = (minimum: number): JsonSchema => ({ type: "integer", minimum });
const text: JsonSchema = { type: "string" };

/** A header marked as required is always present. */
export const headers = {
  "X-RateLimit-Limit": {
    description: "Number of requests allowed in the bucket's window",
    required: true,
    schema: whole(0),
  },
  "X-RateLimit-Remaining": {
    description: "Number of requests remaining in this window",
    required: true,
    schema: whole(0),
  },
  "X-RateLimit-Reset": {
    description: "End of the window, in Unix seconds",
    required: true,
    schema: whole(0),
  },
  "Retry-After": { description: "Time to wait, in seconds", required: true, schema: whole(1) },
  "WWW-Authenticate": {
    description: "The required authentication scheme",
    required: true,
    schema: { type: "string", const: "Bearer" },
    "x-assumed": "D-order",
  },
  "X-Emulator-Rule": {
    description: "The API rule or decision behind the response; only the emulator sends this header",
    required: true,
    schema: text,
    "x-assumed": "emulator.explain",
  },
  "Accept-Ranges": {
    description: "Recordings support byte ranges",
    required: true,
    schema: { type: "string", const: "bytes" },
    "x-assumed": "D-recording",
  },
  "Content-Range": {
    description: "Position of this part and the total size: `bytes 0-1023/4211`, or `bytes */4211`",
    required: true,
    schema: text,
  },
  ETag: {
    description: "Identifies this version of the recording, for `If-Range`",
    required: true,
    schema: text,
    "x-assumed": "D-recording",
  },
} as const satisfies Record<string, HeaderObject>;

/**
 * Headers of all responses after the rate limiter has accepted the request (public.limits.2, dist.limits.2).
 * The legacy API has no such headers.
 */
const limitHeaderNames: Readonly<Record<ApiName, readonly string[]>> = {
  public: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
  "distributor-v1": ["Retry-After", "X-RateLimit-Reset"],
  "distributor-v2": ["Retry-After", "X-RateLimit-Reset"],
  legacy: [],
};

export function limitHeaders(api: ApiName): Record<string, { $ref: string }> {
  return Object.fromEntries(
    limitHeaderNames[api].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

export function selectHeaders(api: ApiName): Record<string, HeaderObject> {
  const used = new Set([...limitHeaderNames[api], "WWW-Authenticate", "X-Emulator-Rule", "Retry-After"]);
  return api === "public"
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => used.has(name)));
}
