import { at, has, isPublic, succeeded } from "./evidence.js";
import type { Rules } from "./rule.js";

/** Decisions about the Public API as a whole, where the documents are silent. */
export const generalDecisions: Rules = {
  "D-order": {
    text: "Checks run in this order, and the first that fails determines the response: route (404), key (401), feature (402), limiter (429), role (403), id in the path, query and body (400), existence (404), state (409, cooldown 429). A request counts as soon as the limiter lets it pass, regardless of later checks.",
    refuses: true,
  },
  "D-empty": {
    text: 'The empty success is `{"data":{}}`.',
    seen: (seen) => isPublic(seen) && succeeded(seen) && seen.method === "DELETE",
  },
  "D-path-id": "Operations with an id in their path may return 400, also without a body.",
  "D-error": {
    text: "Every error of the Public API has `details`: an entry for each validation failure, else an empty array.",
    seen: (seen) => isPublic(seen) && seen.status >= 400,
  },
  "D-id": {
    text: "Ids increase: they consist of the clock's seconds, five bytes of the database and a counter, so their order is the order of creation.",
    atOnce: true,
  },
  "D-limit": {
    text: "`limit` is from 1 to 200 (default: 50). Lists are in order of creation, calls newest first. Pages continue from a position: rows created or deleted between pages don't cause other rows to be repeated or skipped.",
    refuses: true,
    seen: (seen) => isPublic(seen) && succeeded(seen) && has(seen.response, "meta"),
  },
  "D-cursor": {
    text: "A cursor is signed and valid only for its organization, operation and filters; otherwise the response is 400 with the path `cursor`. `limit` may change from page to page.",
    refuses: true,
  },
  "D-cursor-first":
    "A cursor is checked with the other parameters: an invalid one returns 400, whether or not the requested resource exists.",
  "D-number-form":
    "A number in a query has decimal digits and may have a fraction of zeros; signs, exponents and white space return 400. The last value of a repeated parameter counts. One or more spaces separate `Bearer` and the key.",
  "D-strict": {
    text: "Unknown and read-only fields of a body return 400 with an entry for each. Unknown query parameters are ignored, and objects with the caller's own keys accept any key.",
    refuses: true,
  },
  "D-body": {
    text: "A body must be a JSON object of at most 1 MiB, sent as application/json; anything else returns 400 with an empty path. An empty PATCH is valid and makes no change.",
    refuses: true,
  },
  "D-nesting": {
    text: "A body has at most 500 levels of objects and arrays, including the body itself and the caller's own objects; more levels return 400 with an empty path.",
    refuses: true,
  },
  "D-values": {
    text: "A body has at most 5,000 values on all levels, including the body itself and the caller's own objects; more values return 400 with an empty path.",
    refuses: true,
  },
  "D-page": {
    text: "A page ends before its `limit` if its rows exceed 512 KiB; `has_more` is then true.",
    seen: (seen) => isPublic(seen) && succeeded(seen) && has(seen.response, "meta"),
  },
  "D-text": {
    text: "Names have 1 to 200 characters after trimming and are stored trimmed; long texts have up to 100,000 characters and may be empty.",
    refuses: true,
  },
  "D-times": {
    text: "Every resource has created_at and updated_at.",
    seen: (seen) => isPublic(seen) && has(at(seen.response, "data"), "updated_at"),
  },
  "D-window": {
    text: "A bucket is a fixed window that starts with the first request counted in it: 60 s, or an hour for outbound_trigger. A used-up bucket returns 429 with Retry-After in whole seconds, at least 1; a cooldown's 429 has only the rate-limit headers.",
    seen: (seen) => seen.rule === "public.errors.2a",
    atOnce: true,
  },
  "D-window-counted":
    "Only a counted request opens a window. If its count is reverted because another bucket is used up, it opens no window.",
  "D-fault-late":
    "A fault that concerns one effect (a call, an organization, a recording's erasure, a webhook's merge, an indexing) is applied when that effect is about to happen; a request that is refused before does not use up the fault.",
  "D-method": {
    text: "A known path with an unknown method returns 404, like an unknown path.",
    refuses: true,
  },
  "D-method-head": {
    text: "HEAD of a path that has GET works like GET without a body: the same checks, the bucket `read`, the same status and headers. If an origin is allowed, OPTIONS of a known path returns its preflight response before authentication.",
    seen: (seen) => seen.method === "HEAD",
  },
  "D-head":
    "An id of another organization, of a group of the wrong type or of a prompt of the wrong kind returns 404. A list filtered by an unknown group_id is empty.",
  "D-org": "A new organization has one group of each type, named Default.",
  "D-roles":
    "admin may do everything; editor may do everything except delete recordings; caller may read and trigger calls; viewer may read. A key may have its own list of `area:action` permissions instead.",
  "D-features": {
    text: "Features can be switched per organization: public_api, outbound_calls, knowledge, statistics, mcp and prompt_rating. A new organization has all except prompt_rating; for a blocked organization, every request returns 402.",
    refuses: true,
  },
  "D-keys": {
    text: "Keys with the prefix vak_ are accepted wherever new keys are. Revoked, deleted and expired keys return 401. Keys are stored as digests; oauth keys are for MCP only.",
    refuses: true,
  },
  "D-docs":
    "The API description is at /openapi.json, /openapi.yaml and /docs below the base address, without a key.",
  "D-mcp": {
    text: "MCP is served at /mcp over streamable HTTP without sessions: a tool with flat arguments for each Public API operation except the download of recordings. Read and write tools have separate limits, counted per organization and per user or key. A request has at most 50 messages, and runs no further tool if its results exceed 256 KiB.",
    refuses: true,
    seen: (seen) => seen.tool !== undefined,
  },
};
