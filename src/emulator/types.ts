import type { Clock } from "../base/clock.js";
import type { Random } from "../base/random.js";
import type { Transport } from "../base/transport.js";

export type Seed = "empty" | "demo";
export type BucketLimits = Partial<
  Record<"read" | "write" | "outbound_trigger" | "distributor" | "legacy", number>
>;

export interface EmulatorOptions {
  /** Path of the SQLite file, or `:memory:` (the default). */
  db?: string;
  /** The content of a new emulator (default `empty`). An existing database keeps its data. */
  seed?: Seed;
  /**
   * `real`: the wall clock plus an offset. `virtual`: frozen until it is moved. Default: the mode stored in the database,
   * otherwise `real`.
   */
  clock?: "real" | "virtual";
  /** Start time of a new emulator's clock, from 1971 to 2100: ISO 8601, or milliseconds. Default: now. */
  startTime?: string | number;
  /** Limits of the buckets, which replace the defaults (public.limits.override). */
  limits?: BucketLimits;
  /** Makes ids, seeds and faults repeatable (default 1). */
  randomSeed?: number;
  /** `normal` (default): a confirmed write survives SIGKILL. `full`: it also survives a power loss. */
  durability?: "normal" | "full";
  /**
   * Constant values for seeded keys, which replace those that derive from the database's key. At least 8
   * visible characters each; a legacy key starts with `vak_`. They are valid while the emulator is open.
   */
  keys?: Partial<StartLine["keys"]>;
  /**
   * Own the file exclusively, with caches and batched writes, as a server does. `:memory:` is always owned.
   */
  exclusive?: boolean;
  /** The time source of a `real` clock. For tests. */
  systemClock?: Clock;
  /** The source of keys, tokens and nonces. Default: the system. */
  random?: Random;
}

/** The data that users and scripts need to use a running emulator. */
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
  /** Default 4010; 0 selects a free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Additional `Host` headers to accept. */
  allowHosts?: readonly string[];
  /** Origins of web pages, such as `http://localhost:5173`, that may use the APIs and `/mcp`, but not the control interface. */
  cors?: readonly string[];
  /**
   * Allow webhooks of incoming calls to have loopback and private addresses. Default: only while the server
   * is bound to loopback.
   */
  allowPrivateWebhooks?: boolean;
  /** An example of a webhook's body: known fields are replaced, others are sent unchanged. */
  webhookExample?: Readonly<Record<string, unknown>>;
  /** Called when a client requests its end (`voxctl emulator stop`). Without it, that is refused. */
  onStop?: () => void;
}

export interface EmulatorServer {
  readonly url: string;
  readonly port: number;
  /** Completes the requests in progress, then stops listening. */
  close(): Promise<void>;
}

/**
 * An emulator: all APIs of the service on one SQLite database. After it is closed, `startLine` and all
 * methods throw ClosedError.
 */
export interface Emulator {
  /**
   * Handles a request without a socket, with the signature of the global `fetch`. The host of
   * the URL does not matter, and a relative URL is resolved against `base_url`: `contacts?limit=3` is a path
   * below it, `/mcp` one of the host.
   * @throws TypeError like `fetch`, for an invalid request or if a fault cuts the connection; the signal's
   * reason if it was aborted before
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The transport for voxctl's client, without web-standard objects. See `fetch`. */
  readonly transport: Transport;
  /** The emulator's clock. `sleep` advances it instead of waiting. */
  readonly clock: Clock;
  /** URLs and keys, as `emulator start -o json` prints them; in process the host is a placeholder. */
  readonly startLine: StartLine;
  /**
   * Calls the control interface: `control("PATCH", "/clock", { advance_seconds: 60 })`. Returns the value of
   * `data`.
   */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /**
   * Creates a snapshot of the emulator state and clock; returns its name (default `snapshot-1` and so on).
   * @throws ControlError 409 if a snapshot with this name exists
   */
  snapshot(name?: string): Promise<string>;
  /**
   * Restores the state and clock of a snapshot. The control token and all snapshots are kept.
   * @throws ControlError 404 if the snapshot doesn't exist
   */
  restore(name: string): Promise<void>;
  /**
   * Copies this emulator to another one in memory, with the same keys, clock and snapshots.
   * @throws Error if this emulator uses a file: copy the file instead
   */
  fork(): Promise<Emulator>;
  /** Serves this emulator over HTTP. */
  listen(options?: ListenOptions): Promise<EmulatorServer>;
  /** Writes batched data, checkpoints and closes the file. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
