import type { Noun } from "../../derive/noun.js";
import type { Command } from "../../session/command.js";
import { createEditCommand } from "../edit/index.js";
import { assistantInterpreters } from "./assistant-interpreters.js";

export const editAssistant = (noun: Noun): Command =>
  createEditCommand({
    noun,
    get: "assistants.get",
    update: "assistants.update",
    // voxctl assistants webhook set: its secrets are never shown, and a file must not hold them.
    omit: ["pre_call_webhook"],
    interpreters: assistantInterpreters,
    description:
      "Opens an assistant, but for its webhook (voxctl assistants webhook set). Prompts, groups, calendars and tools stand as ids; a name may be written for one.",
    examples: [
      { command: "voxctl assistants edit Empfang" },
      { command: "voxctl assistants edit Empfang --dry-run" },
    ],
  });
