import type { Clock } from "../base/clock.js";
import type { Random } from "../base/random.js";
import type { Transport } from "../base/transport.js";

export type Seed = "empty" | "demo";
export type BucketLimits = Partial<
  Record<"read" | "write" | "outbound_trigger" | "distributor" | "legacy", number>
>;

export interface EmulatorOptions {
  /** Path of the SQLite file (default: `:memory:`). */
  db?: string;
  /** Content of a new emulator (default: `empty`). An existing database keeps its data. */
  seed?: Seed;
  /**
   * Clock mode. `real`: the system clock plus an offset. `virtual`: the clock moves only when a client
   * advances it. Default: the stored mode, or `real` for a new database.
   */
  clock?: "real" | "virtual";
  /**
   * Start time of a new emulator's clock, as ISO 8601 or in milliseconds; from 1971 to 2100 (default: now).
   */
  startTime?: string | number;
  /** Limits that replace the defaults, by bucket (public.limits.override). */
  limits?: BucketLimits;
  /** Seed that makes IDs, seeded data and faults repeatable (default: 1). */
  randomSeed?: number;
  /**
   * `normal`: an acknowledged write survives SIGKILL. `full`: it also survives a power loss (default:
   * `normal`).
   */
  durability?: "normal" | "full";
  /**
   * Fixed values for seeded keys, instead of values derived from the database's key. A value has at least 8
   * visible characters; a legacy key starts with `vak_`. These values are valid as long as the emulator is
   * open.
   */
  keys?: Partial<StartLine["keys"]>;
  /**
   * Whether to lock the file exclusively. With the lock, the emulator keeps caches and writes in batches,
   * like a server. `:memory:` is always exclusive.
   */
  exclusive?: boolean;
  /** Time source of a `real` clock (for tests). */
  systemClock?: Clock;
  /** Source of keys, tokens and nonces (default: the system's). */
  random?: Random;
}

/** URLs, keys and other data for using a running emulator. */
export interface StartLine {
  url: string;
  base_url: string;
  distributor_v1_url: string;
  distributor_v2_url: string;
  legacy_url: string;
  mcp_url: string;
  control_url: string;
  control_token: string;
  organization_id: string;
  keys: {
    admin: string;
    editor: string;
    caller: string;
    viewer: string;
    legacy: string;
    distributor_v1: string;
    distributor_v2: string;
  };
  db: string;
  pid: number;
}

export interface ListenOptions {
  /** Port (default: 4010); 0 selects a free port. */
  port?: number;
  /** Address on which to listen (default: 127.0.0.1). */
  host?: string;
  /** `Host` headers to accept in addition to the default ones. */
  allowHosts?: readonly string[];
  /**
   * Origins such as `http://localhost:5173` whose web pages are allowed to use the APIs and `/mcp`. Web pages
   * from these origins can't use the control interface.
   */
  cors?: readonly string[];
  /**
   * Whether to allow webhook requests for incoming calls to loopback and private addresses (default: only if
   * the server listens on loopback).
   */
  allowPrivateWebhooks?: boolean;
  /** Example webhook body. Known fields are replaced; all others are sent unchanged. */
  webhookExample?: Readonly<Record<string, unknown>>;
  /**
   * Called when a client asks the server to stop (`voxctl emulator stop`). If undefined, such requests are
   * refused.
   */
  onStop?: () => void;
}

export interface EmulatorServer {
  readonly url: string;
  readonly port: number;
  /** Stops the server. Waits up to 2 s for the requests in progress, then closes their connections. */
  close(): Promise<void>;
}

/**
 * An emulator of all the service's APIs on one SQLite database. After `close`, `startLine` and all
 * methods except `close` throw ClosedError.
 */
export interface Emulator {
  /**
   * Handles a request without a socket, with the same parameters as the global `fetch`. The URL's host is
   * ignored. Relative URLs are resolved against `base_url`: `contacts?limit=3` is below `/api/v1`, and `/mcp`
   * is at the host's root.
   * @throws TypeError like `fetch`, for an invalid request or if a fault closes the connection; the signal's
   * reason if it was already aborted
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Transport for voxctl's client, without web-standard objects. See `fetch`. */
  readonly transport: Transport;
  /** The emulator's clock. `sleep` advances it instead of waiting. */
  readonly clock: Clock;
  /** URLs and keys as `emulator start -o json` prints them. Without a server, the host is a placeholder. */
  readonly startLine: StartLine;
  /**
   * Sends a request to the control interface, such as `control("PATCH", "/clock", { advance_seconds: 60 })`,
   * and returns the response's `data`.
   */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /**
   * Creates a snapshot of the emulator's state and clock, and returns its name (default: `snapshot-1` and so
   * on).
   * @throws ControlError 409 if a snapshot with this name exists
   */
  snapshot(name?: string): Promise<string>;
  /**
   * Restores state and clock from a snapshot. Keeps the control token and all snapshots.
   * @throws ControlError 404 if the snapshot doesn't exist
   */
  restore(name: string): Promise<void>;
  /**
   * Copies this emulator to a new in-memory emulator with the same keys, clock and snapshots.
   * @throws Error if this emulator uses a file; copy the file instead
   */
  fork(): Promise<Emulator>;
  /** Serves this emulator over HTTP. */
  listen(options?: ListenOptions): Promise<EmulatorServer>;
  /** Writes batched data and closes the file after a checkpoint. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
