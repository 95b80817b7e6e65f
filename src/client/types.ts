import type { Clock } from "../base/clock.js";
import type { Random } from "../base/random.js";
import type { Transport } from "../base/transport.js";
import type { ApiName } from "../contract/apis.js";
import type { OperationName } from "../contract/wire.js";
import type { Method } from "../contract/wire-operation.js";
import type { LimitLedger } from "./limit-ledger.js";

export interface Target {
  /** Base URL of the API, such as `https://host/api/v1`; for the legacy API, the root of the host. */
  baseUrl: string;
  key: string;
}

export interface ClientOptions {
  targets: Partial<Record<ApiName, Target>>;
  /** Error to throw if an API without a target is used; it states the reason. */
  unavailable?: Partial<Record<ApiName, Error>>;
  transport: Transport;
  /** Clock for pacing and back-off; for an emulator in this process, the emulator's clock. */
  clock: Clock;
  /** Source of random numbers for jitter. */
  random: Random;
  /** Longest time of one attempt (default: 10,000). Use Infinity if no connection can hang. */
  timeoutMilliseconds?: number;
  /**
   * Longest wait for limits (default: 60,000; Infinity for bulk runs). If a longer wait is required, the call fails with a `rate_limit`
   * error.
   */
  maxWaitMilliseconds?: number;
  /** Paths by operation name, for deployments whose paths differ from those that the contract assumes if the documents specify none. */
  paths?: Readonly<Record<string, string>>;
  /** Storage for the counts of limits (default: in this client). */
  ledger?: LimitLedger;
  /**
   * Returns keys in addition to those of the targets. No request may contain any key, except in its own Authorization header. Called before
   * the first request.
   */
  keys?: () => readonly string[];
  /** Receives internal events, for `--debug` and for messages such as "waiting 12 s for the limit". */
  onEvent?: (event: ClientEvent) => void;
}

export type ClientEvent =
  /** All headers except the one with the key. Secrets are masked when the headers are read. */
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
      /** Returns one of these headers. */
      header(name: string): string | undefined;
      body?: string | undefined;
      milliseconds: number;
    }
  | { type: "failure"; message: string; attempt: number }
  /** A request was not sent because other processes used up its limit. */
  | { type: "withdrawn" }
  /** A mutation took effect; `data` is from its response. */
  | { type: "done"; data: unknown }
  | { type: "wait"; milliseconds: number; reason: "pace" | "limit" | "retry" };

export interface CallInput {
  /** Values of path parameters: `{ contact_id: "…" }`. */
  path?: Readonly<Record<string, string>>;
  /** Query parameters; undefined values are omitted. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Overrides the client's longest wait for limits. */
  maxWaitMilliseconds?: number;
  /** Longest wait for an assistant's cooldown (default: the same as for limits). */
  maxCooldownMilliseconds?: number;
  /** Maximum number of attempts for a read (default: 4). */
  attempts?: number;
  /** A slot that was taken with `paced`; the request is sent at once. */
  turn?: Turn;
}

/** The slot of one request under its limit. It must be used for a request or released. */
export interface Turn {
  /** Releases an unused slot; has no effect after it was used. */
  release(): void;
}

/** Parameters for pacing a bulk run. */
export interface PacedRun {
  /** Number of requests that the run will send; Infinity if unknown. */
  expected: number;
  /** Part of the limit that the run may use (default: 1). */
  share?: number | undefined;
}

/** The pace of one bulk run. */
export interface Pace {
  /**
   * Waits until the run's next mutation may be sent. Returns its slot under the limit. @throws ClientError `rate_limit` if the wait would
   * be longer than allowed, or the signal's reason
   */
  turn(): Promise<Turn>;
  /** Current time between two mutations in milliseconds; 0 while mutations are sent at once. */
  readonly intervalMilliseconds: number;
}

export interface ApiResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /**
   * The body as received, including unknown fields; undefined if the response has no body. For a recording, its bytes
   * (`AsyncIterable<Uint8Array>`), which can be read once; for media types other than JSON, the text.
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
   * Calls one operation. Reads are retried; a mutation is sent once.
   * @throws ClientError
   */
  call(operation: OperationName, input?: CallInput, options?: CallOptions): Promise<ApiResponse>;
  /** Sends a request to any path, with the API's key, pacing and error parsing. */
  request(request: RawRequest, options?: CallOptions): Promise<ApiResponse>;
  /** Yields the rows of a list, with one page in memory at a time. */
  items(
    operation: OperationName,
    input?: CallInput,
    options?: CallOptions & ItemsOptions,
  ): AsyncGenerator<unknown, void>;
  /** Returns the limit of this operation's bucket, as declared by a response; undefined if no response declared it. */
  declaredLimit(operation: OperationName): number | undefined;
  /** Returns the number of mutations in this bucket that, as far as is known, may be sent at once without exceeding the limit. */
  remaining(operation: OperationName): number;
  /**
   * Paces a bulk run in this operation's bucket. If the run's requests fit into the rest of the window, less 10, they are sent at once.
   * Otherwise they are spaced evenly, so that other clients keep their share.
   */
  paced(operation: OperationName, run: PacedRun): Pace;
}

export interface ItemsOptions {
  /** Maximum number of rows (default: all). */
  limit?: number;
  /** Number of rows per page (default: the server decides). */
  pageSize?: number;
  /** Function that fetches each page instead of the client's `call`. A bulk run passes a function that waits during an outage. */
  call?: Client["call"];
  /** Whether to read the list until it contains every row that existed during the whole read, even if others delete rows concurrently. */
  complete?: boolean;
  /** Maximum number of pages (default: none). See `limit`. */
  maximumPages?: number;
  /**
   * Called if rows remain after `limit`. `isCertain` is false if the response suggests more rows in a way that voxctl doesn't understand.
   */
  onMore?: (isCertain: boolean) => void;
}
