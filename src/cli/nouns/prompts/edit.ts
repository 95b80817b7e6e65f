import { createEditCommand } from "../../commands/edit/index.js";
import type { Noun } from "../../derive/noun.js";
import type { Command } from "../../session/command.js";

export const editPrompt = (noun: Noun): Command =>
  createEditCommand({
    noun,
    get: "prompts.get",
    update: "prompts.update",
    textField: "text",
    examples: [
      { command: "voxctl prompts edit Empfang" },
      { command: "voxctl prompts edit Empfang --plan empfang.plan", note: "Save the changes for review" },
    ],
  });
