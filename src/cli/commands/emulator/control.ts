import { toKebabCase } from "../../../base/text.js";
import { type Control, type ControlInput, isRead } from "../../../client/control.js";
import { type ControlName, control as calls } from "../../../contract/control/control.js";
import { parsePathParameters } from "../../../contract/operation.js";
import type { StartLine } from "../../../emulator/types.js";
import { CliError, notFoundError, usageError } from "../../errors/errors.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { View } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import { confirmLocally } from "../../session/confirm.js";
import { parseDurationText } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import { openLocalNetwork } from "../../session/local-server.js";
import type { Session } from "../../session/session.js";
import {
  type EmulatorTarget,
  formatEmulator,
  type ReachedEmulator,
  type ReachOptions,
  reachEmulator,
} from "./emulator-target.js";
import { listRunningEmulators } from "./registry.js";

export const emulatorFlags: readonly Flag[] = [
  {
    name: "db",
    value: "file",
    description: "SQLite file of the world (default: the world of the profile in use)",
  },
  { name: "port", value: "port", description: "the running emulator that listens there" },
];

/** The action of a command on a world. */
type UseEmulator = (control: Control, target: EmulatorTarget, more: EmulatorContext) => Promise<void>;

interface EmulatorContext {
  /** The world was not there: it was made for this command. */
  made: boolean;
  /** How its Public API is reached. */
  api: ReachedEmulator["api"];
  /** The emulators of this user that run. */
  running(): Promise<StartLine[]>;
}

/** Runs `use` with the control interface of a world that is only looked at: through its server, else in process. */
export function readEmulator(session: Session, input: Input, use: UseEmulator): Promise<void> {
  return withControl(session, input, { changes: false }, use);
}

/**
 * The same for a command that changes the world, which is named on stderr before its first change.
 * @throws also refused error (12) when the profile in use reaches no world
 */
export function changeEmulator(
  session: Session,
  input: Input,
  use: UseEmulator,
  { makes = false }: Pick<ReachOptions, "makes"> = {},
): Promise<void> {
  return withControl(session, input, { changes: true, makes }, use);
}

async function withControl(
  session: Session,
  input: Input,
  reach: ReachOptions,
  use: UseEmulator,
): Promise<void> {
  const network = await openLocalNetwork(session);
  try {
    const { target, made, control, api, close } = await reachEmulator(
      session,
      input,
      network.transport,
      reach,
    );
    let named = !reach.changes;
    const flagged: Control = (name, request) => {
      if (!named && !isRead(name)) {
        named = true;
        session.notes.note(`World: ${formatEmulator(target)}`);
      }
      return control(name, request).catch((error: unknown) => {
        if (!(error instanceof CliError) || error.details.length === 0) throw error;
        throw new FlaggedError(error, (path) => findFlag(String(path[0]), input));
      });
    };
    try {
      const running = () => listRunningEmulators(session.folders, network.transport);
      await use(flagged, target, { made, api, running });
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
export async function confirmLoss(
  session: Session,
  { profile }: EmulatorTarget,
  message: string,
): Promise<void> {
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
function findFlag(field: string, input: Input): string | undefined {
  // What was written into a body or a query keeps its name.
  if (input.has("data") || input.has("query")) return field;
  const flag = toKebabCase(field);
  if (input.has(flag)) return `--${flag}`;
  return flagOfField[field] ?? (field === "name" ? "<name>" : undefined);
}

/** A command that makes one call of the control interface, and prints what it answers. */
export function createControlCommand(definition: {
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
    flags: [...(definition.flags ?? []), ...emulatorFlags],
    examples: definition.examples,
    run: (session, input) =>
      (isRead(call) ? readEmulator : changeEmulator)(session, input, async (control) => {
        const [parameter] = parsePathParameters(calls[call].path);
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
export function parseSeconds(text: string, flag: string): number {
  if (/^-\d/.test(text)) throw usageError(`${flag}: "${text}" is negative, and time never goes back`);
  const milliseconds = parseDurationText(text);
  if (milliseconds === undefined)
    throw usageError(`${flag}: "${text}" is no duration like 90s, 15m, 1h30m or 2d`);
  return milliseconds / 1_000;
}

/** Without the fields that were not given. */
export function omitUndefined(values: Record<string, unknown>): Record<string, unknown> {
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
  const match = exact ?? called[0];
  const [noun = ""] = list.split(".");
  if (!match)
    throw notFoundError(
      `there is no ${noun.slice(0, -1)} ${named}`,
      `list them: \`voxctl emulator control ${list}\``,
    );
  return match.id;
}
