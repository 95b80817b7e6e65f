export interface Bucket {
  limit: number;
  seconds: number;
}

export type BucketName = "read" | "write" | "outbound_trigger" | "distributor" | "legacy";

export type TextChange =
  | "trims"
  | "collapses white space"
  | "changes case"
  | "normalizes Unicode"
  | "normalizes numbers"
  | "sorts lists";

/** How a list indicates that it has more rows; the documents don't specify this for the distributor APIs. */
type Paging =
  | "meta.hasMore"
  | "meta.has_more"
  | "hasMore"
  | "has_more"
  | "pagination.hasMore"
  | "pagination.has_more"
  | "page.hasMore"
  | "page.has_more"
  | "Link"
  | "next URL"
  | "next token"
  | "pages"
  | "total"
  | "isLast";

export type Loss = "request lost" | "response lost" | "response truncated" | "late effect";

/**
 * All differences between services that the documents allow. Two combined switches can both change a list,
 * but no other setting.
 */
export interface Behavior {
  // Values
  stores: readonly TextChange[];
  fillsDefaults: boolean;
  adds: readonly ("unknown fields" | "numbers beyond 2^53")[];
  /** The value for an empty field in a response. */
  empty: "as stored" | "null" | "nothing" | "empty text";
  /** Format of timestamps: in responses with a single resource, and in lists. */
  timestamps: "milliseconds" | "seconds" | "offset";
  listTimestamps: "milliseconds" | "seconds" | "offset";
  omits: readonly string[];
  /** Whether lists omit undocumented fields, which responses with a single resource contain. */
  listsShowLess: boolean;
  emptySuccess: "{}" | "null" | "no body";
  /** Whether the initial data contains undocumented types and generations. */
  newTypes: boolean;
  /** Whether a response shows that a webhook's credential is stored, which is undocumented. */
  marksCredentials: boolean;
  /** Value that responses show for a tool's header with a name such as `X-Api-Key`. */
  credentialHeaders: "as stored" | "***";
  // Lists
  lagsAfterCreate: boolean;
  lagsAfterUpdate: boolean;
  lagsAfterDelete: boolean;
  cursors: "after an id" | "position";
  order: "oldest first" | "newest first" | "none in particular";
  /** The largest accepted `limit`; a larger one is refused with 400. */
  largestLimit: number;
  limitRefusal: "details" | "other details" | "no details";
  /** Maximum number of rows in a page, regardless of `limit`. */
  rowsPerPage: number;
  emptyPages: boolean;
  ignoresFilters: boolean;
  uniqueGroupNames: boolean;
  // Time
  /** Milliseconds by which the service's clock is wrong; affects `Date`, `Reset` and timestamps. */
  clockOff: number;
  /** Clock error of `Date` alone, in milliseconds. */
  dateOff: number;
  /**
   * Additional clock error of `Date` in every second response, in milliseconds, as if two nodes responded in
   * turn.
   */
  nodeOff: number;
  sendsDate: boolean;
  // Limits
  buckets: Partial<Record<BucketName, Bucket>>;
  /** Number of requests after which different limits apply. */
  bucketsLater: { after: number; buckets: Partial<Record<BucketName, Bucket>> } | undefined;
  limitHeaders: "all" | "none" | "sometimes" | "Retry-After only" | "Reset only";
  retryAfter: "seconds" | "date";
  // Transport
  encoding: "gzip" | "br" | "deflate" | undefined;
  interim: readonly number[];
  chunk: number | undefined;
  closes: boolean;
  contentType: string;
  // Failures
  losses: readonly { on: "write" | "read"; each: number; how: Loss }[];
  outages: readonly { after: number; seconds: number; status: number }[];
  // Other clients
  otherUser: "none" | "inserts while pages are read" | "deletes while pages are read";
  /** If the response to a create is lost, a CRM creates an equal resource. */
  crmRepeatsLost: boolean;
  // Calls and recordings
  finalStatus: string;
  statusesBefore: readonly string[];
  sendsEndedAt: boolean;
  syncStates: readonly string[];
  largestRange: number;
  recordingType: string;
  etag: "strong" | "weak" | "none";
  cutsRecordings: number;
  // Response formats that the documents don't specify
  paging: Paging;
  idForm: "hex" | "number" | "number beyond 2^53";
  idName: "id" | "organizationId" | "organization_id";
  envelope: "status and data" | "data";
  distributorErrors: "flat" | "nested";
  treeChildren: "customers" | "children";
  usageShape: "records" | "nested" | "snake_case";
  billingShape: "totals" | "other names" | "no licenses";
  statisticsShape: "as decided" | "other names";
  keepsLicensesOfDeleted: boolean;
  deletePath: "/organizations/{id}" | "/organizations/{id}/deletion";
  toolsPath: "tools" | "custom-tools";
  partnersPath: "partners" | "resellers";
  legacyErrors: "code" | "errorCode" | "nested";
}

/** The documented behavior. Decisions define the behavior that the documents don't specify. */
export const plain: Behavior = {
  stores: [],
  fillsDefaults: false,
  adds: [],
  empty: "as stored",
  timestamps: "milliseconds",
  listTimestamps: "milliseconds",
  omits: [],
  listsShowLess: false,
  emptySuccess: "{}",
  newTypes: false,
  marksCredentials: true,
  credentialHeaders: "as stored",
  lagsAfterCreate: false,
  lagsAfterUpdate: false,
  lagsAfterDelete: false,
  cursors: "after an id",
  order: "oldest first",
  largestLimit: 200,
  limitRefusal: "details",
  rowsPerPage: 200,
  emptyPages: false,
  ignoresFilters: false,
  uniqueGroupNames: true,
  clockOff: 0,
  dateOff: 0,
  nodeOff: 0,
  sendsDate: true,
  buckets: {},
  bucketsLater: undefined,
  limitHeaders: "all",
  retryAfter: "seconds",
  encoding: undefined,
  interim: [],
  chunk: undefined,
  closes: false,
  contentType: "application/json",
  losses: [],
  outages: [],
  otherUser: "none",
  crmRepeatsLost: false,
  finalStatus: "completed",
  statusesBefore: ["queued", "ringing", "in_progress"],
  sendsEndedAt: true,
  syncStates: ["pending", "syncing", "synced"],
  largestRange: Number.POSITIVE_INFINITY,
  recordingType: "audio/flac",
  etag: "strong",
  cutsRecordings: 0,
  paging: "meta.hasMore",
  idForm: "hex",
  idName: "id",
  envelope: "status and data",
  distributorErrors: "flat",
  treeChildren: "customers",
  usageShape: "records",
  billingShape: "totals",
  statisticsShape: "as decided",
  keepsLicensesOfDeleted: false,
  deletePath: "/organizations/{id}",
  toolsPath: "tools",
  partnersPath: "partners",
  legacyErrors: "code",
};

/** Returns the behavior, and the names of its settings that were read so far. */
export function recordSettings(behavior: Behavior): {
  behavior: Behavior;
  settingsRead: ReadonlySet<string>;
} {
  const settingsRead = new Set<string>();
  const watched = new Proxy(behavior, {
    get(target, name, receiver) {
      settingsRead.add(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
  return { behavior: watched, settingsRead };
}
