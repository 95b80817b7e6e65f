import type { Command } from "../command.js";
import { usageError } from "../errors.js";
import { isFields } from "../output/fields.js";
import { callText, styleOf } from "../presentation/call-text.js";
import { isId } from "../references.js";
import type { Session } from "../session.js";

export const callArgument = { name: "call", description: "its id" };

/** The id that was typed. @throws usage error (2) */
export function readCallId(value: string | undefined): string {
  if (value === undefined || !isId(value))
    throw usageError(`<call>: "${value ?? ""}" must be an id: 24 characters of 0-9 and a-f`);
  return value;
}

/** A call, on a terminal as a person reads it, else as it came. */
export async function showCall(session: Session, call: unknown): Promise<void> {
  const asText = session.output.format === "table" && session.flags.fields === undefined;
  if (asText && isFields(call)) await session.output.text(callText(call, styleOf(session)));
  else await session.output.item(call);
}

/** `voxctl calls get CALL` */
export const getCallCommand: Command = {
  name: "get",
  summary: "Show a call with its transcript, analyses and notes",
  arguments: [callArgument],
  examples: [
    { command: "voxctl calls get 65f1a0b2c3d4e5f601234568" },
    { command: "voxctl calls get 65f1a0b2c3d4e5f601234568 -o json --fields status,transcript.text" },
  ],
  async run(session, input) {
    const id = readCallId(input.arguments[0]);
    const { client } = await session.connect();
    const { data } = await client.call("calls.get", { path: { call_id: id } }, { signal: session.signal });
    await showCall(session, data);
  },
};
