import type { Clock } from "../base/clock.js";
import type { Random } from "../base/random.js";
import type { Transport } from "../base/transport.js";
import type { ApiName } from "../contract/apis.js";
import type { OperationName } from "../contract/wire.js";
import type { Method } from "../contract/wire-operation.js";
import type { Query } from "./addresses.js";
import type { LimitLedger } from "./limit-ledger.js";

export interface Target {
  /** Base URL such as `https://host/api/v1`; for the legacy API, the host's root. */
  baseUrl: string;
  key: string;
}

export interface ClientOptions {
  targets: Partial<Record<ApiName, Target>>;
  unavailable?: Partial<Record<ApiName, Error>>;
  transport: Transport;
  /** For an emulator in this process, the emulator's clock. */
  clock: Clock;
  random: Random;
  /** Time limit for one attempt (default: 10,000). Use Infinity if no connection can hang. */
  timeoutMilliseconds?: number;
  /**
   * Longest wait for the rate limit (default: 60,000; Infinity for bulk runs). If the wait would be longer, a
   * `rate_limit` error is thrown.
   */
  maxWaitMilliseconds?: number;
  /** Paths by operation name, for deployments with other paths than the contract. */
  paths?: Readonly<Record<string, string>>;
  ledger?: LimitLedger;
  /**
   * Returns keys that no request is allowed to contain, in addition to the keys of `targets`. Called before
   * the first request.
   */
  keys?: () => readonly string[];
  onEvent?: (event: ClientEvent) => void;
}

export type ClientEvent =
  /** The headers don't include the key; secrets in them are masked when a header is read. */
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
      header(name: string): string | undefined;
      body?: string | undefined;
      milliseconds: number;
    }
  | { type: "failure"; message: string; attempt: number }
  /** A request was not sent, because other processes had used up the rate limit. */
  | { type: "withdrawn" }
  /** A mutation was applied; `data` is from the response. */
  | { type: "done"; data: unknown }
  /**
   * `cause`: the error before a retry, or whether the service specified the wait; undefined if `reason` is
   * `pace`.
   */
  | { type: "wait"; milliseconds: number; reason: "pace" | "limit" | "retry"; cause?: string };

export interface CallInput {
  path?: Readonly<Record<string, string>>;
  query?: Query;
  body?: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** See `ClientOptions`. */
  maxWaitMilliseconds?: number;
  /** Longest wait for an assistant's cooldown (default: the same as for the rate limit). */
  maxCooldownMilliseconds?: number;
  /** Maximum number of attempts for a read (default: 4). */
  attempts?: number;
  /** A slot from `paced`. With it, the request is sent immediately. */
  turn?: Turn;
  /**
   * Called right before the first byte is sent over the network. If it returns false, the request is not
   * sent.
   */
  mayStart?: (() => boolean) | undefined;
}

/** The right to send one request within the rate limit. The caller must use or release it. */
export interface Turn {
  release(): void;
}

export interface PacedRun {
  /** Number of requests that the run will send; Infinity if unknown. */
  expected: number;
  /** Fraction of the rate limit that the run is allowed to use (default: 1). */
  share?: number | undefined;
}

export interface Pace {
  /**
   * Waits until the run is allowed to send its next mutation.
   * @throws ClientError `rate_limit` if the wait would be too long; the signal's reason if it is aborted
   */
  turn(): Promise<Turn>;
  /** After a turn, returns at most this many turns that need no wait, in one step of the ledger. */
  burst(most: number): readonly Turn[];
  /** Current interval between two mutations; 0 if mutations are sent immediately. */
  readonly intervalMilliseconds: number;
}

export interface ApiResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /**
   * The body as received, including unknown fields; undefined if the response has no body. A recording is a
   * stream that can be read once. Any other body that is not JSON is a string.
   */
  body: unknown;
  /** The body without its envelope. */
  data: unknown;
}

export interface RawRequest extends CallInput {
  api: ApiName;
  method: Method;
  /** Path relative to the API's base URL: `/contacts`. */
  rawPath: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Client {
  /**
   * Calls an operation. Reads are retried; a mutation is retried only if it certainly had no effect.
   * @throws ClientError
   */
  call(operation: OperationName, input?: CallInput, options?: CallOptions): Promise<ApiResponse>;
  /** The key, pacing and errors are handled as in `call`. */
  request(request: RawRequest, options?: CallOptions): Promise<ApiResponse>;
  /** Yields the rows of a list, with one page in memory at a time. */
  items(
    operation: OperationName,
    input?: CallInput,
    options?: CallOptions & ItemsOptions,
  ): AsyncGenerator<unknown, void>;
  /** Returns the rate limit of this operation's bucket; undefined until a response declares it. */
  declaredLimit(operation: OperationName): number | undefined;
  /** Returns the number of mutations that can probably be sent at once without exceeding the rate limit. */
  remaining(operation: OperationName): number;
  /**
   * Paces a bulk run. If the window has room for all requests of the run and 10 more, the run sends them
   * immediately. Otherwise, the requests are spread evenly, so that other clients keep their share.
   */
  paced(operation: OperationName, run: PacedRun): Pace;
}

export interface ItemsOptions {
  limit?: number;
  /** Number of rows per page (default: the server decides). */
  pageSize?: number;
  /**
   * Function that fetches the pages (default: the client's `call`). A bulk run passes a function that waits
   * during an outage.
   */
  call?: Client["call"];
  /** Whether to read the list repeatedly, so that no row is missed while other users delete rows. */
  complete?: boolean;
  maximumPages?: number;
  /**
   * Called if more rows might exist after the last one. `isCertain` is false if voxctl doesn't understand the
   * response's paging.
   */
  onMore?: (isCertain: boolean) => void;
}
