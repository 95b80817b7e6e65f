import { isFields } from "../../output/fields.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { callArgument, readCallId } from "./call/id.js";
import { formatCall, getCallStyle } from "./call/text.js";

/** Prints a call as text on a terminal, otherwise as data. */
export async function showCall(session: Session, call: unknown): Promise<void> {
  const asText = session.output.format === "table" && session.flags.fields === undefined;
  if (asText && isFields(call)) await session.output.text(formatCall(call, getCallStyle(session)));
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
