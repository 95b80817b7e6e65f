import type { Clock } from "../base/clock.js";
import type { Random } from "../base/random.js";
import type { Transport } from "../base/transport.js";
import type { ApiName } from "../contract/apis.js";
import type { OperationName } from "../contract/wire.js";
import type { Method } from "../contract/wire-operation.js";
import type { LimitLedger } from "./limit-ledger.js";

export interface Target {
  /** The API's base address, `https://host/api/v1`; for the legacy API the host's root. */
  baseUrl: string;
  key: string;
}

export interface ClientOptions {
  targets: Partial<Record<ApiName, Target>>;
  /** Reason why an API has no target: thrown when it is used. */
  unavailable?: Partial<Record<ApiName, Error>>;
  transport: Transport;
  /** Clock for pacing and back-off; in process it is the emulator's. */
  clock: Clock;
  /** Jitter. */
  random: Random;
  /** Longest time of one attempt (default 10,000; Infinity if no connection can hang). */
  timeoutMilliseconds?: number;
  /** Longest wait for limits (default 60,000; Infinity for bulk runs). Beyond it: `rate_limit` error. */
  maxWaitMilliseconds?: number;
  /** Paths, by operation name, for deployments that use others where the documents specify none. */
  paths?: Readonly<Record<string, string>>;
  /** Storage of the limits' counts (default: in this client). */
  ledger?: LimitLedger;
  /**
   * Further keys in addition to those of the targets. No request may contain any of them, except as its own authorization.
   * Called before the first request.
   */
  keys?: () => readonly string[];
  /** Receives internal events: for `--debug` and "waiting 12 s for the limit". */
  onEvent?: (event: ClientEvent) => void;
}

export type ClientEvent =
  /** Headers without the key. Secrets are masked when it is read. */
  | {
      type: "request";
      method: string;
      url: string;
      headers: Readonly<Record<string, string>>;
      body?: string | undefined;
      attempt: number;
    }
  | {
      type: "response";
      status: number;
      headers: Readonly<Record<string, string>>;
      /** One of them. */
      header(name: string): string | undefined;
      body?: string | undefined;
      milliseconds: number;
    }
  | { type: "failure"; message: string; attempt: number }
  /** A request was not sent: others have used up its limit. */
  | { type: "withdrawn" }
  /** A mutation took effect; its response's data. */
  | { type: "done"; data: unknown }
  | { type: "wait"; milliseconds: number; reason: "pace" | "limit" | "retry" };

export interface CallInput {
  /** Values of the path's parameters: `{ contact_id: "…" }`. */
  path?: Readonly<Record<string, string>>;
  /** Undefined values are omitted. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Overrides the client's longest wait for limits. */
  maxWaitMilliseconds?: number;
  /** Longest wait for an assistant's cooldown (default: the same as for limits). */
  maxCooldownMilliseconds?: number;
  /** Maximum number of attempts of a read (default 4). */
  attempts?: number;
  /** A slot that `paced` took before; the request is sent at once. */
  turn?: Turn;
}

/** One request's slot under its limit. Used by a call, or released. */
export interface Turn {
  /** Releases an unused slot; has no effect after it was used. */
  release(): void;
}

/** A bulk run's parameters for pacing. */
export interface PacedRun {
  /** Number of requests that it will send; Infinity if unknown. */
  expected: number;
  /** Part of the limit that it may use (default 1). */
  share?: number | undefined;
}

/** The pace of one bulk run. */
export interface Pace {
  /**
   * Waits until the run's next mutation may be sent, and returns its slot under the limit.
   * @throws ClientError `rate_limit` if the wait would be longer than allowed; the signal's reason
   */
  turn(): Promise<Turn>;
  /** Current distance of two mutations in milliseconds; 0 while they are sent at once. */
  readonly intervalMilliseconds: number;
}

export interface ApiResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /**
   * The body as sent, with unknown fields; undefined if none was sent. For a recording, its bytes
   * (`AsyncIterable<Uint8Array>`), to be read once; for media types other than JSON, the text.
   */
  body: unknown;
  /** The body without its envelope. */
  data: unknown;
}

export interface RawRequest extends CallInput {
  api: ApiName;
  method: Method;
  /** Relative to the API's base address: `/contacts`. */
  rawPath: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Client {
  /**
   * Calls one operation. Reads retry; a mutation is sent once.
   * @throws ClientError
   */
  call(operation: OperationName, input?: CallInput, options?: CallOptions): Promise<ApiResponse>;
  /** Calls any path, with the API's key, pacing and error parsing. */
  request(request: RawRequest, options?: CallOptions): Promise<ApiResponse>;
  /** Yields the rows of a list from the requested number of pages, one page in memory at a time. */
  items(
    operation: OperationName,
    input?: CallInput,
    options?: CallOptions & ItemsOptions,
  ): AsyncGenerator<unknown, void>;
  /** The limit of this operation's bucket as a response declared it; undefined if unknown. */
  declaredLimit(operation: OperationName): number | undefined;
  /** Number of mutations of this bucket that may be sent at once without reaching the limit, as far as is known. */
  remaining(operation: OperationName): number;
  /**
   * Paces a bulk run of this operation's bucket: requests that fit into the rest of the window, less 10, are sent
   * at once; more are spaced evenly, so that others keep their share.
   */
  paced(operation: OperationName, run: PacedRun): Pace;
}

export interface ItemsOptions {
  /** Maximum number of rows (default: all). */
  limit?: number;
  /** Rows per page (default: the server's). */
  pageSize?: number;
  /** Fetches each page instead of the client's own `call`: a bulk run's version waits during an outage. */
  call?: Client["call"];
  /** Whether to read until no row is missing that existed all the time, even if others delete rows concurrently. */
  complete?: boolean;
  /** Maximum number of pages (default: none). See `limit`. */
  maximumPages?: number;
  /**
   * Called if rows remain after `limit`; not certain if the response suggests more rows in a way that is not
   * understood.
   */
  onMore?: (isCertain: boolean) => void;
}
