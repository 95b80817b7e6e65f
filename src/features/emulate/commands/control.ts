import { parseDurationText } from "../../../base/duration.js";
import { toKebabCase } from "../../../base/text.js";
import { CliError, notFoundError, usageError } from "../../../cli/errors/errors.js";
import { FlaggedError } from "../../../cli/errors/exit-codes.js";
import type { Command } from "../../../cli/session/command.js";
import { confirmLocally } from "../../../cli/session/confirm.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { type Control, type ControlInput, isRead } from "../../../client/control.js";
import { type ControlName, control as calls } from "../../../contract/control/control.js";
import { parsePathParameters } from "../../../contract/operation.js";
import type { StartLine } from "../../../emulator/types.js";
import { openLocalNetwork } from "../local-server.js";
import { listRunningEmulators } from "../registry.js";
import {
  type EmulatorTarget,
  formatEmulator,
  hasEmulatorFlag,
  type ReachedEmulator,
  type ReachOptions,
  reachEmulator,
} from "./emulator-target.js";

export const emulatorFlags: readonly Flag[] = [
  {
    name: "db",
    value: "file",
    description: "SQLite database of the emulator (default: the profile's database)",
    conflicts: ["port"],
  },
  { name: "port", value: "port", description: "Port of a running emulator" },
];

type UseEmulator = (control: Control, target: EmulatorTarget, more: EmulatorContext) => Promise<void>;

interface EmulatorContext {
  made: boolean;
  api: ReachedEmulator["api"];
  running(): Promise<StartLine[]>;
}

/** If no server is running, opens the emulator in this process. */
export function readEmulator(session: Session, input: Input, use: UseEmulator): Promise<void> {
  return withControl(session, input, { changes: false }, use);
}

/**
 * Like `readEmulator`, for a command that changes the emulator. Before the first change, prints the
 * emulator's URL or database to stderr.
 * @throws refused error (12) if the current profile uses no emulator, and the errors of `readEmulator`
 */
export function changeEmulator(
  session: Session,
  input: Input,
  use: UseEmulator,
  options: Pick<ReachOptions, "makes" | "onDamaged"> = {},
): Promise<void> {
  return withControl(session, input, { changes: true, ...options }, use);
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
    // A read-only command prints which emulator it uses only if neither a flag nor a profile selected it.
    if (!reach.changes && !target.profile && !hasEmulatorFlag(input))
      session.notes.note(`Emulator: ${formatEmulator(target)}`);
    let named = !reach.changes;
    const flagged: Control = (name, request) => {
      if (!named && !isRead(name)) {
        named = true;
        session.notes.note(`Emulator: ${formatEmulator(target)}`);
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
 * Asks for confirmation. Only a profile that selected the emulator can require `--confirm`.
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

const flagOfField: Readonly<Record<string, string>> = {
  assistant_id: "--assistant",
  delay_ms: "--delay",
  expires_at: "--expires",
  expires_in_seconds: "--expires",
  key_id: "--key",
  limits: "--limit",
  mode: "--mode",
};

const argumentOfField: Readonly<Record<string, string>> = {
  advance_seconds: "change",
  kind: "kind",
  name: "name",
  set: "change",
};

/** Returns what the user typed to set a field, for messages: a flag, or an argument with its value. */
function findFlag(field: string, input: Input): string | undefined {
  // In --data and --query, fields have the names of the control interface.
  if (input.has("data") || input.has("query")) return field;
  const flag = toKebabCase(field);
  if (input.has(flag)) return `--${flag}`;
  const argument = argumentOfField[field];
  return flagOfField[field] ?? (argument && `${argument} "${input.arguments[0] ?? ""}"`);
}

export function createControlCommand(definition: {
  name: string;
  call: ControlName;
  /** Summary of the command (default: the operation's summary). */
  summary?: string;
  description?: string;
  arguments?: Command["arguments"];
  flags?: readonly Flag[];
  examples: Command["examples"];
  /** Builds the request (default: the first argument is the path parameter). */
  input?(input: Input, control: Control): ControlInput | Promise<ControlInput>;
}): Command {
  const { call } = definition;
  return {
    name: definition.name,
    summary: definition.summary ?? calls[call].summary,
    ...(definition.description === undefined ? {} : { description: definition.description }),
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
        await session.output.item(data);
      }),
  };
}

/**
 * Parses `1h30m`, `90s`, `2d`, `250ms` or a number of seconds.
 * @returns seconds
 * @throws usage error (2)
 */
export function parseSeconds(text: string, flag: string): number {
  if (/^-\d/.test(text)) throw usageError(`invalid ${flag} "${text}": a duration can't be negative`);
  const milliseconds = parseDurationText(text);
  if (milliseconds === undefined)
    throw usageError(`invalid ${flag} "${text}": expected a duration such as 90s, 15m, 1h30m or 2d`);
  return milliseconds / 1_000;
}

export function omitUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * Returns the ID of the resource that has `named` as its ID, name or phone number.
 * @param list operation that lists the resources
 * @throws not found (4), usage error (2) if several match
 */
export async function findId(
  control: Control,
  list: "assistants.list" | "organizations.list",
  named: string,
): Promise<string> {
  const all: readonly { id: string; name: string; phone_number?: unknown }[] = await control(list);
  const [plural = ""] = list.split(".");
  const exact = all.find(({ id, phone_number }) => id === named || phone_number === named);
  const called = all.filter(({ name }) => name === named);
  if (!exact && called.length > 1) {
    const ids = called.map(({ id }) => id).join(", ");
    throw usageError(`${called.length} ${plural} are named "${named}"; use an ID: ${ids}`);
  }
  const match = exact ?? called[0];
  if (!match)
    throw notFoundError(
      `${plural.slice(0, -1)} "${named}" not found`,
      `list them: \`voxctl emulator control ${list}\``,
    );
  return match.id;
}
