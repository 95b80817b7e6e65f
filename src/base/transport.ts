/**
 * The interface between the client and the service: undici for a deployed service, or the emulator in this process. Pacing, retries,
 * paging, bulk runs and output use the same code for both.
 */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;

export interface TransportRequest {
  method: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Whether the sender waits for a free slot in the rate limit. If another client uses the slot first, an in-process transport throws
   * LimitUsedUp.
   */
  waitsForLimit?: boolean | undefined;
  /** Called right before the request's first byte is sent. If it returns false, the request is not sent. */
  mayStart?: (() => boolean) | undefined;
}

export interface TransportResponse {
  status: number;
  /** Names are in lower case; the values of repeated headers are joined with commas. */
  headers: Readonly<Record<string, string>>;
  /** The body as a stream. It can be read only once, here or with `text()`. Fails with ConnectionError if it is truncated. */
  body: AsyncIterable<Uint8Array>;
  /** Returns the whole body as UTF-8. A network transport fails at the maximum response size. */
  text(): Promise<string>;
}

/** Thrown if a request was not executed because other clients used up the limit after the sender had waited for a free slot. */
export class LimitUsedUp extends Error {
  override readonly name = "LimitUsedUp";
  /** @param headers rate-limit headers as in a response; names are in lower case */
  constructor(readonly headers: Readonly<Record<string, string>>) {
    super("other clients used up the limit; the request was not sent");
  }
}

interface ConnectionErrorOptions {
  cause?: unknown;
  /** Hint on how to fix the problem. */
  hint?: string | undefined;
  /** Whether repeating the request would fail in the same way. */
  permanent?: boolean | undefined;
  /** The proxy at which the request failed: `the proxy http://127.0.0.1:3128`. */
  via?: string | undefined;
}

/** Thrown if the connection failed before a complete response arrived. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly hint: string | undefined;
  readonly permanent: boolean;
  readonly via: string | undefined;
  constructor(
    message: string,
    /** Whether the request may have reached the service. `false` means that it certainly didn't (connection refused, unknown host). */
    readonly maybeSent: boolean,
    /** The system's error code, if any: ECONNREFUSED, ECONNRESET … */
    readonly code?: string,
    { cause, hint, permanent, via }: ConnectionErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
    this.permanent = permanent ?? false;
    this.via = via;
  }
}
