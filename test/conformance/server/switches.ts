import { type Behavior, plain } from "./behavior.js";

/** A way in which a conforming deployment may differ from the emulator. */
export interface Switch {
  /** Description in docs/conformance.md. */
  about: string;
  change: Partial<Behavior>;
  /**
   * Visible only over sockets: in process nothing is compressed, chunked or preceded by interim responses.
   */
  wire?: true;
}

const hour = 3_600_000;

const switches = {
  // Values
  trims: { about: "text is stored trimmed", change: { stores: ["trims"] } },
  "collapses white space": {
    about: "runs of white space become one space",
    change: { stores: ["collapses white space"] },
  },
  "changes case": {
    about: "names are stored in upper case, emails in lower case",
    change: { stores: ["changes case"] },
  },
  "normalizes Unicode": { about: "text is stored as NFC", change: { stores: ["normalizes Unicode"] } },
  "normalizes numbers": {
    about: "phone numbers are stored as E.164",
    change: { stores: ["normalizes numbers"] },
  },
  "sorts lists": { about: "lists are stored in a different order", change: { stores: ["sorts lists"] } },
  "fills defaults": {
    about: "fields that were not sent get default values",
    change: { fillsDefaults: true },
  },
  "adds fields": {
    about: "responses contain unknown fields",
    change: { adds: ["unknown fields"] },
  },
  "numbers beyond 2^53": {
    about: "responses contain an unknown field with a large number",
    change: { adds: ["numbers beyond 2^53"] },
  },
  "empty is null": { about: "empty fields are null", change: { empty: "null" } },
  "empty is nothing": { about: "empty fields are omitted", change: { empty: "nothing" } },
  "empty is text": { about: 'empty fields are ""', change: { empty: "empty text" } },
  "whole seconds": {
    about: "timestamps have no fractions",
    change: { timestamps: "seconds", listTimestamps: "seconds" },
  },
  "whole seconds in lists": {
    about: "timestamps in lists have no fractions",
    change: { listTimestamps: "seconds" },
  },
  "offset in lists": { about: "timestamps in lists end in +00:00", change: { listTimestamps: "offset" } },
  "no updated_at": {
    about: "responses omit the time of the last change",
    change: { omits: ["updated_at"] },
  },
  "no times": { about: "responses contain no timestamps", change: { omits: ["updated_at", "created_at"] } },
  "fewer fields in lists": {
    about: "undocumented fields appear in responses with a single resource, but not in lists",
    change: { adds: ["unknown fields"], listsShowLess: true },
  },
  "deletes return null": {
    about: "the empty success response is {data: null}",
    change: { emptySuccess: "null" },
  },
  "deletes return no body": {
    about: "the empty success response has no body",
    change: { emptySuccess: "no body" },
  },
  "new types": {
    about: "some groups and voices have undocumented types",
    change: { newTypes: true },
  },
  "credentials unmarked": {
    about: "responses don't show whether a webhook's credential is stored",
    change: { marksCredentials: false },
  },
  "credentials masked": {
    about: "a tool's headers whose names suggest credentials are returned as ***",
    change: { credentialHeaders: "***" },
  },
  // Lists
  "lists lag after creates": { about: "a list shows a new resource late", change: { lagsAfterCreate: true } },
  "lists lag after updates": { about: "a list shows a change late", change: { lagsAfterUpdate: true } },
  "lists lag after deletes": {
    about: "a list shows deleted resources for a while",
    change: { lagsAfterDelete: true },
  },
  "lists lag": {
    about: "a list shows creates, updates and deletes late, and two groups may share a name",
    change: { lagsAfterCreate: true, lagsAfterUpdate: true, lagsAfterDelete: true, uniqueGroupNames: false },
  },
  positions: { about: "cursors are offsets", change: { cursors: "position", rowsPerPage: 5 } },
  "another user inserts": {
    about:
      "cursors are offsets, lists are newest first, and another user inserts rows between two page requests",
    change: {
      cursors: "position",
      order: "newest first",
      rowsPerPage: 5,
      otherUser: "inserts while pages are read",
    },
  },
  "another user deletes": {
    about: "cursors are offsets, and another user deletes rows between two page requests",
    change: { cursors: "position", rowsPerPage: 5, otherUser: "deletes while pages are read" },
  },
  "newest first": { about: "lists are newest first", change: { order: "newest first" } },
  "no order": { about: "lists have no defined order", change: { order: "none in particular" } },
  "limit to 50": { about: "a `limit` above 50 is refused, with details", change: { largestLimit: 50 } },
  "limit to 50, without details": {
    about: "a `limit` above 50 is refused, without details",
    change: { largestLimit: 50, limitRefusal: "no details" },
  },
  "limit to 100, other details": {
    about: "a `limit` above 100 is refused, with details about something else",
    change: { largestLimit: 100, limitRefusal: "other details" },
  },
  "small pages": { about: "a page has three rows, regardless of `limit`", change: { rowsPerPage: 3 } },
  "empty pages": {
    about: "a page may be empty without being the last",
    change: { rowsPerPage: 4, emptyPages: true },
  },
  "filters ignored": {
    about: "distributor lists ignore undocumented filters",
    change: { ignoresFilters: true },
  },
  "group names repeat": { about: "two groups may share a name", change: { uniqueGroupNames: false } },
  // Time
  "clock two hours behind": {
    about: "the service's clock is two hours behind",
    change: { clockOff: -2 * hour },
  },
  "clock two hours ahead": {
    about: "the service's clock is two hours ahead",
    change: { clockOff: 2 * hour },
  },
  "Date two hours behind": {
    about: "the `Date` header is two hours behind, but `X-RateLimit-Reset` is correct",
    change: { dateOff: -2 * hour },
  },
  "Date two hours ahead": {
    about: "the `Date` header is two hours ahead, but `X-RateLimit-Reset` is correct",
    change: { dateOff: 2 * hour },
  },
  "two nodes": {
    about: "responses come from two servers whose `Date` headers differ by a second",
    change: { nodeOff: 1000 },
  },
  "no Date": { about: "responses have no Date header", change: { sendsDate: false } },
  // Limits
  "other limits": {
    about: "10 writes in 6 s, 20 distributor requests in 6 s",
    change: { buckets: { write: { limit: 10, seconds: 6 }, distributor: { limit: 20, seconds: 6 } } },
  },
  "limits change": {
    about: "after ten requests, limits are halved",
    change: {
      bucketsLater: {
        after: 10,
        buckets: { write: { limit: 10, seconds: 6 }, distributor: { limit: 10, seconds: 6 } },
      },
    },
  },
  "no limit headers": {
    about: "no response declares limits",
    change: { limitHeaders: "none", buckets: { write: { limit: 10, seconds: 6 } } },
  },
  "limit headers sometimes": {
    about: "two of three responses do not declare limits",
    change: { limitHeaders: "sometimes", buckets: { write: { limit: 10, seconds: 6 } } },
  },
  "Retry-After only": {
    about: "refusals contain only Retry-After",
    change: { limitHeaders: "Retry-After only", buckets: { write: { limit: 10, seconds: 6 } } },
  },
  "Retry-After is a date": {
    about: "Retry-After is a date (RFC 9110, 10.2.3)",
    change: { retryAfter: "date", buckets: { write: { limit: 10, seconds: 6 } } },
  },
  "Reset only": {
    about: "responses contain only X-RateLimit-Reset",
    change: { limitHeaders: "Reset only", buckets: { write: { limit: 10, seconds: 6 } } },
  },
  // Transport
  gzip: { about: "responses are always compressed with gzip", change: { encoding: "gzip" } },
  br: { about: "responses are always compressed with Brotli", change: { encoding: "br" } },
  deflate: { about: "responses are always compressed with deflate", change: { encoding: "deflate" } },
  "102 first": { about: "an interim response comes first", change: { interim: [102] }, wire: true },
  "103 three times": {
    about: "three interim responses come first",
    change: { interim: [103, 103, 103] },
    wire: true,
  },
  chunked: { about: "responses arrive in small chunks", change: { chunk: 7 }, wire: true },
  "closes connections": {
    about: "every response closes the connection",
    change: { closes: true },
    wire: true,
  },
  "other media type": {
    about: "JSON is sent as application/vnd.api+json; charset=UTF-8",
    change: { contentType: "application/vnd.api+json; charset=UTF-8" },
  },
  // Failures
  "requests lost": {
    about: "every 4th write is lost before it arrives",
    change: { losses: [{ on: "write", each: 4, how: "request lost" }] },
  },
  "responses lost": {
    about: "the response to every 4th write is lost",
    change: { losses: [{ on: "write", each: 4, how: "response lost" }] },
  },
  "responses truncated": {
    about: "the response to every 4th write is truncated",
    change: { losses: [{ on: "write", each: 4, how: "response truncated" }] },
  },
  "late effects": {
    about: "every 4th write loses its connection and takes effect later",
    change: { losses: [{ on: "write", each: 4, how: "late effect" }] },
  },
  "a CRM repeats": {
    about: "responses are lost, and others create identical resources concurrently",
    change: { losses: [{ on: "write", each: 5, how: "request lost" }], crmRepeatsLost: true },
  },
  "reads lost": {
    about: "every 5th read fails",
    change: { losses: [{ on: "read", each: 5, how: "response lost" }] },
  },
  "503 for 10 s": {
    about: "every response is 503 for ten seconds",
    change: { outages: [{ after: 8, seconds: 10, status: 503 }] },
  },
  "502 for 10 s": {
    about: "every response is 502, without JSON, for ten seconds",
    change: { outages: [{ after: 8, seconds: 10, status: 502 }] },
  },
  "408 once": {
    about: "one request is refused with 408",
    change: { outages: [{ after: 6, seconds: 0, status: 408 }] },
  },
  "limiter down once": {
    about: "one request is refused because the limiter is unreachable",
    change: { outages: [{ after: 6, seconds: 0, status: 429 }] },
  },
  // Calls and recordings
  "status ended": {
    about: "a call's last status is `ended`, and `ended_at` is missing",
    change: { finalStatus: "ended", sendsEndedAt: false },
  },
  "status finished": { about: "a call's last status is `finished`", change: { finalStatus: "finished" } },
  "status COMPLETED": {
    about: "a call's last status is in upper case, and `ended_at` is missing",
    change: { finalStatus: "COMPLETED", sendsEndedAt: false },
  },
  "status Done": {
    about: "a call's last status is `Done`, and `ended_at` is missing",
    change: { finalStatus: "Done", sendsEndedAt: false },
  },
  "new statuses": {
    about: "a call and a knowledge item have undocumented states",
    change: {
      statusesBefore: ["queued", "dialing", "connected", "wrapping-up"],
      syncStates: ["pending", "chunking", "embedding", "synced"],
    },
  },
  "ranges of 8 kB": {
    about: "a range of a recording has at most 8 kB",
    change: { largestRange: 8_000, cutsRecordings: 1 },
  },
  "recordings without ETag": {
    about: "recordings have no ETag",
    change: { etag: "none", cutsRecordings: 1 },
  },
  "recordings with weak ETag": {
    about: "recordings have a weak ETag",
    change: { etag: "weak", cutsRecordings: 1 },
  },
  "recordings cut": {
    about: "the connection for a recording is closed three times",
    change: { cutsRecordings: 3 },
  },
  "WAV recordings": { about: "recordings are audio/wav", change: { recordingType: "audio/wav" } },
  // Response formats that the documents don't specify
  "pages: meta.has_more": {
    about: "in distributor lists, this field indicates that there are more rows",
    change: { paging: "meta.has_more", rowsPerPage: 3 },
  },
  "pages: hasMore": {
    about: "in distributor lists, this field indicates that there are more rows",
    change: { paging: "hasMore", rowsPerPage: 3 },
  },
  "pages: has_more": {
    about: "in distributor lists, this field indicates that there are more rows",
    change: { paging: "has_more", rowsPerPage: 3 },
  },
  "pages: pagination.hasMore": {
    about: "in distributor lists, this field indicates that there are more rows",
    change: { paging: "pagination.hasMore", rowsPerPage: 3 },
  },
  "pages: pagination.has_more": {
    about: "in distributor lists, this field indicates that there are more rows",
    change: { paging: "pagination.has_more", rowsPerPage: 3 },
  },
  "pages: page.hasMore": {
    about: "in distributor lists, this field indicates that there are more rows",
    change: { paging: "page.hasMore", rowsPerPage: 3 },
  },
  "pages: page.has_more": {
    about: "in distributor lists, this field indicates that there are more rows",
    change: { paging: "page.has_more", rowsPerPage: 3 },
  },
  "pages: Link": {
    about: "in distributor lists, a `Link` header indicates that there are more rows",
    change: { paging: "Link", rowsPerPage: 3 },
  },
  "pages: next URL": {
    about: "distributor lists contain the next page's URL, which voxctl does not follow",
    change: { paging: "next URL", rowsPerPage: 3 },
  },
  "pages: next token": {
    about: "distributor lists contain an unknown token",
    change: { paging: "next token", rowsPerPage: 3 },
  },
  "pages: numbers": {
    about: "distributor lists contain page numbers",
    change: { paging: "pages", rowsPerPage: 3 },
  },
  "pages: total": {
    about: "distributor lists contain only a total",
    change: { paging: "total", rowsPerPage: 3 },
  },
  "pages: isLast": {
    about: "distributor lists contain the field `isLast`",
    change: { paging: "isLast", rowsPerPage: 3 },
  },
  "IDs are numbers": { about: "distributor IDs are numbers", change: { idForm: "number" } },
  "IDs beyond 2^53": { about: "distributor IDs are large numbers", change: { idForm: "number beyond 2^53" } },
  "IDs: organizationId": {
    about: "an organization's ID is in the field `organizationId`",
    change: { idName: "organizationId" },
  },
  "IDs: organization_id": {
    about: "an organization's ID is in the field `organization_id` and is a number",
    change: { idName: "organization_id", idForm: "number" },
  },
  "data alone": { about: "distributor responses contain only `data`", change: { envelope: "data" } },
  "nested errors": {
    about: "distributor errors are {error: {code, message}}",
    change: { distributorErrors: "nested" },
  },
  "tree of children": {
    about: "the tree contains `children` instead of `customers`",
    change: { treeChildren: "children" },
  },
  "nested usage": { about: "usage is grouped by organization", change: { usageShape: "nested" } },
  "snake_case usage": {
    about: "usage records have different field names",
    change: { usageShape: "snake_case" },
  },
  "billing with other names": {
    about: "a billing summary has different field names",
    change: { billingShape: "other names" },
  },
  "billing without licenses": {
    about: "a billing summary lists no licenses",
    change: { billingShape: "no licenses" },
  },
  "statistics with other names": {
    about: "statistics have different field names",
    change: { statisticsShape: "other names" },
  },
  "licenses are kept": {
    about: "the licenses of a deleted MSP stay in use",
    change: { keepsLicensesOfDeleted: true },
  },
  "delete elsewhere": {
    about: "organizations are deleted at a different path, set in the profile",
    change: { deletePath: "/organizations/{id}/deletion" },
  },
  "tools elsewhere": {
    about: "tools are at a different path, set in the profile",
    change: { toolsPath: "custom-tools" },
  },
  "partners elsewhere": {
    about: "v1 partners are at a different path, set in the profile",
    change: { partnersPath: "resellers" },
  },
  "legacy errors: errorCode": {
    about: "the legacy API's errors are flat",
    change: { legacyErrors: "errorCode" },
  },
  "legacy errors: nested": {
    about: "the legacy API's errors are nested",
    change: { legacyErrors: "nested" },
  },
} as const satisfies Record<string, Switch>;

export type SwitchName = keyof typeof switches;

export const switchNames = Object.keys(switches) as SwitchName[];

/** `switches` with a type that allows iteration. */
export const table: Readonly<Record<string, Switch>> = switches;

/**
 * Returns whether two switches change the same setting, so that they can't be combined. Lists don't count,
 * because they can be joined.
 */
export function areExclusive(left: SwitchName, right: SwitchName): boolean {
  const changes = table[right]?.change ?? {};
  return Object.entries(table[left]?.change ?? {}).some(
    ([name, value]) => Object.hasOwn(changes, name) && !Array.isArray(value),
  );
}

export function behaviorOf(names: readonly SwitchName[]): Behavior {
  let behavior = plain;
  for (const name of names) behavior = joined(behavior, table[name]?.change ?? {});
  return behavior;
}

function joined(behavior: Behavior, change: Partial<Behavior>): Behavior {
  return {
    ...behavior,
    ...change,
    stores: [...behavior.stores, ...(change.stores ?? [])],
    adds: [...behavior.adds, ...(change.adds ?? [])],
    omits: [...behavior.omits, ...(change.omits ?? [])],
    interim: [...behavior.interim, ...(change.interim ?? [])],
    losses: [...behavior.losses, ...(change.losses ?? [])],
    outages: [...behavior.outages, ...(change.outages ?? [])],
  };
}
