import { existsSync } from "node:fs";
import * as z from "zod";
import { ConnectionError, type Transport } from "../../base/transport.js";
import type { StartLine } from "../../emulator/types.js";
import type { Input } from "../command.js";
import { runningEmulators } from "../emulator-registry.js";
import { CliError, type Exit, exits, notFoundError, usageError } from "../errors.js";
import { callControl, runningServer } from "../local-server.js";
import type { Session } from "../session.js";
import { databasePath } from "./emulator-options.js";
import { heldError } from "./emulator-taken.js";

/** Calls the control interface of a world; answers the data. */
export type Control = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** A world that a command is about: a running server's, or a file's that nobody serves. */
export type World = { line: StartLine } | { path: string };

/**
 * The world that the flags name. Without any, the offline profile's; where nobody serves that, the only running one
 * in memory.
 * @throws not found (4), and usage error when several could be meant
 */
export async function findWorld(session: Session, input: Input, transport: Transport): Promise<World> {
  const port = input.text("port");
  const inMemory = input.on("memory") === true;
  if ([port !== undefined, inMemory, input.has("db")].filter(Boolean).length > 1) {
    throw usageError("--db, --memory and --port exclude each other");
  }
  const running = () => runningEmulators(session.folders, transport);
  if (port !== undefined) {
    const line = (await running()).find((one) => new URL(one.url).port === port);
    if (!line) throw notFoundError(`no emulator of yours listens on port ${port}`);
    return { line };
  }
  if (inMemory) {
    const line = onlyOne(await inMemoryAmong(running()));
    if (!line) throw notFoundError("no emulator with a world in memory runs");
    return { line };
  }
  const path = await databasePath(session, input);
  const served = await runningServer(path, transport);
  if (served) return { line: served };
  const line = input.has("db") ? undefined : onlyOne(await inMemoryAmong(running()));
  if (!line) return { path };
  session.notes.note(`the emulator at ${line.url}, whose world is in memory`);
  return { line };
}

async function inMemoryAmong(running: Promise<StartLine[]>): Promise<StartLine[]> {
  return (await running).filter((line) => line.db === ":memory:");
}

function onlyOne(lines: readonly StartLine[]): StartLine | undefined {
  if (lines.length > 1) {
    const ports = lines.map((line) => new URL(line.url).port).join(", ");
    throw usageError(`${lines.length} emulators with a world in memory run; choose one by --port: ${ports}`);
  }
  return lines[0];
}

/** How long a world that a server is just opening or closing is waited for. */
const patienceMilliseconds = 5_000;

interface Reached {
  world: World;
  control: Control;
  close(): Promise<void>;
}

/**
 * The control interface of the world that the flags name: through its server where one runs, else in process.
 * @throws not found (4), usage error (2) for a file that can't be used, refused (12) when it stays held
 */
export async function reachWorld(session: Session, input: Input, transport: Transport): Promise<Reached> {
  const deadline = session.clock.now() + patienceMilliseconds;
  for (;;) {
    const world = await findWorld(session, input, transport);
    if ("line" in world)
      return { world, control: controlOfServer(transport, world.line), close: async () => {} };
    const opened = await openFile(world.path);
    if (opened) return { world, ...opened };
    if (session.clock.now() >= deadline) throw heldError(world.path);
    await session.clock.sleep(100, session.signal);
  }
}

const Envelope = z.looseObject({ data: z.unknown() });

function controlOfServer(transport: Transport, line: StartLine): Control {
  return async (method, path, body) => {
    const answer = await callControl(transport, line, method, path, body).catch((error: unknown) => {
      if (!(error instanceof ConnectionError)) throw error;
      throw new CliError({
        exit: exits.unavailable,
        code: "network",
        message: `the emulator at ${line.url} did not answer: ${error.message}`,
        outcome: error.maybeSent && method !== "GET" ? "unknown" : "none",
        cause: error,
      });
    });
    if (answer.status >= 400) throw refusal(answer.status, answer.body);
    return Envelope.parse(answer.body).data;
  };
}

/** Undefined where another process holds the file. */
async function openFile(path: string): Promise<Pick<Reached, "control" | "close"> | undefined> {
  if (!existsSync(path))
    throw notFoundError(`there is no world at ${path}`, "start one with voxctl emulator start");
  const { ControlError, LockedError, openEmulator, UnusableFileError } = await import(
    "../../emulator/index.js"
  );
  try {
    const emulator = await openEmulator({ db: path });
    return {
      control: (method, callPath, body) =>
        emulator.control(method, callPath, body).catch((error: unknown) => {
          throw error instanceof ControlError ? refusal(error.status, error.body) : error;
        }),
      close: () => emulator.close(),
    };
  } catch (error) {
    if (error instanceof LockedError) return undefined;
    if (error instanceof UnusableFileError) throw usageError(error.message, { cause: error });
    throw error;
  }
}

const Detail = z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() });
const Failure = z.looseObject({
  error: z.looseObject({ code: z.string(), message: z.string(), details: z.array(Detail).catch([]) }),
});

function refusal(status: number, body: unknown): CliError {
  const failure = Failure.safeParse(body);
  const message = failure.success ? failure.data.error.message : `the control interface answered ${status}`;
  return new CliError({
    exit: exitOf(status),
    code: failure.success ? failure.data.error.code : "control",
    message,
    details: failure.success ? failure.data.error.details : [],
    outcome: status >= 500 ? "unknown" : "none",
  });
}

function exitOf(status: number): Exit {
  if (status === 404) return exits.notFound;
  if (status === 409) return exits.conflict;
  if (status === 400) return exits.usage;
  return status >= 500 ? exits.unavailable : exits.authentication;
}
