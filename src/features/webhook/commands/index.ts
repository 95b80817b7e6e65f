import type { CommandGroup } from "../../../cli/session/command.js";
import { contractTest } from "./contract-test.js";
import { listen } from "./listen.js";
import { replay } from "./replay.js";
import { restore } from "./restore.js";
import { send } from "./send.js";
import { shape } from "./shape.js";

export const webhook: CommandGroup = {
  name: "webhook",
  summary: "Develop and test a pre-call webhook",
  description:
    "For each incoming call, the service sends a request to the assistant's webhook. These commands help you develop the program that receives these requests. To set the webhook, run `voxctl assistants webhook set`.",
  commands: [listen, send, replay, contractTest, shape, restore],
};
