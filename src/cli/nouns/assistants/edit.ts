import { createEditCommand } from "../../commands/edit/index.js";
import type { Noun } from "../../derive/noun.js";
import type { Command } from "../../session/command.js";
import { assistantInterpreters } from "./assistant-interpreters.js";

export const editAssistant = (noun: Noun): Command =>
  createEditCommand({
    noun,
    get: "assistants.get",
    update: "assistants.update",
    // The webhook's secrets must not be written to a file.
    omit: ["pre_call_webhook"],
    interpreters: assistantInterpreters,
    description:
      "The file omits the assistant's webhook; to change the webhook, run `voxctl assistants webhook set`. Prompts, groups, calendars and tools are shown as IDs; you can replace them with names.",
    examples: [
      { command: "voxctl assistants edit Empfang" },
      { command: "voxctl assistants edit Empfang --dry-run" },
    ],
  });
