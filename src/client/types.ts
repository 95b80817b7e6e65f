import type { Clock } from "../base/clock.js";
import type { Random } from "../base/random.js";
import type { Transport } from "../base/transport.js";
import type { ApiName } from "../contract/apis.js";
import type { OperationName } from "../contract/wire.js";
import type { Method } from "../contract/wire-operation.js";
import type { LimitLedger } from "./limit-ledger.js";

export interface Target {
  /** The surface's base address, `https://host/api/v1`; of the legacy interface the host's root. */
  baseUrl: string;
  key: string;
}

export interface ClientOptions {
  targets: Partial<Record<ApiName, Target>>;
  /** Why an interface has no target: thrown where it is asked. */
  unavailable?: Partial<Record<ApiName, Error>>;
  transport: Transport;
  /** Pacing and back-off wait on it; in process it is the world's. */
  clock: Clock;
  /** Jitter. */
  random: Random;
  /** Bound on one attempt (default 10,000; Infinity where no connection can hang). */
  timeoutMilliseconds?: number;
  /** Bound on the waiting that limits ask for (default 60,000; Infinity for bulk runs). Past it: `rate_limit` error. */
  maxWaitMilliseconds?: number;
  /** Paths, by operation name, for deployments that chose others for what the documents don't show. */
  paths?: Readonly<Record<string, string>>;
  /** Where the counts of the limits are kept (default: in this client). */
  ledger?: LimitLedger;
  /**
   * More keys than those of its targets. With it, no request may carry any of them, except as its own authorization.
   * Called before the first request.
   */
  keys?: () => readonly string[];
  /** Told what happens underneath: for `--debug` and "waiting 12 s for the limit". */
  onEvent?: (event: ClientEvent) => void;
}

export type ClientEvent =
  /** Headers without the key. What has to be masked is masked when it is read. */
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
  /** A request was not sent after all: others have used up its limit. */
  | { type: "withdrawn" }
  /** A request that changes something took effect; its answer's data. */
  | { type: "done"; data: unknown }
  | { type: "wait"; milliseconds: number; reason: "pace" | "limit" | "retry" };

export interface CallInput {
  /** Values of the path's parameters: `{ contact_id: "…" }`. */
  path?: Readonly<Record<string, string>>;
  /** Undefined values are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Overrides the client's bound on waiting for limits. */
  maxWaitMilliseconds?: number;
  /** Bound on waiting for an assistant's cooldown (default: the same as for limits). */
  maxCooldownMilliseconds?: number;
  /** How often a read is tried at most (default 4). */
  attempts?: number;
  /** A slot under the limit taken before by `paced`; the request goes at once. */
  turn?: Turn;
}

/** One request's slot under its limit. Used up by a call, or given back. */
export interface Turn {
  /** Gives an unused slot back; does nothing after it was used. */
  release(): void;
}

/** The facts that a bulk run tells of itself to be paced. */
export interface PacedRun {
  /** Requests that it is about to send; Infinity where that is unknown. */
  expected: number;
  /** The part of the limit that it may use (default 1). */
  share?: number | undefined;
}

/** The pace of one bulk run. */
export interface Pace {
  /**
   * Waits until the run's next mutation may go, and holds its slot under the limit.
   * @throws ClientError `rate_limit` when it would have to wait longer than allowed for the limit; the signal's reason
   */
  turn(): Promise<Turn>;
  /** Distance of two mutations as they are spaced now; 0 while they go at once. */
  readonly intervalMilliseconds: number;
}

export interface ApiResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /**
   * The body as it was sent, unknown fields too; undefined where none was sent. A recording is its bytes as they come
   * (`AsyncIterable<Uint8Array>`), to be read once; of other media types than JSON the text.
   */
  body: unknown;
  /** The body without its envelope. */
  data: unknown;
}

export interface RawRequest extends CallInput {
  api: ApiName;
  method: Method;
  /** Relative to the surface's base address: `/contacts`. */
  rawPath: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Client {
  /**
   * One operation. Reads retry; a mutation is sent once.
   * @throws ClientError
   */
  call(operation: OperationName, input?: CallInput, options?: CallOptions): Promise<ApiResponse>;
  /** Any path, with the surface's key, pacing and error parsing. */
  request(request: RawRequest, options?: CallOptions): Promise<ApiResponse>;
  /** The rows of a list, over as many pages as asked for; holds one page at a time. */
  items(
    operation: OperationName,
    input?: CallInput,
    options?: CallOptions & ItemsOptions,
  ): AsyncGenerator<unknown, void>;
  /** The limit of this operation's bucket as an answer declared it; undefined where none did, as far as is known. */
  declaredLimit(operation: OperationName): number | undefined;
  /** How many mutations of this bucket may go at once without meeting the limit, as far as is known. */
  remaining(operation: OperationName): number;
  /**
   * Paces a bulk run of requests of this operation's bucket: those that fit into what remains of the window, less 10, go
   * at once; more are spaced evenly, so that others keep their share.
   */
  paced(operation: OperationName, run: PacedRun): Pace;
}

export interface ItemsOptions {
  /** Stop after this many rows (default: all). */
  limit?: number;
  /** Rows asked for per page (default: the server's). */
  pageSize?: number;
  /** Fetches each page in place of the client's own `call`: a bulk run's waits until an outage is over. */
  call?: Client["call"];
  /** Read until nothing is missing that was there all the time, also where others delete rows meanwhile. */
  complete?: boolean;
  /** Stop after so many pages, as after `limit` rows (default: none). */
  maximumPages?: number;
  /**
   * Called when rows are left after `limit`; not certain where the answer suggests more without saying it in a way that
   * is understood.
   */
  onMore?: (isCertain: boolean) => void;
}
