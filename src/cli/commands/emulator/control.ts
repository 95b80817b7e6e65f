import { kebabCase } from "../../../base/text.js";
import { type Control, type ControlInput, isRead } from "../../../client/control.js";
import { type ControlName, control as calls } from "../../../contract/control/control.js";
import { pathParameters } from "../../../contract/operation.js";
import type { StartLine } from "../../../emulator/types.js";
import { CliError, notFoundError, usageError } from "../../errors/errors.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { View } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import { confirmLocally } from "../../session/confirm.js";
import { durationOf } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import { openLocalNetwork } from "../../session/local-server.js";
import type { Session } from "../../session/session.js";
import { runningEmulators } from "./registry.js";
import { type Reach, type Reached, reachWorld, type World, worldName } from "./world.js";

export const worldFlags: readonly Flag[] = [
  {
    name: "db",
    value: "file",
    description: "SQLite file of the world (default: the world of the profile in use)",
  },
  { name: "port", value: "port", description: "the running emulator that listens there" },
];

/** The action of a command on a world. */
type Use = (control: Control, world: World, more: Surroundings) => Promise<void>;

interface Surroundings {
  /** The world was not there: it was made for this command. */
  made: boolean;
  /** How its Public API is reached. */
  api: Reached["api"];
  /** The emulators of this user that run. */
  running(): Promise<StartLine[]>;
}

/** Runs `use` with the control interface of a world that is only looked at: through its server, else in process. */
export function readWorld(session: Session, input: Input, use: Use): Promise<void> {
  return withControl(session, input, { changes: false }, use);
}

/**
 * The same for a command that changes the world, which is named on stderr before its first change.
 * @throws also refused error (12) when the profile in use reaches no world
 */
export function changeWorld(
  session: Session,
  input: Input,
  use: Use,
  { makes = false }: Pick<Reach, "makes"> = {},
): Promise<void> {
  return withControl(session, input, { changes: true, makes }, use);
}

async function withControl(session: Session, input: Input, reach: Reach, use: Use): Promise<void> {
  const network = await openLocalNetwork(session);
  try {
    const { world, made, control, api, close } = await reachWorld(session, input, network.transport, reach);
    let named = !reach.changes;
    const flagged: Control = (name, asked) => {
      if (!named && !isRead(name)) {
        named = true;
        session.notes.note(`World: ${worldName(world)}`);
      }
      return control(name, asked).catch((error: unknown) => {
        if (!(error instanceof CliError) || error.details.length === 0) throw error;
        throw new FlaggedError(error, (path) => givenAs(String(path[0]), input));
      });
    };
    try {
      const running = () => runningEmulators(session.folders, network.transport);
      await use(flagged, world, { made, api, running });
    } finally {
      await close();
    }
  } finally {
    await network.close();
  }
}

/**
 * Asks before a world loses something. The profile has a say where it is what reaches the world: a world that a flag
 * named is not what a deployment's mark guards.
 * @throws refused error (12)
 */
export async function confirmLoss(session: Session, { profile }: World, message: string): Promise<void> {
  if (profile) await session.confirm(message);
  else await confirmLocally(session, message);
}

/** Fields of the control interface that are called otherwise on the command line. */
const flagOfField: Readonly<Record<string, string>> = {
  advance_seconds: "<change>",
  assistant_id: "--assistant",
  delay_ms: "--delay",
  expires_at: "--expires",
  expires_in_seconds: "--expires",
  key_id: "--key",
  kind: "<kind>",
  limits: "--limit",
  mode: "--mode",
  set: "<change>",
};

/** The flag or argument that set a field; undefined where none did. */
function givenAs(field: string, input: Input): string | undefined {
  // What was written into a body or a query keeps its name.
  if (input.has("data") || input.has("query")) return field;
  const flag = kebabCase(field);
  if (input.has(flag)) return `--${flag}`;
  return flagOfField[field] ?? (field === "name" ? "<name>" : undefined);
}

/** A command that makes one call of the control interface, and prints what it answers. */
export function controlCommand(definition: {
  name: string;
  call: ControlName;
  /** Default: the call's own. */
  summary?: string;
  arguments?: Command["arguments"];
  flags?: readonly Flag[];
  examples: Command["examples"];
  view?: View;
  /** The first argument is the parameter of the call's path, unless it says otherwise. */
  input?(input: Input, control: Control): ControlInput | Promise<ControlInput>;
}): Command {
  const { call, view } = definition;
  return {
    name: definition.name,
    summary: definition.summary ?? calls[call].summary,
    ...(definition.arguments ? { arguments: definition.arguments } : {}),
    flags: [...(definition.flags ?? []), ...worldFlags],
    examples: definition.examples,
    run: (session, input) =>
      (isRead(call) ? readWorld : changeWorld)(session, input, async (control) => {
        const [parameter] = pathParameters(calls[call].path);
        const data = await control(call, {
          ...(parameter === undefined ? {} : { path: { [parameter]: input.arguments[0] ?? "" } }),
          ...(await definition.input?.(input, control)),
        });
        if (Array.isArray(data)) await session.output.list(data, view ?? { columns: [] });
        else await session.output.item(data, view);
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

/**
 * The id of what a person names: by id, name or phone number.
 * @param list the call that lists them
 * @throws not found (4), usage error when it could be several
 */
export async function findId(
  control: Control,
  list: "assistants.list" | "organizations.list",
  named: string,
): Promise<string> {
  const all: readonly { id: string; name: string; phone_number?: unknown }[] = await control(list);
  const exact = all.find(({ id, phone_number }) => id === named || phone_number === named);
  const called = all.filter(({ name }) => name === named);
  if (!exact && called.length > 1) {
    const ids = called.map(({ id }) => id).join(", ");
    throw usageError(`${called.length} are called ${named}; give the id: ${ids}`);
  }
  const found = exact ?? called[0];
  const [noun = ""] = list.split(".");
  if (!found)
    throw notFoundError(
      `there is no ${noun.slice(0, -1)} ${named}`,
      `list them: \`voxctl emulator control ${list}\``,
    );
  return found.id;
}
