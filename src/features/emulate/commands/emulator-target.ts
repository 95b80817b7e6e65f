import { existsSync } from "node:fs";
import * as z from "zod";
import { isLoopback } from "../../../base/loopback.js";
import { quoteWord } from "../../../base/shell-words.js";
import { ConnectionError, type Transport } from "../../../base/transport.js";
import {
  CliError,
  type Exit,
  exits,
  notFoundError,
  refusedError,
  usageError,
} from "../../../cli/errors/errors.js";
import { isUnusableFile } from "../../../cli/errors/unusable-file.js";
import type { ChosenProfile, RemoteProfile } from "../../../cli/profiles/profile.js";
import { assertPinRead } from "../../../cli/session/confirm.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { type Control, createControl } from "../../../client/control.js";
import type { StartLine } from "../../../emulator/types.js";
import type { SeedableEmulator } from "../../config/index.js";
import { callControl, findRunningServer } from "../local-server.js";
import { listRunningEmulators } from "../registry.js";
import { resolveDatabasePath } from "./options.js";
import { toLockedError } from "./port-conflict.js";

export type EmulatorTarget = ({ line: StartLine } | { path: string }) & {
  profile?: ChosenProfile;
};

/** A profile whose addresses belong to no running emulator of this user. */
interface UnreachedProfile {
  unreached: RemoteProfile;
  running: readonly StartLine[];
}

/**
 * Finds the emulator to use. Flags take precedence over the profile. An offline profile has its own emulator;
 * the addresses of other profiles must be those of a running emulator. If no profile is selected, uses the
 * only running emulator. If no emulator is running either, uses the profile `offline`.
 * @throws not found (4), usage error (2) if several match or the profile doesn't exist
 */
export async function findEmulator(
  session: Session,
  input: Input,
  transport: Transport,
): Promise<EmulatorTarget | UnreachedProfile> {
  const port = input.text("port");
  const db = input.text("db");
  // An unknown --profile is an error even if another flag selects the emulator.
  if ((port ?? db) !== undefined && session.flags.profile !== undefined) await session.profile();
  const running = () => listRunningEmulators(session.folders, transport);
  if (port !== undefined) {
    const line = (await running()).find((startLine) => new URL(startLine.url).port === port);
    if (!line) throw notFoundError(`none of your emulators is listening on port ${port}`);
    return { line };
  }
  if (db === ":memory:") {
    const line = getSingle((await running()).filter((startLine) => startLine.db === ":memory:"));
    if (!line) throw notFoundError("none of your in-memory emulators is running");
    return { line };
  }
  if (db !== undefined) {
    const path = resolveDatabasePath(session, db);
    const line = await findRunningServer(path, transport);
    return line ? { line } : { path };
  }
  const profile = await session.profile();
  if (profile.type !== "offline") return findDeploymentEmulator(profile, await running());
  const served = await findRunningServer(profile.db, transport);
  if (profile.chosenBy === "nobody") {
    const line = getSingle(await running());
    if (line && line.pid !== served?.pid) return { line };
  }
  return served ? { line: served, profile } : { path: profile.db, profile };
}

/**
 * All addresses must belong to the same emulator, so that a command doesn't mix the states of two emulators.
 */
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

/** All loopback names are equivalent. */
function listensAt({ url }: StartLine, address: URL): boolean {
  const own = new URL(url);
  if (own.protocol !== address.protocol || own.port !== address.port) return false;
  return own.hostname === address.hostname || (isLoopback(own.hostname) && isLoopback(address.hostname));
}

/**
 * Like `findEmulator`, but throws an error if the current profile uses no emulator.
 * @param changes whether the command changes the emulator's state or stops its server
 * @throws refused error (12) or not found (4) for such a profile, and the errors of `findEmulator`
 */
export async function requireEmulator(
  session: Session,
  input: Input,
  transport: Transport,
  { changes }: { changes: boolean },
): Promise<EmulatorTarget> {
  const result = await findEmulator(session, input, transport);
  if (!("unreached" in result)) {
    if (changes && !hasEmulatorFlag(input)) assertPinRead(await session.profile());
    return result;
  }
  const { unreached, running } = result;
  const [address] = Object.values({ ...unreached.targets, ...unreached.unreadable });
  const message =
    address === undefined
      ? `profile "${unreached.name}" has no URL, so it doesn't use an emulator`
      : `profile "${unreached.name}" uses ${address.baseUrl}, but none of your emulators is listening there`;
  const hint = `select an emulator with --profile offline, --port PORT or --db FILE (${formatRunning(running)})`;
  throw changes ? refusedError("no_emulator", message, hint) : notFoundError(message, hint);
}

export function hasEmulatorFlag(input: Input): boolean {
  return input.has("port") || input.has("db");
}

export function formatNoServer(target: EmulatorTarget, running: readonly StartLine[]): string {
  const message = `no emulator is running for ${formatEmulator(target)}`;
  return running.length === 0 ? message : `${message} (${formatRunning(running)})`;
}

export function createNoServerError(target: EmulatorTarget, running: readonly StartLine[]): CliError {
  return notFoundError(
    formatNoServer(target, running),
    running.length === 0
      ? "start an emulator: `voxctl emulator start --detach`"
      : "select a running one with --port PORT",
  );
}

function formatRunning(running: readonly StartLine[]): string {
  if (running.length === 0) return "no emulators are running";
  return `running: ${running.map((line) => `${formatServer(line)}, --port ${new URL(line.url).port}`).join("; ")}`;
}

function formatServer({ url, db }: StartLine): string {
  return `${url} (${db === ":memory:" ? "in memory" : db})`;
}

export function formatEmulator(target: EmulatorTarget): string {
  const name = "line" in target ? formatServer(target.line) : target.path;
  return target.profile ? `${name}, profile ${target.profile.name}` : name;
}

/** @throws usage error (2) if several are running */
export function getSingle(lines: readonly StartLine[]): StartLine | undefined {
  if (lines.length > 1) {
    const ports = lines.map((line) => new URL(line.url).port).join(", ");
    throw usageError(`${lines.length} emulators are running; select one with --port: ${ports}`);
  }
  return lines[0];
}

/** Longest wait for a database that a server is opening or closing. */
const lockTimeoutMilliseconds = 5_000;

export interface ReachedEmulator {
  target: EmulatorTarget;
  /** True if this command created the database. */
  made: boolean;
  control: Control;
  api: Pick<SeedableEmulator, "transport" | "baseUrl">;
  close(): Promise<void>;
}

export interface ReachOptions {
  changes: boolean;
  makes?: boolean;
  /**
   * Called if the profile's database is damaged. Must move the file away, so that a new database is created.
   */
  onDamaged?(target: EmulatorTarget & { path: string }): Promise<void>;
}

/**
 * Opens the control interface of an emulator: in its running server, otherwise in this process.
 * @throws not found (4), usage error (2) for an unusable file, refused (12) if the database stays locked or
 * the current profile uses no emulator
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
      const flag = target.profile ? "" : ` --db ${quoteWord(target.path)}`;
      throw notFoundError(
        `emulator database ${target.path} not found`,
        `create it with \`voxctl emulator start${flag}\` (${formatRunning(await listRunningEmulators(session.folders, transport))})`,
      );
    }
    let opened: Awaited<ReturnType<typeof openDatabase>>;
    try {
      // Only exclusive access checks the whole file for damage.
      opened = await openDatabase(target.path, { exclusive: reach.onDamaged !== undefined });
    } catch (error) {
      if (!reach.onDamaged || !target.profile || !isDamagedDatabase(error)) throw error;
      await reach.onDamaged(target);
      continue;
    }
    if (opened) return { target, made, ...opened };
    if (session.clock.now() >= deadline) throw toLockedError(target.path);
    await session.clock.sleep(100, session.signal);
  }
}

const Envelope = z.looseObject({ data: z.unknown() });

export function createServerControl(transport: Transport, line: StartLine): Control {
  return createControl(async (method, path, body) => {
    const response = await callControl(transport, line, method, path, body).catch((error: unknown) => {
      if (!(error instanceof ConnectionError)) throw error;
      throw new CliError({
        exit: exits.unavailable,
        code: "network",
        message: `the emulator at ${line.url} did not respond: ${error.message}`,
        outcome: error.maybeSent && method !== "GET" ? "unknown" : "none",
        cause: error,
      });
    });
    if (response.status >= 400) throw toControlError(response.status, response.body);
    return Envelope.parse(response.body).data;
  });
}

/** Returns undefined if another process has locked the file. */
async function openDatabase(
  path: string,
  { exclusive }: { exclusive: boolean },
): Promise<Pick<ReachedEmulator, "control" | "api" | "close"> | undefined> {
  const { ControlError, LockedError, openEmulator } = await import("../../../emulator/index.js");
  try {
    const emulator = await openEmulator({ db: path, seed: "empty", exclusive });
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

function isDamagedDatabase(error: unknown): boolean {
  // Check a property instead of the class, because the class is loaded only when an emulator is used.
  return isUnusableFile(error) && "isDamaged" in error && error.isDamaged === true;
}

const Detail = z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() });
const Failure = z.looseObject({
  error: z.looseObject({ code: z.string(), message: z.string(), details: z.array(Detail).catch([]) }),
});

function toControlError(status: number, body: unknown): CliError {
  const failure = Failure.safeParse(body);
  const message = failure.success
    ? failure.data.error.message
    : `the control interface responded with ${status}`;
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
