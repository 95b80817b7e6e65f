import * as z from "zod";
import type { Command, Flag, Input } from "../command.js";
import { confirmLocally } from "../confirm.js";
import { CliError, notFoundError, usageError } from "../errors.js";
import { FlaggedError } from "../exit-codes.js";
import { durationOf } from "../globals.js";
import type { View } from "../output/output.js";
import type { Session } from "../session.js";
import { kebabCase } from "../text.js";
import { type Control, reachWorld, type World } from "./emulator-world.js";

export const worldFlags: readonly Flag[] = [
  { name: "db", value: "file", description: "SQLite file of the world (default: the offline profile's)" },
  { name: "memory", description: "the running emulator whose world is in memory" },
  { name: "port", value: "port", description: "the running emulator that listens there" },
];

/** Runs `use` with the control interface of the world: through its server where one runs, else in process. */
export async function withControl(
  session: Session,
  input: Input,
  use: (control: Control, world: World) => Promise<void>,
): Promise<void> {
  const { createUndiciTransport } = await import("../../client/undici-transport.js");
  const network = createUndiciTransport({ env: session.io.env });
  try {
    const { world, control, close } = await reachWorld(session, input, network.transport);
    const flagged: Control = (method, path, body) =>
      control(method, path, body).catch((error: unknown) => {
        if (!(error instanceof CliError) || error.details.length === 0) throw error;
        throw new FlaggedError(error, (path) => givenAs(String(path[0]), input));
      });
    try {
      await use(flagged, world);
    } finally {
      await close();
    }
  } finally {
    await network.close();
  }
}

/**
 * Asks before a world loses something. The profile has a say only where it is a world itself: what a deployment's mark
 * and keys guard is elsewhere.
 * @throws refused error (12)
 */
export async function confirmLoss(session: Session, message: string): Promise<void> {
  const profile = await session.profile().catch(() => undefined);
  if (profile?.kind === "offline") await session.confirm(message);
  else await confirmLocally(session, message);
}

/** Fields of the control interface that are called otherwise on the command line. */
const flagOfField: Readonly<Record<string, string>> = {
  advance_seconds: "<duration>",
  assistant_id: "--assistant",
  blocked_numbers: "--block",
  created_at: "--at",
  delay_ms: "--delay-ms",
  distributor_id: "--distributor",
  duration_seconds: "--seconds",
  expires_at: "--expires",
  expires_in_seconds: "--expires",
  key_id: "--key",
  kind: "<kind>",
  limits: "--limit",
  mode: "<mode>",
  organization_id: "--organization",
  permissions: "--permission",
  set: "<time>",
  versions: "--version",
};

/** The flag or argument that set a field; undefined where none did. */
function givenAs(field: string, input: Input): string | undefined {
  const flag = kebabCase(field);
  if (input.has(flag)) return `--${flag}`;
  return flagOfField[field] ?? (field === "name" ? "<name>" : undefined);
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

/** `1h30m`, `90s`, `2d`, `250ms` or plain seconds, as seconds. @throws usage error */
export function secondsOf(text: string, flag: string): number {
  if (/^-\d/.test(text)) throw usageError(`${flag}: "${text}" is negative, and time never goes back`);
  const milliseconds = durationOf(text);
  if (milliseconds === undefined)
    throw usageError(`${flag}: "${text}" is no duration like 90s, 15m, 1h30m or 2d`);
  return milliseconds / 1_000;
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
