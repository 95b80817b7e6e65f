import { at, done, isPublic, succeeded } from "./evidence.js";
import type { Rules } from "./rule.js";

/** The documents' rules about the Public API's keys, events, errors, limits and version. */
export const publicAccessRules: Rules = {
  "public.auth.1": {
    text: "Every endpoint except the API description requires a bearer key.",
    refusedAs: ["public.auth.4"],
    seen: (seen) => isPublic(seen) && seen.status === 401,
  },
  "public.auth.2": {
    text: "A key gives access to one organization, with one role.",
    refusedAs: ["public.errors.4"],
  },
  "public.auth.3": "New keys are 43 characters of base64url; old keys with their fixed prefix stay valid.",
  "public.auth.4": { text: "Without a valid key, the response is 401 unauthorized.", refuses: true },
  "public.auth.5": {
    text: "If the role lacks the permission for an operation, the response is 403 forbidden.",
    refuses: true,
  },
  "public.auth.6": {
    text: "A feature that the organization does not have returns 402 subscription_required.",
    refuses: true,
  },
  "public.events.2":
    "The pre-call webhook is called for each incoming call, with its auth and headers; its response replaces `@preCallData`.",
  "public.errors.1": {
    text: "validation_failed lists the problems in `details`, each with `path` (an array) and `message`.",
    refuses: true,
    seen: (seen) => isPublic(seen) && at(seen.response, "error", "code") === "validation_failed",
  },
  "public.errors.2a": {
    text: "A 429 because of a used-up bucket has the time to wait in Retry-After.",
    refuses: true,
  },
  "public.errors.2b": {
    text: "A 429 because of the cooldown or an unreachable limiter has no Retry-After.",
    refusedAs: ["public.limits.1", "public.errors.3"],
    seen: (seen) => seen.rule === "public.limits.1" || seen.rule === "public.errors.3",
  },
  "public.errors.3": {
    text: "If the limiter can't be reached, the response is 429 without rate-limit headers.",
    refuses: true,
  },
  "public.errors.4": {
    text: "A resource of another organization returns 404, like one that does not exist.",
    refuses: true,
  },
  "public.errors.5": {
    text: "MCP: authentication and entitlement fail as HTTP errors; a tool's own errors are results with isError and the same body.",
    refusedAs: ["public.auth.4", "D-mcp"],
    seen: (seen) => (seen.tool !== undefined && seen.status >= 400) || seen.rule === "D-mcp",
  },
  "public.errors.6": {
    text: "internal_error (500) means that the operation did not complete.",
    refuses: true,
  },
  "public.limits.read": {
    text: "The bucket `read` allows 1000 requests per minute: all GET.",
    refusedAs: ["public.errors.2a"],
    seen: (seen) => isPublic(seen) && succeeded(seen) && seen.method === "GET",
    atOnce: true,
  },
  "public.limits.write": {
    text: "The bucket `write` allows 200 requests per minute: POST, PATCH and DELETE, except POST /calls.",
    refusedAs: ["public.errors.2a"],
    seen: (seen) =>
      isPublic(seen) && succeeded(seen) && seen.method !== "GET" && seen.operation !== "calls.create",
    atOnce: true,
  },
  "public.limits.outbound": {
    text: "The bucket `outbound_trigger` allows 60 requests per hour: POST /calls.",
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
    text: "An assistant makes one outbound call in any 60 seconds; a second call returns 429 without Retry-After.",
    refuses: true,
    atOnce: true,
  },
  "public.limits.2": {
    text: "If key, feature and limiter let a request pass, its response has X-RateLimit-Limit, -Remaining and -Reset (Unix seconds).",
    seen: (seen) => isPublic(seen) && succeeded(seen),
    atOnce: true,
  },
  "public.limits.3": {
    text: "401, 402, unknown paths and failures of the limiter's store don't have the complete set of rate-limit headers.",
    seen: (seen) =>
      (isPublic(seen) && (seen.status === 401 || seen.status === 402)) ||
      seen.rule === "public.errors.3" ||
      seen.operation === undefined,
  },
  "public.limits.4": {
    text: "MCP: 1000 read tools and 200 write tools per minute, counted per organization and per OAuth user or key.",
    refuses: true,
    seen: (seen) => seen.tool !== undefined,
  },
  "public.versioning.1": "The API description has version 1.6.0 and is served under /api/v1.",
};
