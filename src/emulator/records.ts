/** Plain records, so that handling a request requires neither sockets nor web-standard objects. */
export interface RequestRecord {
  method: string;
  target: string;
  /** Headers with names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array | string | undefined;
  /**
   * Whether the sender has waited for the rate limit. If another process uses up the limit first, the
   * response has `withdrawn` set, and the sender waits again.
   */
  waitsForLimit?: boolean | undefined;
}

/** Converts a HEAD request to a GET (D-method-head). Returns any other request unchanged. */
export function toReadRequest(request: RequestRecord): RequestRecord {
  return request.method === "HEAD" ? { ...request, method: "GET" } : request;
}

export interface ResponseRecord {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** Error that callers in this process get instead of the response if the database can't be used. */
  unusable?: Error | undefined;
  /**
   * Whether the emulator did not run the request, because another process used up the limit for which the
   * sender had waited.
   */
  withdrawn?: boolean | undefined;
  disturbance?: "drop" | "truncate" | undefined;
  delayMilliseconds?: number | undefined;
}

/** A response that must not be sent before its changes are committed. */
export interface PendingRecord extends ResponseRecord {
  /** Commits the changes of all waiting responses, and returns the response to send. */
  committed?: () => ResponseRecord;
}
