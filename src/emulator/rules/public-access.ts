import type { RuleTexts } from "./rule.js";

/** The documents' rules about the Public API's keys, events, errors, limits and version. */
export const publicAccessRules: RuleTexts = {
  "public.auth.1": "Every endpoint but the interface's description needs a bearer key.",
  "public.auth.2": "A key opens one organization, with one role.",
  "public.auth.3": "New keys are 43 characters of base64url; old keys with their fixed prefix stay valid.",
  "public.auth.4": "Without a valid key the answer is 401 unauthorized.",
  "public.auth.5": "A role without the permission that an operation needs gets 403 forbidden.",
  "public.auth.6": "A feature that the organization does not have answers 402 subscription_required.",
  "public.events.2":
    "The pre-call webhook is called for each incoming call, with its auth and headers; what it answers fills `@preCallData`.",
  "public.errors.1":
    "validation_failed lists in `details` what was wrong, each with `path` (an array) and `message`.",
  "public.errors.2a": "A 429 because a bucket is used up says in Retry-After how long to wait.",
  "public.errors.2b":
    "A 429 because of the cooldown, or because the limiter can't be reached, has no Retry-After.",
  "public.errors.3": "When the limiter can't be reached, the answer is 429 without rate-limit headers.",
  "public.errors.4":
    "What belongs to another organization answers 404, the same as what does not exist at all.",
  "public.errors.5":
    "MCP: authentication and entitlement fail as HTTP errors; a tool's own errors are results flagged isError, with the same body.",
  "public.errors.6": "internal_error (500) says that the operation did not complete.",
  "public.limits.read": "The bucket `read` holds 1000 requests a minute: all GET.",
  "public.limits.write":
    "The bucket `write` holds 200 requests a minute: POST, PATCH and DELETE, but for POST /calls.",
  "public.limits.outbound": "The bucket `outbound_trigger` holds 60 requests an hour: POST /calls.",
  "public.limits.per-key": "Each API key has buckets of its own.",
  "public.limits.override": "A deployment may set other limits.",
  "public.limits.1":
    "An assistant makes one outbound call in any 60 seconds; a second one is refused with 429, without Retry-After.",
  "public.limits.2":
    "Once key, feature and limiter let a request pass, its answer carries X-RateLimit-Limit, -Remaining and -Reset (Unix seconds).",
  "public.limits.3":
    "401, 402, unknown paths and failures of the limiter's store don't carry the complete set of rate-limit headers.",
  "public.limits.4":
    "MCP: read tools 1000 and write tools 200 a minute, counted per organization and per OAuth user or key.",
  "public.versioning.1": "The interface's description says version 1.6.0 and lies under /api/v1.",
};
