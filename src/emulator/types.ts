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
  /** The content of a new world (default `empty`). A file that exists keeps what it has. */
  seed?: Seed;
  /**
   * `real`: the wall clock plus an offset. `virtual`: frozen until it is told to move. Default: as the file has it,
   * else `real`.
   */
  clock?: "real" | "virtual";
  /** Time at which a new world's clock starts, from 1971 to 2100: ISO 8601, or milliseconds. Default: now. */
  startTime?: string | number;
  /** Limits of the buckets, in place of the defaults (public.limits.override). */
  limits?: BucketLimits;
  /** Makes ids, seeds and faults repeat (default 1). */
  randomSeed?: number;
  /** `full`: an acknowledged write survives a power loss, too. Default `normal`: it survives SIGKILL. */
  durability?: "normal" | "full";
  /**
   * Values for seeded keys, in place of those that follow from the world's own: for whoever wants constants. At least 8
   * visible characters each; a legacy one begins with `vak_`. They hold while the world is open.
   */
  keys?: Partial<StartLine["keys"]>;
  /** Own the file alone, with caches and batched writes; as a server does. `:memory:` is always owned. */
  exclusive?: boolean;
  /** The time that a `real` clock is offset from. Tests hand in their own. */
  systemClock?: Clock;
  /** Where keys, tokens and nonces come from. Default: the system. */
  random?: Random;
}

/** All that a person or a script needs to use a running emulator. */
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
  /** Default 4010; 0 takes a free one. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Further `Host` headers to accept. */
  allowHosts?: readonly string[];
  /** May incoming calls fire webhooks at loopback and private addresses? Default: while it is bound to loopback. */
  allowPrivateWebhooks?: boolean;
  /** A body as webhooks get it: of its fields those that the emulator knows are filled, others sent as they are. */
  webhookExample?: Readonly<Record<string, unknown>>;
  /** Called when somebody asks for its end (`voxctl emulator stop`). Without it that is refused. */
  onStop?: () => void;
}

export interface EmulatorServer {
  readonly url: string;
  readonly port: number;
  /** Answers what is in flight, then stops listening. */
  close(): Promise<void>;
}

/**
 * A world: every interface of the service over one SQLite database. Once it is closed, `startLine` and whatever it is
 * asked to do throw ClosedError.
 */
export interface Emulator {
  /**
   * Answers without a socket, with the signature of the global `fetch`, so that it can stand in its place. The host of
   * the address does not matter, and an address without one is relative to `base_url`: `contacts?limit=3` is a path
   * below it, `/mcp` one of the host.
   * @throws TypeError as `fetch` does, for what is no request and where a fault cuts the connection; the signal's
   * reason when it was aborted before
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The same for voxctl's own client: no web-standard objects on the way. */
  readonly transport: Transport;
  /** The world's clock. `sleep` moves it instead of waiting. */
  readonly clock: Clock;
  /** Addresses and keys, as `emulator start -o json` prints them; in process the host is a placeholder. */
  readonly startLine: StartLine;
  /**
   * Calls the control interface: `control("PATCH", "/clock", { advance_seconds: 60 })`. Answers the envelope's data.
   */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /**
   * Keeps the world as it is now, its clock included; answers the snapshot's name (default `snapshot-1` and so on).
   * @throws ControlError 409 when there is one of that name
   */
  snapshot(name?: string): Promise<string>;
  /**
   * Makes the world what it was when the snapshot was taken. The control token and all snapshots stay.
   * @throws ControlError 404 when there is none of that name
   */
  restore(name: string): Promise<void>;
  /**
   * Another world in memory that begins as this one is now, with the same keys, clock and snapshots.
   * @throws Error where this world is in a file: copy the file instead
   */
  fork(): Promise<Emulator>;
  /** Serves the same world over HTTP. */
  listen(options?: ListenOptions): Promise<EmulatorServer>;
  /** Writes what is batched, checkpoints and closes the file. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
