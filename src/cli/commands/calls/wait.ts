import type { Command } from "../../session/command.js";
import { callArgument, readCallId } from "./call/id.js";
import { followCall, followFlags, readFollowOptions } from "./follow.js";

/** `voxctl calls wait CALL [--for DURATION]` */
export const waitForCallCommand: Command = {
  name: "wait",
  summary: "Follow a call to its end",
  description:
    "On a terminal the transcript comes as it is spoken; other formats print the call once it is over. Ends with 8 when the time is up, and with 11 when the call did not complete. Statuses of calls are not documented: a call is over when it says when it ended, or by one of the usual names (completed, ended, finished, done, failed, busy, no_answer, cancelled, rejected, voicemail).",
  arguments: [callArgument],
  flags: followFlags,
  examples: [
    { command: "voxctl calls wait 65f1a0b2c3d4e5f601234568" },
    { command: "voxctl calls wait 65f1a0b2c3d4e5f601234568 --for 2m -o json" },
    {
      command: "voxctl calls wait 65f1a0b2c3d4e5f601234568 --final-status wrapped_up",
      note: "If the service has its own final status",
    },
  ],
  verdict: true,
  async run(session, input) {
    const id = readCallId(input.arguments[0]);
    const following = readFollowOptions(input);
    await followCall(session, await session.connect(), id, { ...following, isPlacedHere: false });
  },
};
