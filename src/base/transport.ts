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
  /** Its sender would rather wait than be refused for the limit: a transport that can tell rejects with LimitUsedUp. */
  waitsForLimit?: boolean | undefined;
}

export interface TransportResponse {
  status: number;
  /** Lower-case names; repeated headers are joined with a comma. */
  headers: Readonly<Record<string, string>>;
  /** The body as it comes; read once, either by this or by `text()`. Fails with ConnectionError when cut. */
  body: AsyncIterable<Uint8Array>;
  /** The whole body as UTF-8. Over the network it ends at the bound of an answer (T22). */
  text(): Promise<string>;
}

/** Nothing was sent: others have used up the limit since the request got its slot under it. */
export class LimitUsedUp extends Error {
  override readonly name = "LimitUsedUp";
  /** @param headers what is left of the limit, as an answer would tell it; names in lower case */
  constructor(readonly headers: Readonly<Record<string, string>>) {
    super("others have used up the limit; nothing was sent");
  }
}

interface ConnectionErrorOptions {
  cause?: unknown;
  /** A hint on what to do about it. */
  hint?: string | undefined;
  /** The same request would fail again. */
  permanent?: boolean | undefined;
  /** The proxy that the request was to go through, where it had not got past it: `the proxy http://127.0.0.1:3128`. */
  via?: string | undefined;
}

/** The connection failed: no answer, or only a part of one. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly hint: string | undefined;
  readonly permanent: boolean;
  readonly via: string | undefined;
  constructor(
    message: string,
    /** May the request have reached the service? `false` only where that is certain (refused, no such host). */
    readonly maybeSent: boolean,
    /** The system's code where there is one: ECONNREFUSED, ECONNRESET … */
    readonly code?: string,
    { cause, hint, permanent, via }: ConnectionErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
    this.permanent = permanent ?? false;
    this.via = via;
  }
}
