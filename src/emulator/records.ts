/** Requests and responses as plain records, without sockets and web-standard objects. */
export interface RequestRecord {
  method: string;
  /** Path and query as sent: `/api/v1/contacts?limit=5`. */
  target: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array | string | undefined;
  /** In process: a limit that another process has just used up must not refuse it. */
  waitsForLimit?: boolean | undefined;
}

/** Converts a HEAD request to the corresponding GET request (D-method-head); returns any other unchanged. */
export function toReadRequest(request: RequestRecord): RequestRecord {
  return request.method === "HEAD" ? { ...request, method: "GET" } : request;
}

export interface ResponseRecord {
  status: number;
  /** Names as they are written on the wire. */
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** Set if the database can't be used: callers in the same process get this error. */
  unusable?: Error | undefined;
  /** Whether the request was not executed because a limit is used up, as the headers show. */
  withdrawn?: boolean | undefined;
  /** The effect of a fault on the transfer of the response. */
  disturbance?: "drop" | "truncate" | undefined;
  /** A `delay` fault: milliseconds of the clock before the response. */
  delayMilliseconds?: number | undefined;
}

/** A response that may be sent only after its effect is committed. */
export interface PendingRecord extends ResponseRecord {
  /** Commits the effect with all waiting ones; returns the response to send then. */
  committed?: () => ResponseRecord;
}
