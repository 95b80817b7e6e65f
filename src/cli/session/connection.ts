import { join } from "node:path";
import { type Clock, withSleep } from "../../base/clock.js";
import { describeFsError } from "../../base/describe-fs-error.js";
import { ConnectionError, type Transport } from "../../base/transport.js";
import { ClientError } from "../../client/errors.js";
import type { NetworkTransport } from "../../client/network-transport.js";
import { openSharedLedger } from "../../client/shared-ledger.js";
import type { ClientOptions } from "../../client/types.js";
import type { Emulator, StartLine } from "../../emulator/types.js";
import { usageError } from "../errors/errors.js";
import { serverEnded } from "../errors/exit-codes.js";
import { isUnusableFile, unusableFileError } from "../errors/unusable-file.js";
import { findFolders } from "../profiles/folders.js";
import type { ChosenProfile, OfflineProfile, RemoteProfile } from "../profiles/profile.js";
import { createConnection } from "./create-connection.js";
import type { Connect } from "./overrides.js";
import type { Connection } from "./session.js";

type Options = Parameters<Connect>[1];

/** Only this file distinguishes a service on the network from an emulator in this process. */
export const connect: Connect = (profile, options) =>
  profile.type === "remote" ? connectRemote(profile, options) : connectOffline(profile, options);

async function connectRemote(profile: RemoteProfile, options: Options): Promise<Connection> {
  if (profile.rehearsal) {
    const { connectRehearsed } = await import("./rehearsed.js");
    const { clock, signal, flags } = options;
    const { realTime } = flags;
    return connectRehearsed(profile, profile.rehearsal, { clock, signal, realTime, bounds: bounds(options) });
  }
  const network = await openNetwork(profile, options);
  const ledger = createMachineLedger(options);
  const clientOptions: ClientOptions = {
    ...bounds(options),
    targets: profile.targets,
    unavailable: Object.fromEntries(
      Object.entries(profile.unreadable ?? {}).map(([api, { error }]) => [api, error]),
    ),
    paths: profile.paths,
    transport: network.transport,
    clock: options.clock,
    ledger,
  };
  return createConnection(clientOptions, {
    profile,
    baseUrl: (api) => (profile.targets[api] ?? profile.unreadable?.[api])?.baseUrl,
    close: async () => {
      await network.close();
      ledger.close();
    },
  });
}

async function openNetwork(
  { name, caFile }: RemoteProfile,
  { io, transport }: Options,
): Promise<NetworkTransport> {
  if (transport) return { transport, close: async () => {} };
  const { createNetworkTransport } = await import("../../client/network-transport.js");
  if (caFile === undefined) return createNetworkTransport({ env: io.env });
  const { readAuthorities } = await import("../../client/authorities.js");
  const file = readAuthorities(caFile);
  if ("problem" in file)
    throw usageError(`cannot use ${caFile}, the ca_file of profile "${name}": ${file.problem}`, {
      hint: `to use another file, run \`voxctl profiles add ${name} --url URL --ca-file FILE\``,
    });
  return createNetworkTransport({ env: io.env, authorities: file.certificates });
}

/** Longest wait until another process has finished opening or closing the database. */
const lockTimeoutMilliseconds = 5_000;

async function connectOffline(profile: OfflineProfile, options: Options): Promise<Connection> {
  const { LockedError, openEmulator } = await import("../../emulator/index.js");
  const deadline = options.clock.now() + lockTimeoutMilliseconds;
  for (;;) {
    try {
      return connectEmulator(await openEmulator({ db: profile.db, seed: "demo" }), profile, options);
    } catch (error) {
      if (error instanceof LockedError) {
        // Another process has the database open. If it is an emulator server, connect to it.
        const connection = await connectLocalServer(profile, options);
        if (connection) return connection;
        if (options.clock.now() < deadline) {
          await options.clock.sleep(100, options.signal);
          continue;
        }
      }
      if (isUnusableFile(error)) throw unusableFileError(error.message, error);
      const reason = describeFsError(error, "write");
      throw unusableFileError(`the emulator database ${profile.db} can't be opened: ${reason}`, error);
    }
  }
}

/** Closing the connection closes the emulator. */
export function connectEmulator(emulator: Emulator, profile: ChosenProfile, options: Options): Connection {
  const clock = options.flags.realTime ? withMachineSleep(emulator.clock, options.clock) : emulator.clock;
  const targets = toTargets(emulator.startLine);
  const transport = withFileErrors(emulator.transport);
  // Requests to an emulator in this process can't hang, so --timeout does not apply.
  const timeoutMilliseconds = Number.POSITIVE_INFINITY;
  const clientOptions: ClientOptions = { ...bounds(options), targets, transport, clock, timeoutMilliseconds };
  return createConnection(clientOptions, { profile, emulator, close: () => emulator.close() });
}

/**
 * Converts the error for an unusable database to a ClientError that states that nothing was changed. For
 * other errors, the client assumes that the outcome of a mutation is unknown.
 */
function withFileErrors(transport: Transport): Transport {
  const rethrow = (error: unknown): never => {
    if (!isUnusableFile(error)) throw error;
    throw new ClientError({
      type: "configuration",
      code: "unusable_file",
      message: error.message,
      retryable: false,
      outcome: "none",
      cause: error,
    });
  };
  return (url, request) => transport(url, request).catch(rethrow);
}

async function connectLocalServer(
  profile: OfflineProfile,
  options: Options,
): Promise<Connection | undefined> {
  const [{ createNetworkTransport }, { readServerState }, { createLocalServerClock: localServerClock }] =
    await Promise.all([
      import("../../client/network-transport.js"),
      import("../../emulator/index.js"),
      import("../../features/emulate/local-server.js"),
    ]);
  const line = readServerState(profile.db);
  if (!line) return undefined;
  const network = createNetworkTransport();
  try {
    const clock = options.flags.realTime
      ? options.clock
      : await localServerClock(network.transport, line, options);
    const targets = toTargets(line);
    // Don't share request counts with a virtual clock, because each process then has a different time.
    const ledger = clock === options.clock ? createMachineLedger(options) : undefined;
    const clientOptions: ClientOptions = {
      ...bounds(options),
      targets,
      transport: withServerErrors(network.transport),
      clock,
      ...(ledger ? { ledger } : {}),
    };
    return createConnection(clientOptions, {
      profile,
      close: async () => {
        await network.close();
        ledger?.close();
      },
    });
  } catch {
    options.signal.throwIfAborted();
    // A server stored its address but doesn't respond, because it is starting or has ended.
    await network.close();
    return undefined;
  }
}

/** Nobody restarts a local server that has ended, so the client must fail instead of waiting for it. */
function withServerErrors(transport: Transport): Transport {
  return (url, request) =>
    transport(url, request).catch((error: unknown): never => {
      if (!(error instanceof ConnectionError) || error.code !== "ECONNREFUSED") throw error;
      throw new ClientError({
        type: "configuration",
        code: serverEnded,
        message: "the local emulator's server has ended",
        retryable: false,
        outcome: "none",
        cause: error,
      });
    });
}

function toTargets(line: StartLine): ClientOptions["targets"] {
  return {
    public: { baseUrl: line.base_url, key: line.keys.admin },
    "distributor-v1": { baseUrl: line.distributor_v1_url, key: line.keys.distributor_v1 },
    "distributor-v2": { baseUrl: line.distributor_v2_url, key: line.keys.distributor_v2 },
    legacy: { baseUrl: line.legacy_url, key: line.keys.legacy },
  };
}

/** Opens the request counts that all processes on this machine share. */
function createMachineLedger({ io, flags, clock, random }: Options): ReturnType<typeof openSharedLedger> {
  return openSharedLedger({
    path: join(findFolders(io).data, "limits.sqlite"),
    clock,
    random,
    leaseMilliseconds: 2 * (flags.timeoutMilliseconds ?? 10_000),
  });
}

function bounds({
  flags,
  random,
  onEvent,
  keys,
}: Options): Pick<
  ClientOptions,
  "random" | "onEvent" | "keys" | "timeoutMilliseconds" | "maxWaitMilliseconds"
> {
  return {
    random,
    onEvent,
    keys,
    ...(flags.timeoutMilliseconds === undefined ? {} : { timeoutMilliseconds: flags.timeoutMilliseconds }),
    ...(flags.maxWaitMilliseconds === undefined ? {} : { maxWaitMilliseconds: flags.maxWaitMilliseconds }),
  };
}

function withMachineSleep(emulatorClock: Clock, machine: Clock): Clock {
  return withSleep(emulatorClock, (milliseconds, signal) => machine.sleep(milliseconds, signal));
}
