/**
 * The interface between the client and the channel that carries its bytes: undici for a deployment, or the emulator
 * in process. Pacing, retry, paging, bulk runs and output are the same code for both.
 */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;

export interface TransportRequest {
  method: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the sender prefers a wait to a refusal for the limit: a transport that knows the limit rejects with LimitUsedUp. */
  waitsForLimit?: boolean | undefined;
}

export interface TransportResponse {
  status: number;
  /** Names in lower case; repeated headers are joined with a comma. */
  headers: Readonly<Record<string, string>>;
  /** The body as a stream; read once, either by this or by `text()`. Fails with ConnectionError if truncated. */
  body: AsyncIterable<Uint8Array>;
  /** Returns the whole body as UTF-8. Over the network it stops at the bound of a response. */
  text(): Promise<string>;
}

/** Thrown if the request was not sent: others have used up the limit since it took its slot. */
export class LimitUsedUp extends Error {
  override readonly name = "LimitUsedUp";
  /** @param headers the rest of the limit, in a response's headers; names in lower case */
  constructor(readonly headers: Readonly<Record<string, string>>) {
    super("other clients have used up the limit; the request was not sent");
  }
}

interface ConnectionErrorOptions {
  cause?: unknown;
  /** A hint on the remedy. */
  hint?: string | undefined;
  /** Whether the same request would fail again. */
  permanent?: boolean | undefined;
  /** The proxy that the request did not get past: `the proxy http://127.0.0.1:3128`. */
  via?: string | undefined;
}

/** Thrown if the connection failed: no response, or only part of one. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly hint: string | undefined;
  readonly permanent: boolean;
  readonly via: string | undefined;
  constructor(
    message: string,
    /** Whether the request may have reached the service. `false` only if that is certain (refused, no such host). */
    readonly maybeSent: boolean,
    /** The system's code, if any: ECONNREFUSED, ECONNRESET … */
    readonly code?: string,
    { cause, hint, permanent, via }: ConnectionErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
    this.permanent = permanent ?? false;
    this.via = via;
  }
}
