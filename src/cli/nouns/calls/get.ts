import type { Command } from "../../session/command.js";
import { callArgument, readCallId } from "./call/id.js";
import { showCall } from "./call/show.js";
import { followCall, followFlags, readFollowOptions } from "./follow.js";

export const getCallCommand: Command = {
  name: "get",
  summary: "Show a call with its transcript, analyses and notes",
  description:
    "With --wait, waits until the call ends and, on a terminal, prints the transcript as it grows. Exits with code 8 on a timeout, and with code 11 if the call did not complete. A call has ended if it has an end time or one of the statuses completed, ended, finished, done, failed, busy, no_answer, cancelled, rejected and voicemail; to add a status, use --final-status.",
  arguments: [callArgument],
  flags: [{ name: "wait", description: "Wait until the call ends" }, ...followFlags],
  examples: [
    { command: "voxctl calls get 65f1a0b2c3d4e5f601234568" },
    { command: "voxctl calls get 65f1a0b2c3d4e5f601234568 -o json --fields status,transcript.text" },
    { command: "voxctl calls get 65f1a0b2c3d4e5f601234568 --wait --for 2m" },
    {
      command: "voxctl calls get 65f1a0b2c3d4e5f601234568 --wait --final-status wrapped_up",
      note: "Treat another status as final",
    },
  ],
  verdict: true,
  async run(session, input) {
    const id = readCallId(input.arguments[0]);
    const following = readFollowOptions(input);
    if (input.on("wait") === true) {
      await followCall(session, await session.connect(), id, { ...following, isPlacedHere: false });
      return;
    }
    const { client } = await session.connect();
    const { data } = await client.call("calls.get", { path: { call_id: id } }, { signal: session.signal });
    await showCall(session, data);
  },
};
