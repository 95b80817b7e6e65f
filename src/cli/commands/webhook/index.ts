import type { CommandGroup } from "../../session/command.js";
import { contractTest } from "./contract-test.js";
import { listen } from "./listen.js";
import { replay } from "./replay.js";
import { restore } from "./restore.js";
import { send } from "./send.js";
import { shape } from "./shape.js";

export const webhook: CommandGroup = {
  name: "webhook",
  summary: "For whoever writes the service behind a pre-call webhook",
  description:
    "The service asks an assistant's webhook about each incoming call; voxctl assistants webhook sets it. These commands are for its other side.",
  commands: [listen, send, replay, contractTest, shape, restore],
};
