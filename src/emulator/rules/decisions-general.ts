import { at, has, isPublic, succeeded } from "./evidence.js";
import type { Rules } from "./rule.js";

/** Decisions about the Public API as a whole, where the documents are silent. */
export const generalDecisions: Rules = {
  "D-order": {
    text: "Checks come in this order and the first that fails answers: route (404), key (401), feature (402), limiter (429), role (403), id in the path, query and body (400), existence (404), state (409, cooldown 429). A request counts once the limiter lets it pass, whatever comes after.",
    refuses: true,
  },
  "D-empty": {
    text: 'The empty success is `{"data":{}}`.',
    seen: (seen) => isPublic(seen) && succeeded(seen) && seen.method === "DELETE",
  },
  "D-path-id": "Operations with an id in their path may answer 400, those without a body too.",
  "D-error": {
    text: "Every error of the Public API has `details`: entries where validation failed, else an empty array.",
    seen: (seen) => isPublic(seen) && seen.status >= 400,
  },
  "D-id": {
    text: "Ids are made in increasing order from the clock's seconds, five bytes of the database and a counter, so their order is the order of creation.",
    atOnce: true,
  },
  "D-limit": {
    text: "`limit` is 50 unless given, and from 1 to 200. Lists are in order of creation, calls newest first. Pages go by position: rows that come or go in between make no other row appear twice or be skipped.",
    refuses: true,
    seen: (seen) => isPublic(seen) && succeeded(seen) && has(seen.response, "meta"),
  },
  "D-cursor": {
    text: "A cursor is signed and valid for its organization, operation and filters only; otherwise the response is 400 with the path `cursor`. `limit` may change from page to page.",
    refuses: true,
  },
  "D-cursor-first":
    "A cursor is checked with the other parameters: an invalid one returns 400, whether or not the requested resource exists.",
  "D-number-form":
    "A number in a query is written in decimal digits, at most with a fraction of zeros; signs, exponents and white space answer 400. The last value of a repeated parameter counts. One or more spaces separate `Bearer` and the key.",
  "D-strict": {
    text: "Unknown fields of a body, and read-only ones, answer 400 with an entry for each. Unknown query parameters are ignored, and objects with the caller's own keys take any.",
    refuses: true,
  },
  "D-body": {
    text: "A body must be a JSON object of at most 1 MiB, sent as application/json; all else returns 400 with an empty path. An empty PATCH is valid and makes no change.",
    refuses: true,
  },
  "D-nesting": {
    text: "A body has at most 500 levels of objects and arrays, its own object the first and the caller's own objects included; one level more returns 400 with an empty path.",
    refuses: true,
  },
  "D-values": {
    text: "A body has at most 5,000 values, its own object the first, lists and maps of all levels counted together, the caller's own objects included; more answer 400 with an empty path.",
    refuses: true,
  },
  "D-page": {
    text: "A page ends before its `limit` once its rows take more than 512 KiB; `has_more` says that others follow.",
    seen: (seen) => isPublic(seen) && succeeded(seen) && has(seen.response, "meta"),
  },
  "D-text": {
    text: "Names have 1 to 200 characters after trimming and are stored trimmed; long texts have up to 100,000 and may be empty.",
    refuses: true,
  },
  "D-times": {
    text: "Every resource has created_at and updated_at.",
    seen: (seen) => isPublic(seen) && has(at(seen.response, "data"), "updated_at"),
  },
  "D-window": {
    text: "A bucket is a fixed window that begins with the first request counted in it: 60 s, for outbound_trigger an hour. Used up, it returns 429 with Retry-After in whole seconds, at least 1; a cooldown's 429 has the rate-limit headers alone.",
    seen: (seen) => seen.rule === "public.errors.2a",
    atOnce: true,
  },
  "D-window-counted":
    "Only a counted request opens a window. If its count is reverted because another bucket had no room, it opens no window.",
  "D-fault-late":
    "A fault that concerns one effect (a call, an organization, a recording's erasure, a webhook's merge, an indexing) strikes when that effect is about to happen; a request that is refused before uses none up.",
  "D-method": { text: "A known path with an unknown method is an unknown route: 404.", refuses: true },
  "D-method-head": {
    text: "HEAD of a path that has GET is GET without its body: the same checks, the bucket `read`, the same status and headers. If an origin is allowed, OPTIONS of a known path answers its preflight before authentication.",
    seen: (seen) => seen.method === "HEAD",
  },
  "D-head":
    "An id of another organization, of a group of the wrong type or of a prompt of the wrong kind returns 404. As a filter of a list, an unknown group_id gives an empty page.",
  "D-org": "A new organization begins with one group of each type, named Default.",
  "D-roles":
    "admin may do everything; editor everything but delete recordings; caller may read and trigger calls; viewer may read. A key may carry its own list of `area:action` permissions instead.",
  "D-features": {
    text: "Features can be switched per organization: public_api, outbound_calls, knowledge, statistics, mcp and prompt_rating. A new organization has all but prompt_rating; a blocked one gets 402 everywhere.",
    refuses: true,
  },
  "D-keys": {
    text: "Keys with the prefix vak_ are good wherever new ones are. Revoked, deleted and expired keys answer 401. Keys are stored as digests; oauth keys are for MCP only.",
    refuses: true,
  },
  "D-docs":
    "The interface's description is at /openapi.json, /openapi.yaml and /docs below the base address, without a key.",
  "D-mcp": {
    text: "MCP is served at /mcp over streamable HTTP without sessions: a tool for each Public API operation but the recordings' download, its arguments flat. Read and write tools have separate limits, counted per organization and per user or key. A request has at most 50 messages, and runs no further tool once its results take more than 256 KiB.",
    refuses: true,
    seen: (seen) => seen.tool !== undefined,
  },
};
