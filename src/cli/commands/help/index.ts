import { usageError } from "../../errors/errors.js";
import { suggestName } from "../../errors/suggestions.js";
import type { Command } from "../../session/command.js";
import { findTopic, topics } from "./topics.js";

/** `voxctl help TOPIC`. `voxctl help COMMAND` never comes here: it is read as `voxctl COMMAND --help`. */
export const help: Command = {
  name: "help",
  summary: "Show what a command does, or explain a topic",
  description: `Topics: ${Object.keys(topics).join(", ")}.`,
  arguments: [{ name: "topic", description: "A topic or a command", optional: true, variadic: true }],
  examples: [{ command: "voxctl help exit-codes" }, { command: "voxctl help contacts create" }],
  async run(session, input) {
    const [named = ""] = input.arguments;
    const topic = Object.hasOwn(topics, named) ? named : findTopic(input.arguments);
    if (topic === undefined) {
      const { commands } = await session.commands();
      const names = [...commands.map(({ name }) => name), ...Object.keys(topics)];
      throw usageError(`there is no command and no topic "${input.arguments.join(" ")}"`, {
        hint: `${suggestName(named, names)}Topics: ${Object.keys(topics).join(", ")}`,
      });
    }
    await session.output.text(topics[topic] ?? "");
  },
};
