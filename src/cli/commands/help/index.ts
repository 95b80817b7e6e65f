import { suggestName } from "../../../base/suggestions.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { findTopic, topics } from "./topics.js";

/**
 * `voxctl help TOPIC`. The parser converts `voxctl help COMMAND` to `voxctl COMMAND --help`, which doesn't
 * reach this command.
 */
export const help: Command = {
  name: "help",
  summary: "Show help for a command or topic",
  description: `Topics: ${Object.keys(topics).join(", ")}.`,
  arguments: [{ name: "topic", description: "Topic or command", optional: true, variadic: true }],
  examples: [{ command: "voxctl help exit-codes" }, { command: "voxctl help contacts create" }],
  async run(session, input) {
    const [named = ""] = input.arguments;
    const topic = findTopic(input.arguments);
    if (topic === undefined) {
      const { commands } = await session.commands();
      const names = [...commands.map(({ name }) => name), ...Object.keys(topics)];
      throw usageError(`no command or topic "${input.arguments.join(" ")}" found`, {
        hint: `${suggestName(named, names)}topics: ${Object.keys(topics).join(", ")}`,
      });
    }
    await session.output.text(topics[topic] ?? "");
  },
};
