/** Sends a request to the service over the network, or to the emulator in this process. */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;

export interface TransportRequest {
  method: string;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Whether the sender has waited for the rate limit. If so, but other clients have used up the limit in the
   * meantime, the emulator throws LimitUsedUp instead of responding.
   */
  waitsForLimit?: boolean | undefined;
  /** Called right before the first byte is sent; if it returns false, the request is not sent. */
  mayStart?: (() => boolean) | undefined;
}

export interface TransportResponse {
  status: number;
  /** Names are in lower case; the values of repeated headers are joined with commas. */
  headers: Readonly<Record<string, string>>;
  /**
   * The body as a stream. Read the body only once, here or with `text()`. The stream throws ConnectionError
   * if the body is truncated.
   */
  body: AsyncIterable<Uint8Array>;
  /** A network transport throws if the body is too large. */
  text(): Promise<string>;
}

/**
 * Thrown if the sender waited for the rate limit, but other clients used up the limit first. The request was
 * not executed.
 */
export class LimitUsedUp extends Error {
  override readonly name = "LimitUsedUp";
  constructor(readonly headers: Readonly<Record<string, string>>) {
    super("other clients used up the limit; the request was not sent");
  }
}

interface ConnectionErrorOptions {
  cause?: unknown;
  hint?: string | undefined;
  /** Whether a retry would also fail. */
  permanent?: boolean | undefined;
  /** Name of the proxy at which the request failed, for messages: `the proxy http://127.0.0.1:3128`. */
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
    /**
     * Whether the request may have reached the service. False, for example, if the connection was refused.
     */
    readonly maybeSent: boolean,
    readonly code?: string,
    { cause, hint, permanent, via }: ConnectionErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
    this.permanent = permanent ?? false;
    this.via = via;
  }
}
