import { at, has, isPublic, succeeded } from "./evidence.js";
import type { Rules } from "./rule.js";

export const generalDecisions: Rules = {
  "D-order": {
    text: "A request is checked in this order: route (404), key (401), feature (402), limiter (429), role (403), path, query and body (400), existence (404), state (409, cooldown 429). The first check that fails determines the response. Once the limiter has let a request pass, the request counts toward the limit, even if a later check fails.",
    refuses: true,
  },
  "D-empty": {
    text: 'The empty success response is `{"data":{}}`.',
    seen: (seen) => isPublic(seen) && succeeded(seen) && seen.method === "DELETE",
  },
  "D-path-id":
    "Every operation with an ID in its path returns 400 if the ID is malformed, even if the operation has no query or body.",
  "D-error": {
    text: "Every error of the Public API has `details`: an array with an entry for each validation failure, or an empty array for other errors.",
    seen: (seen) => isPublic(seen) && seen.status >= 400,
  },
  "D-id": {
    text: "IDs sort in order of creation: each consists of the clock's seconds, five bytes that identify the database, and a counter.",
    atOnce: true,
  },
  "D-limit": {
    text: "`limit` is from 1 to 200 (default: 50). Lists are in order of creation; calls are listed newest first. A page starts after the previous page's last row, so rows that are created or deleted in the meantime don't cause other rows to be repeated or skipped.",
    refuses: true,
    seen: (seen) => isPublic(seen) && succeeded(seen) && has(seen.response, "meta"),
  },
  "D-cursor": {
    text: "A cursor is signed and valid only for its organization, operation and filters; any other use returns 400 with the path `cursor`. `limit` may change from page to page.",
    refuses: true,
  },
  "D-cursor-first":
    "A cursor is checked together with the other parameters, so an invalid cursor returns 400 whether or not the requested resource exists.",
  "D-number-form":
    "A number in a query consists of decimal digits; a fraction is accepted if it has only zeros, as in `50.0`. A number with a sign, an exponent or white space returns 400. If a parameter is repeated, its last value is used. One or more spaces separate `Bearer` from the key.",
  "D-strict": {
    text: "Sending unknown or read-only fields in a body returns 400 with an entry for each field. Unknown query parameters are ignored. An object whose keys the client chooses can have any keys.",
    refuses: true,
  },
  "D-body": {
    text: "A body must be a JSON object of at most 1 MiB, sent as application/json; anything else returns 400 with an empty path. An empty PATCH is valid and makes no change.",
    refuses: true,
  },
  "D-nesting": {
    text: "A body may have at most 500 levels of objects and arrays, including the body itself and objects whose keys the client chooses. A body with more levels returns 400 with an empty path.",
    refuses: true,
  },
  "D-values": {
    text: "A body may contain at most 5,000 values. All levels count, including the body itself and the values in objects with arbitrary keys. A body with more values returns 400 with an empty path.",
    refuses: true,
  },
  "D-page": {
    text: "A page ends before its `limit` if its rows exceed 512 KiB; `has_more` is then true.",
    seen: (seen) => isPublic(seen) && succeeded(seen) && has(seen.response, "meta"),
  },
  "D-text": {
    text: "Names have 1 to 200 characters after trimming and are stored trimmed; long text has up to 100,000 characters and may be empty.",
    refuses: true,
  },
  "D-times": {
    text: "Every resource has created_at and updated_at.",
    seen: (seen) => isPublic(seen) && has(at(seen.response, "data"), "updated_at"),
  },
  "D-window": {
    text: "A bucket counts requests in a fixed window, which starts with the first request counted in it and lasts 60 s (an hour for `outbound_trigger`). If the bucket is used up, the response is 429 with Retry-After in whole seconds, at least 1. A 429 for the cooldown has the rate-limit headers, but no Retry-After.",
    seen: (seen) => seen.rule === "public.errors.2a",
    atOnce: true,
  },
  "D-window-counted":
    "A request opens a window only if the request is counted. If a request belongs to two buckets and one of them is used up, it is counted in neither and opens no window.",
  "D-fault-late":
    "Some faults prevent a single effect: placing a call, creating an organization, erasing a recording, updating a webhook, or indexing. Such a fault is applied immediately before the effect, so a request that is refused earlier does not use up the fault.",
  "D-method": {
    text: "A known path with an unknown method returns 404, like an unknown path.",
    refuses: true,
  },
  "D-method-head": {
    text: "A HEAD request is checked and limited (bucket `read`) like a GET request to the same path. Its response has the same status and headers, but no body. An OPTIONS request from an allowed origin to a known path returns the preflight response without authentication.",
    seen: (seen) => seen.method === "HEAD",
  },
  "D-head":
    "A request returns 404 if it refers to another organization's resource, a group of the wrong type, or a prompt of the wrong kind. A list filtered by an unknown group_id is empty.",
  "D-org": "A new organization has one group of each type, named `Default`.",
  "D-roles":
    "The role `admin` may do everything; `editor` may do everything except delete recordings; `caller` may read and may trigger calls; `viewer` may only read. Instead of a role, a key may have its own list of `area:action` permissions.",
  "D-features": {
    text: "Features can be enabled and disabled per organization: public_api, outbound_calls, knowledge, statistics, mcp and prompt_rating. A new organization has all of them except prompt_rating. Every request for a blocked organization returns 402.",
    refuses: true,
  },
  "D-keys": {
    text: "Old keys with the prefix `vak_` are accepted like new keys. A request with a revoked, deleted or expired key returns 401. Keys are stored as digests. Keys of kind `oauth` work only for MCP.",
    refuses: true,
  },
  "D-docs":
    "The API description is at /openapi.json, /openapi.yaml and /docs under the base URL and requires no key.",
  "D-mcp": {
    text: "MCP is served at /mcp over streamable HTTP without sessions. Each Public API operation, except downloading recordings, has a tool with flat arguments. Read and write tools have separate limits, counted per organization and per user or key. A request may have at most 50 messages. Once the results of its messages exceed 256 KiB, its remaining tool calls are not run.",
    refuses: true,
    seen: (seen) => seen.tool !== undefined,
  },
};
