import { at, done, isPublic, succeeded } from "./evidence.js";
import type { Rules } from "./rule.js";

/** API rules about the Public API's keys, events, errors, limits and version. */
export const publicAccessRules: Rules = {
  "public.auth.1": {
    text: "Every endpoint except the API description requires a bearer key.",
    refusedAs: ["public.auth.4"],
    seen: (seen) => isPublic(seen) && seen.status === 401,
  },
  "public.auth.2": {
    text: "A key gives access to one organization and has one role.",
    refusedAs: ["public.errors.4"],
  },
  "public.auth.3": "New keys consist of 43 base64url characters; old keys with a fixed prefix stay valid.",
  "public.auth.4": { text: "Without a valid key, the response is 401 `unauthorized`.", refuses: true },
  "public.auth.5": {
    text: "If the role lacks the permission for an operation, the response is 403 `forbidden`.",
    refuses: true,
  },
  "public.auth.6": {
    text: "Using a feature that the organization does not have returns 402 `subscription_required`.",
    refuses: true,
  },
  "public.events.2":
    "The pre-call webhook is called for each incoming call, with the webhook's auth and headers. The response replaces `@preCallData`.",
  "public.errors.1": {
    text: "A `validation_failed` error lists the problems in `details`, each with `path` (an array) and `message`.",
    refuses: true,
    seen: (seen) => isPublic(seen) && at(seen.response, "error", "code") === "validation_failed",
  },
  "public.errors.2a": {
    text: "If a bucket is used up, the response is 429, and Retry-After contains the time to wait.",
    refuses: true,
  },
  "public.errors.2b": {
    text: "A 429 for the cooldown or for an unreachable limiter has no Retry-After.",
    refusedAs: ["public.limits.1", "public.errors.3"],
    seen: (seen) => seen.rule === "public.limits.1" || seen.rule === "public.errors.3",
  },
  "public.errors.3": {
    text: "If the limiter can't be reached, the response is 429 without rate-limit headers.",
    refuses: true,
  },
  "public.errors.4": {
    text: "Requesting another organization's resource returns 404, as if the resource did not exist.",
    refuses: true,
  },
  "public.errors.5": {
    text: "In MCP, a request gets an HTTP error if its key is not accepted or the organization lacks a required feature. A tool call that fails returns a result with isError and the Public API's error body.",
    refusedAs: ["public.auth.4", "D-mcp"],
    seen: (seen) => (seen.tool !== undefined && seen.status >= 400) || seen.rule === "D-mcp",
  },
  "public.errors.6": {
    text: "A 500 `internal_error` means that the operation did not complete.",
    refuses: true,
  },
  "public.limits.read": {
    text: "The `read` bucket applies to all GET requests and allows 1000 per minute.",
    refusedAs: ["public.errors.2a"],
    seen: (seen) => isPublic(seen) && succeeded(seen) && seen.method === "GET",
    atOnce: true,
  },
  "public.limits.write": {
    text: "The `write` bucket applies to POST, PATCH and DELETE requests, except POST /calls, and allows 200 per minute.",
    refusedAs: ["public.errors.2a"],
    seen: (seen) =>
      isPublic(seen) && succeeded(seen) && seen.method !== "GET" && seen.operation !== "calls.create",
    atOnce: true,
  },
  "public.limits.outbound": {
    text: "The `outbound_trigger` bucket applies to POST /calls and allows 60 requests per hour.",
    refusedAs: ["public.errors.2a"],
    seen: done("calls.create"),
  },
  "public.limits.per-key": {
    text: "Each API key has separate buckets.",
    refusedAs: ["public.errors.2a"],
    atOnce: true,
  },
  "public.limits.override": { text: "A deployment may set other limits.", refusedAs: ["public.errors.2a"] },
  "public.limits.1": {
    text: "An assistant may place one outbound call in any 60-second period; triggering a second call returns 429 without Retry-After.",
    refuses: true,
    atOnce: true,
  },
  "public.limits.2": {
    text: "If a request passes the key, feature and limiter checks, its response has X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset (Unix seconds).",
    seen: (seen) => isPublic(seen) && succeeded(seen),
    atOnce: true,
  },
  "public.limits.3": {
    text: "Some or all rate-limit headers are missing if the response is 401 or 402, if the path is unknown, or if the limiter's store failed.",
    seen: (seen) =>
      (isPublic(seen) && (seen.status === 401 || seen.status === 402)) ||
      seen.rule === "public.errors.3" ||
      seen.operation === undefined,
  },
  "public.limits.4": {
    text: "MCP allows 1000 uses of read tools and 200 uses of write tools per minute, counted per organization and per OAuth user or key.",
    refuses: true,
    seen: (seen) => seen.tool !== undefined,
  },
  "public.versioning.1": "The API description has version 1.6.0 and is served under /api/v1.",
};
