/** Requests and responses as plain records, so that handling them needs neither sockets nor web-standard objects. */
export interface RequestRecord {
  method: string;
  /** Path and query as received, such as `/api/v1/contacts?limit=5`. */
  target: string;
  /** Headers with lowercase names. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array | string | undefined;
  /** Set for in-process requests, which must not be refused because of a limit that another process has just used up. */
  waitsForLimit?: boolean | undefined;
}

/** Converts a HEAD request to the corresponding GET request (D-method-head). Returns any other request unchanged. */
export function toReadRequest(request: RequestRecord): RequestRecord {
  return request.method === "HEAD" ? { ...request, method: "GET" } : request;
}

export interface ResponseRecord {
  status: number;
  /** Headers with names as they are sent. */
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** Set if the database can't be used. Callers in the same process get this error. */
  unusable?: Error | undefined;
  /** Whether the request was not executed because a limit is used up, which the headers show. */
  withdrawn?: boolean | undefined;
  /** How a fault disturbs the transfer of the response. */
  disturbance?: "drop" | "truncate" | undefined;
  /** Time by which a `delay` fault delays the response, in milliseconds of the clock. */
  delayMilliseconds?: number | undefined;
}

/** A response that may be sent only after its effect is committed. */
export interface PendingRecord extends ResponseRecord {
  /** Commits the effect together with all waiting effects. Returns the response to send. */
  committed?: () => ResponseRecord;
}
