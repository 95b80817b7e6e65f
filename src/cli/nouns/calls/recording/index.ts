import { recordings } from "../../../../contract/public/recordings.js";
import type { Noun } from "../../../derive/noun.js";
import { operationCommand } from "../../../derive/resource.js";
import type { CommandGroup } from "../../../session/command.js";
import { downloadCommand } from "./download.js";

const name = "calls.recording.delete";

export const recordingCommands = (calls: Noun): CommandGroup => ({
  name: "recording",
  summary: "Download or delete a call's recording",
  commands: [
    downloadCommand,
    operationCommand(name, recordings[name], {
      ...calls,
      noun: "the recording of call",
      verbs: {
        [name]: {
          description: "The deletion can't be undone. The call keeps its transcript, analyses and notes.",
          examples: [{ command: "voxctl calls recording delete 65f1a0b2c3d4e5f601234568 --yes" }],
        },
      },
    }),
  ],
});
