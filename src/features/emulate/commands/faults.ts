import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { parseDuration } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import { faultOperations, faultTypes } from "../../../contract/control/choices.js";
import { wireOperations } from "../../../contract/wire.js";
import { createControlCommand, omitUndefined, parseSeconds } from "./control.js";

const requestFaults: [kinds: string, effect: string][] = [
  ["error_before, error_after", "response 500 before or after executing the request"],
  ["drop_before, drop_after", "closed connection, before or after execution"],
  ["truncate, garbage", "executed, but the response is cut or invalid JSON"],
  ["delay", "response after --delay"],
  ["limiter_down", "the rate limiter can't be reached"],
];

function formatRows(rows: readonly [name: string, text: string][]): string {
  return rows.map(([name, text]) => `  ${name.padEnd(25)}  ${text}`).join("\n");
}

export const faultCommands: readonly Command[] = [
  createControlCommand({
    name: "add",
    call: "faults.create",
    description: `Kinds that affect any request:

${formatRows(requestFaults)}

Kinds that affect only these operations:

${formatRows(Object.entries(faultOperations).map(([kind, operations]) => [kind, operations.join(", ")]))}

For their effects, see docs/emulator.md.`,
    arguments: [{ name: "kind", description: faultTypes.join(", "), choices: faultTypes }],
    flags: [
      { name: "operation", value: "name", description: "Operation to affect, such as contacts.create" },
      {
        name: "path",
        value: "glob",
        description: "Paths to affect; * matches within a segment, ** across segments",
      },
      { name: "key", value: "key", description: "Name or ID of the API key to affect" },
      { name: "times", value: "n", description: "Number of requests to affect" },
      { name: "probability", value: "0..1", description: "Probability of the fault" },
      {
        name: "delay",
        value: "duration",
        description:
          "Length of the delay, such as 800ms or 2s. Without a server, the emulator's clock advances instead, so --timeout has no effect",
      },
      { name: "expires", value: "duration", description: "Time after which the fault ends" },
    ],
    examples: [{ command: "voxctl emulator faults add drop_after --operation contacts.create --times 3" }],
    input: (input) => ({ body: createFaultBody(input) }),
  }),
];

/**
 * @throws usage error (2) for a path without the prefix of its API, because no request would match the path
 */
function assertPath(path: string | undefined): string | undefined {
  const [, first] = /^\/(?!api\/)([a-z-]+)(?:\/|$)/.exec(path ?? "") ?? [];
  if (
    first !== undefined &&
    Object.values(wireOperations).some((operation) => operation.path.split("/")[1] === first)
  )
    throw usageError(`invalid --path "${path}": expected a path with the prefix of its API`, {
      hint: `for the Public API, use --path /api/v1${path}`,
    });
  return path;
}

function createFaultBody(input: Input): Record<string, unknown> {
  const number = (name: string) => {
    const text = input.text(name);
    if (text === undefined) return undefined;
    if (!Number.isFinite(Number(text)) || text.trim() === "")
      throw usageError(`invalid --${name} "${text}": expected a number`);
    return Number(text);
  };
  const expires = input.text("expires");
  const delay = input.text("delay");
  return omitUndefined({
    kind: input.arguments[0],
    operation: input.text("operation"),
    path: assertPath(input.text("path")),
    key_id: input.text("key"),
    times: number("times"),
    probability: number("probability"),
    delay_ms: delay === undefined ? undefined : parseDuration(delay, "--delay"),
    expires_in_seconds: expires === undefined ? undefined : parseSeconds(expires, "--expires"),
  });
}
