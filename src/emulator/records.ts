/** Requests and responses as plain records: the pipeline knows neither sockets nor web-standard objects. */
export interface RequestRecord {
  method: string;
  /** Path and query as sent: `/api/v1/contacts?limit=5`. */
  target: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array | string | undefined;
  /** In process: it is not to be refused for a limit that another process has used up a moment ago. */
  waitsForLimit?: boolean | undefined;
}

/** Returns a HEAD request as the GET request that it stands for (D-method-head); any other unchanged. */
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
  /** It was not done: the limit that it waits for is used up, as the headers tell. */
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
