import { createEditCommand } from "../../commands/edit/index.js";
import type { Noun } from "../../derive/noun.js";
import type { Command } from "../../session/command.js";

export const editKnowledge = (noun: Noun): Command =>
  createEditCommand({
    noun,
    get: "knowledge.get",
    update: "knowledge.update",
    textField: "text",
    description: "After a change, the service indexes the item again.",
    examples: [
      { command: "voxctl knowledge edit Implantate" },
      { command: "voxctl knowledge edit Implantate --dry-run", note: "Print the request without sending it" },
    ],
  });
