import type { Command } from "../command.js";
import { followCall, patienceFlag, readPatience } from "./calls-follow.js";
import { callArgument, readCallId } from "./calls-get.js";

/** `voxctl calls wait CALL [--for DURATION]` */
export const waitForCallCommand: Command = {
  name: "wait",
  summary: "Follow a call to its end",
  description:
    "On a terminal the transcript comes as it is spoken; other formats print the call once it is over. Ends with 8 when the time is up, and with 11 when the call did not complete.",
  arguments: [callArgument],
  flags: [patienceFlag],
  examples: [
    { command: "voxctl calls wait 65f1a0b2c3d4e5f601234568" },
    { command: "voxctl calls wait 65f1a0b2c3d4e5f601234568 --for 2m -o json" },
  ],
  async run(session, input) {
    const id = readCallId(input.arguments[0]);
    const patience = readPatience(input);
    await followCall(session, await session.connect(), id, { patience, placedHere: false });
  },
};
