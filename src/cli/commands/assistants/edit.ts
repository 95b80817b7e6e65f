import type { Noun } from "../../derive/noun.js";
import type { Command } from "../../session/command.js";
import { editCommand } from "../edit/index.js";
import { meant } from "./meant.js";

export const editAssistant = (noun: Noun): Command =>
  editCommand({
    noun,
    get: "assistants.get",
    update: "assistants.update",
    // voxctl assistants webhook set: its secrets are never shown, and a file must not hold them.
    omit: ["pre_call_webhook"],
    meant,
    description:
      "Opens an assistant, but for its webhook (voxctl assistants webhook set). Prompts, groups, calendars and tools stand as ids; a name may be written for one.",
    examples: [
      { command: "voxctl assistants edit Empfang" },
      { command: "voxctl assistants edit Empfang --dry-run" },
    ],
  });
