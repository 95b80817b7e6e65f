import { existsSync } from "node:fs";
import * as z from "zod";
import type { Transport } from "../../base/transport.js";
import type { StartLine } from "../../emulator/types.js";
import type { Command, Flag, Input } from "../command.js";
import { runningEmulators } from "../emulator-registry.js";
import { CliError, exits, notFoundError, usageError } from "../errors.js";
import { callControl, runningServer } from "../local-server.js";
import type { View } from "../output/output.js";
import type { Session } from "../session.js";
import { databasePath } from "./emulator-start.js";

/** Calls the control interface of the world that the flags name; answers the data. */
export type Control = (method: string, path: string, body?: unknown) => Promise<unknown>;

export const worldFlags: readonly Flag[] = [
  { name: "db", value: "file", description: "SQLite file of the world (default: the offline profile's)" },
  { name: "memory", description: "the running emulator whose world is in memory" },
  { name: "port", value: "port", description: "the running emulator that listens there" },
];

const Envelope = z.looseObject({ data: z.unknown() });
const Failure = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) });

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

/** Runs `use` with the control interface of the world: through its server where one runs, else in process. */
export async function withControl(
  session: Session,
  input: Input,
  use: (control: Control, world: World) => Promise<void>,
): Promise<void> {
  const { createUndiciTransport } = await import("../../client/undici-transport.js");
  const network = createUndiciTransport({ env: session.io.env });
  try {
    const world = await findWorld(session, input, network.transport);
    if ("line" in world) {
      const { line } = world;
      const control: Control = async (method, callPath, body) => {
        const answer = await callControl(network.transport, line, method, callPath, body);
        if (answer.status >= 400) throw refusal(answer.status, answer.body);
        return Envelope.parse(answer.body).data;
      };
      await use(control, world);
      return;
    }
    if (!existsSync(world.path))
      throw notFoundError(`there is no world at ${world.path}`, "start one with voxctl emulator start");
    const { ControlError, openEmulator } = await import("../../emulator/index.js");
    const emulator = await openEmulator({ db: world.path });
    const control: Control = (method, callPath, body) =>
      emulator.control(method, callPath, body).catch((error: unknown) => {
        throw error instanceof ControlError ? refusal(error.status, error.body) : error;
      });
    try {
      await use(control, world);
    } finally {
      await emulator.close();
    }
  } finally {
    await network.close();
  }
}

function refusal(status: number, body: unknown): CliError {
  const failure = Failure.safeParse(body);
  const message = failure.success ? failure.data.error.message : `the control interface answered ${status}`;
  const exit =
    status === 404
      ? exits.notFound
      : status === 409
        ? exits.conflict
        : status === 400
          ? exits.usage
          : exits.authentication;
  return new CliError({ exit, code: failure.success ? failure.data.error.code : "control", message });
}

interface ControlRequest {
  method: string;
  path: string;
  body?: unknown;
}

/** A command that makes one call and prints what it answers. */
export function controlCommand(definition: {
  name: string;
  summary: string;
  arguments?: Command["arguments"];
  flags?: readonly Flag[];
  examples: Command["examples"];
  view?: View;
  list?: boolean;
  call(input: Input, control: Control): ControlRequest | Promise<ControlRequest>;
}): Command {
  return {
    name: definition.name,
    summary: definition.summary,
    ...(definition.arguments ? { arguments: definition.arguments } : {}),
    flags: [...(definition.flags ?? []), ...worldFlags],
    examples: definition.examples,
    run: (session, input) =>
      withControl(session, input, async (control) => {
        const { method, path, body } = await definition.call(input, control);
        const data = await control(method, path, body);
        if (definition.list)
          await session.output.list(Array.isArray(data) ? data : [], definition.view ?? { columns: [] });
        else await session.output.item(data, definition.view);
      }),
  };
}

/** `1h`, `90s`, `2d`, `250ms` or plain seconds, as seconds. @throws usage error */
export function secondsOf(text: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)?$/.exec(text);
  const units = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
  const unit = Object.entries(units).find(([name]) => name === (match?.[2] ?? "s"));
  if (!match || !unit) throw usageError(`${flag}: "${text}" is no duration like 90s, 15m, 1h or 2d`);
  return Number(match[1]) * unit[1];
}

/** Without the fields that were not given. */
export function withoutUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** A part of a control call's path. */
export function segment(input: Input, index = 0): string {
  return encodeURIComponent(input.arguments[index] ?? "");
}

const Named = z.array(
  z.looseObject({ id: z.string(), name: z.string(), phone_number: z.string().nullish() }),
);

/**
 * The id of what a person names: by id, name or phone number.
 * @param list the control interface's list of them: `/assistants`
 * @throws not found (4), usage error when it could be several
 */
export async function idOf(control: Control, list: string, what: string, named: string): Promise<string> {
  const all = Named.parse(await control("GET", list));
  const exact = all.find(({ id, phone_number }) => id === named || phone_number === named);
  const called = all.filter(({ name }) => name === named);
  if (!exact && called.length > 1) {
    const ids = called.map(({ id }) => id).join(", ");
    throw usageError(`${called.length} are called ${named}; give the id: ${ids}`);
  }
  const found = exact ?? called[0];
  if (!found)
    throw notFoundError(`there is no ${what} ${named}`, `see voxctl emulator ${list.slice(1)} list`);
  return found.id;
}
