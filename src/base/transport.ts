/**
 * The seam between everything that speaks to the service and what carries the bytes: undici remotely, the emulator
 * in process. Pacing, retry, paging, bulk runs and output are the same code above it.
 */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;

export interface TransportRequest {
  method: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface TransportResponse {
  status: number;
  /** Lower-case names; repeated headers are joined with a comma. */
  headers: Readonly<Record<string, string>>;
  /** The body as it comes; read once, either by this or by `text()`. Fails with ConnectionError when cut. */
  body: AsyncIterable<Uint8Array>;
  /** The whole body as UTF-8. */
  text(): Promise<string>;
}

/** The connection failed: no answer, or only a part of one. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  constructor(
    message: string,
    /** May the request have reached the service? `false` only where that is certain (refused, no such host). */
    readonly maybeSent: boolean,
    /** The system's code where there is one: ECONNREFUSED, UND_ERR_SOCKET … */
    readonly code?: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
