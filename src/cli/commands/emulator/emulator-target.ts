import { existsSync } from "node:fs";
import * as z from "zod";
import { isLoopback } from "../../../base/loopback.js";
import { ConnectionError, type Transport } from "../../../base/transport.js";
import { type Control, createControl } from "../../../client/control.js";
import type { SeedableEmulator } from "../../../config/index.js";
import type { StartLine } from "../../../emulator/types.js";
import { CliError, type Exit, exits, notFoundError, refusedError, usageError } from "../../errors/errors.js";
import type { ChosenProfile, OfflineProfile, RemoteProfile } from "../../profiles/profile.js";
import { assertPinRead } from "../../session/confirm.js";
import type { Input } from "../../session/input.js";
import { callControl, findRunningServer } from "../../session/local-server.js";
import type { Session } from "../../session/session.js";
import { resolveDatabasePath } from "./options.js";
import { toLockedError } from "./port-conflict.js";
import { listRunningEmulators } from "./registry.js";

/** A world that a command is about: a running server's, or a file's without a server. */
export type EmulatorTarget = ({ line: StartLine } | { path: string }) & {
  /** The profile that reaches it; undefined where a flag named the world. */
  profile?: ChosenProfile;
};

/** A deployment's profile: no emulator of this user listens at its addresses. */
interface UnreachedProfile {
  unreached: RemoteProfile;
  running: readonly StartLine[];
}

/**
 * The world that the flags name, else the one that the profile in use reaches: an offline profile's file, or the
 * emulator that listens at its addresses.
 * @throws not found (4), usage error (2) when several could be meant or there is no such profile
 */
export async function findEmulator(
  session: Session,
  input: Input,
  transport: Transport,
): Promise<EmulatorTarget | UnreachedProfile> {
  const port = input.text("port");
  const db = input.text("db");
  const named = [port, db].filter((flag) => flag !== undefined);
  if (named.length > 1) throw usageError("conflicting flags: --db and --port");
  // A named profile that does not exist is a mistake, whatever else was given.
  if (named.length > 0 && session.flags.profile !== undefined) await session.profile();
  const running = () => listRunningEmulators(session.folders, transport);
  if (port !== undefined) {
    const line = (await running()).find((startLine) => new URL(startLine.url).port === port);
    if (!line) throw notFoundError(`no emulator of yours listens on port ${port}`);
    return { line };
  }
  if (db !== undefined) {
    const path = resolveDatabasePath(session, db);
    const line = await findRunningServer(path, transport);
    return line ? { line } : { path };
  }
  const profile = await session.profile();
  return profile.type === "offline"
    ? findFileEmulator(profile, session, transport)
    : findDeploymentEmulator(profile, await running());
}

/** Where the profile was not chosen and its world was never made, the only running one in memory is meant. */
async function findFileEmulator(
  profile: OfflineProfile,
  session: Session,
  transport: Transport,
): Promise<EmulatorTarget> {
  const served = await findRunningServer(profile.db, transport);
  if (served) return { line: served, profile };
  if (profile.chosenBy === "nobody" && !existsSync(profile.db)) {
    const line = assertSingle(await filterInMemory(listRunningEmulators(session.folders, transport)));
    if (line) {
      session.notes.note(`the emulator at ${line.url}, whose world is in memory`);
      return { line };
    }
  }
  return { path: profile.db, profile };
}

/** All of its addresses have to lead to one emulator: else part of what it reaches would be another world. */
function findDeploymentEmulator(
  profile: RemoteProfile,
  running: readonly StartLine[],
): EmulatorTarget | UnreachedProfile {
  const addresses = [...Object.values(profile.targets), ...Object.values(profile.unreadable ?? {})].map(
    ({ baseUrl }) => new URL(baseUrl),
  );
  const reached = new Set(addresses.map((address) => running.find((line) => listensAt(line, address))));
  const [line] = reached;
  return line && reached.size === 1 ? { line, profile } : { unreached: profile, running };
}

/** Is it the address of this server? Loopback has several names. */
function listensAt({ url }: StartLine, address: URL): boolean {
  const own = new URL(url);
  if (own.protocol !== address.protocol || own.port !== address.port) return false;
  return own.hostname === address.hostname || (isLoopback(own.hostname) && isLoopback(address.hostname));
}

/**
 * The same, for commands that can't do without a world.
 * @param changes the command changes what is in it, or ends its server
 * @throws also refused (12) or not found (4) when the profile in use reaches none
 */
export async function requireEmulator(
  session: Session,
  input: Input,
  transport: Transport,
  { changes }: { changes: boolean },
): Promise<EmulatorTarget> {
  const result = await findEmulator(session, input, transport);
  if (!("unreached" in result)) {
    if (changes && result.profile !== undefined) assertPinRead(result.profile);
    return result;
  }
  const { unreached, running } = result;
  const [address] = Object.values({ ...unreached.targets, ...unreached.unreadable });
  const service = address?.baseUrl ?? "no address";
  const message = `the profile ${unreached.name} leads to ${service}, where no emulator of yours listens`;
  const hint = `--profile offline is the offline world, --port PORT a running emulator, --db FILE the world of a file; ${formatRunning(running)}`;
  throw changes
    ? refusedError("no_emulator", `${message}; nothing was changed`, hint)
    : notFoundError(message, hint);
}

/** The emulators that run, in one line. */
function formatRunning(running: readonly StartLine[]): string {
  if (running.length === 0) return "none runs now";
  return `running: ${running.map((line) => `${formatServer(line)}, --port ${new URL(line.url).port}`).join("; ")}`;
}

function formatServer({ url, db }: StartLine): string {
  return `${url} (${db === ":memory:" ? "in memory" : db})`;
}

/** A world as people are told of it: where it is, and by which profile it was reached. */
export function formatEmulator(target: EmulatorTarget): string {
  const name = "line" in target ? formatServer(target.line) : target.path;
  return target.profile ? `${name}, profile ${target.profile.name}` : name;
}

async function filterInMemory(running: Promise<StartLine[]>): Promise<StartLine[]> {
  return (await running).filter((line) => line.db === ":memory:");
}

function assertSingle(lines: readonly StartLine[]): StartLine | undefined {
  if (lines.length > 1) {
    const ports = lines.map((line) => new URL(line.url).port).join(", ");
    throw usageError(`${lines.length} emulators with a world in memory run; choose one by --port: ${ports}`);
  }
  return lines[0];
}

/** How long a world that a server is just opening or closing is waited for. */
const lockTimeoutMilliseconds = 5_000;

export interface ReachedEmulator {
  target: EmulatorTarget;
  /** It was not there: opening it made it. */
  made: boolean;
  control: Control;
  /** How its Public API is reached. */
  api: Pick<SeedableEmulator, "transport" | "baseUrl">;
  close(): Promise<void>;
}

export interface ReachOptions {
  /** The command changes the world. */
  changes: boolean;
  /** A profile's world that is not there yet is made, empty. */
  makes?: boolean;
}

/**
 * The control interface of a world: through its server where one runs, else in process.
 * @throws not found (4), usage error (2) for a file that can't be used, refused (12) when it stays held or the profile
 * in use reaches no world
 */
export async function reachEmulator(
  session: Session,
  input: Input,
  transport: Transport,
  reach: ReachOptions,
): Promise<ReachedEmulator> {
  const deadline = session.clock.now() + lockTimeoutMilliseconds;
  for (;;) {
    const target = await requireEmulator(session, input, transport, reach);
    if ("line" in target)
      return {
        target,
        made: false,
        control: createServerControl(transport, target.line),
        api: { transport, baseUrl: target.line.base_url },
        close: async () => {},
      };
    const made = !existsSync(target.path);
    if (made && !(reach.makes && target.profile)) {
      throw notFoundError(
        `there is no world at ${target.path}`,
        `voxctl emulator start makes one; ${formatRunning(await listRunningEmulators(session.folders, transport))}`,
      );
    }
    const opened = await openDatabase(target.path);
    if (opened) return { target, made, ...opened };
    if (session.clock.now() >= deadline) throw toLockedError(target.path);
    await session.clock.sleep(100, session.signal);
  }
}

const Envelope = z.looseObject({ data: z.unknown() });

/** The control interface of a running emulator. */
export function createServerControl(transport: Transport, line: StartLine): Control {
  return createControl(async (method, path, body) => {
    const response = await callControl(transport, line, method, path, body).catch((error: unknown) => {
      if (!(error instanceof ConnectionError)) throw error;
      throw new CliError({
        exit: exits.unavailable,
        code: "network",
        message: `the emulator at ${line.url} did not answer: ${error.message}`,
        outcome: error.maybeSent && method !== "GET" ? "unknown" : "none",
        cause: error,
      });
    });
    if (response.status >= 400) throw toControlError(response.status, response.body);
    return Envelope.parse(response.body).data;
  });
}

/** Undefined where another process holds the file. */
async function openDatabase(
  path: string,
): Promise<Pick<ReachedEmulator, "control" | "api" | "close"> | undefined> {
  const { ControlError, LockedError, openEmulator } = await import("../../../emulator/index.js");
  try {
    const emulator = await openEmulator({ db: path, seed: "empty" });
    return {
      control: createControl((method, callPath, body) =>
        emulator.control(method, callPath, body).catch((error: unknown) => {
          throw error instanceof ControlError ? toControlError(error.status, error.body) : error;
        }),
      ),
      api: { transport: emulator.transport, baseUrl: emulator.startLine.base_url },
      close: () => emulator.close(),
    };
  } catch (error) {
    if (error instanceof LockedError) return undefined;
    throw error;
  }
}

const Detail = z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() });
const Failure = z.looseObject({
  error: z.looseObject({ code: z.string(), message: z.string(), details: z.array(Detail).catch([]) }),
});

function toControlError(status: number, body: unknown): CliError {
  const failure = Failure.safeParse(body);
  const message = failure.success ? failure.data.error.message : `the control interface answered ${status}`;
  return new CliError({
    exit: toExit(status),
    code: failure.success ? failure.data.error.code : "control",
    message,
    details: failure.success ? failure.data.error.details : [],
    outcome: status >= 500 ? "unknown" : "none",
  });
}

function toExit(status: number): Exit {
  if (status === 404) return exits.notFound;
  if (status === 409) return exits.conflict;
  if (status === 400) return exits.usage;
  return status >= 500 ? exits.unavailable : exits.authentication;
}
