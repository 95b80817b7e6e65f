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
  /** The content of a new emulator (default: `empty`). An existing database keeps its data. */
  seed?: Seed;
  /**
   * Mode of the clock: `real` is the wall clock plus an offset; `virtual` is frozen until it is moved (default: the stored mode, or `real`
   * in a new database).
   */
  clock?: "real" | "virtual";
  /** Start time of a new emulator's clock, from 1971 to 2100, as ISO 8601 text or in milliseconds (default: now). */
  startTime?: string | number;
  /** Limits for buckets, which replace the defaults (public.limits.override). */
  limits?: BucketLimits;
  /** Seed that makes ids, seeded data and faults repeatable (default: 1). */
  randomSeed?: number;
  /** With `normal`, a confirmed write survives SIGKILL. With `full`, it also survives a power loss (default: `normal`). */
  durability?: "normal" | "full";
  /**
   * Constant values for seeded keys, which replace values derived from the database's key. A value needs at least 8 visible characters; a
   * legacy key starts with `vak_`. The values are valid while the emulator is open.
   */
  keys?: Partial<StartLine["keys"]>;
  /**
   * Whether to lock the file exclusively and use caches and batched writes, as a server does. `:memory:` is always exclusive.
   */
  exclusive?: boolean;
  /** Time source of a `real` clock, for tests. */
  systemClock?: Clock;
  /** Source of keys, tokens and nonces (default: the system). */
  random?: Random;
}

/** The URLs, keys and other data that users and scripts need to use a running emulator. */
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
  /** Port to listen on (default: 4010); 0 selects a free port. */
  port?: number;
  /** Host to listen on (default: 127.0.0.1). */
  host?: string;
  /** Additional `Host` headers to accept. */
  allowHosts?: readonly string[];
  /** Origins of web pages, such as `http://localhost:5173`, that may use the APIs and `/mcp`. They can't use the control interface. */
  cors?: readonly string[];
  /**
   * Whether webhooks of incoming calls may be sent to loopback and private addresses (default: only while the server is bound to loopback).
   */
  allowPrivateWebhooks?: boolean;
  /** Example body for webhooks. Known fields are replaced; all other fields are sent unchanged. */
  webhookExample?: Readonly<Record<string, unknown>>;
  /** Called when a client asks the server to stop (`voxctl emulator stop`). If undefined, such a request is refused. */
  onStop?: () => void;
}

export interface EmulatorServer {
  readonly url: string;
  readonly port: number;
  /** Completes the requests in progress, then stops listening. */
  close(): Promise<void>;
}

/**
 * An emulator with all APIs of the service on one SQLite database. After it is closed, `startLine` and all methods throw ClosedError.
 */
export interface Emulator {
  /**
   * Handles a request without a socket, with the signature of the global `fetch`. The host of the URL does not matter. A relative URL is
   * resolved against `base_url`, so `contacts?limit=3` is below it and `/mcp` is at the root of the host. @throws TypeError like `fetch`,
   * for an invalid request or if a fault closes the connection; the signal's reason if it was already aborted
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Transport for voxctl's client, without web-standard objects. See `fetch`. */
  readonly transport: Transport;
  /** The emulator's clock. `sleep` advances it instead of waiting. */
  readonly clock: Clock;
  /** URLs and keys as `emulator start -o json` prints them. Without a server, the host is a placeholder. */
  readonly startLine: StartLine;
  /**
   * Sends a request to the control interface, as in `control("PATCH", "/clock", { advance_seconds: 60 })`. Returns the value of `data`.
   */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /**
   * Creates a snapshot of the emulator state and clock. Returns its name (default: `snapshot-1` and so on).
   * @throws ControlError 409 if a snapshot with this name exists
   */
  snapshot(name?: string): Promise<string>;
  /**
   * Restores the state and clock from a snapshot. The control token and all snapshots are kept.
   * @throws ControlError 404 if the snapshot doesn't exist
   */
  restore(name: string): Promise<void>;
  /**
   * Copies this emulator to a new emulator in memory with the same keys, clock and snapshots. @throws Error if this emulator uses a file;
   * copy the file instead
   */
  fork(): Promise<Emulator>;
  /** Serves this emulator over HTTP. */
  listen(options?: ListenOptions): Promise<EmulatorServer>;
  /** Writes batched data, runs a checkpoint and closes the file. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
