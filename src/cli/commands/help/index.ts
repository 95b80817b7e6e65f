import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { topics } from "./topics.js";

/** `voxctl help TOPIC`. `voxctl help COMMAND` never comes here: it is read as `voxctl COMMAND --help`. */
export const help: Command = {
  name: "help",
  summary: "Show what a command does, or explain a topic",
  description: `Topics: ${Object.keys(topics).join(", ")}.`,
  arguments: [{ name: "topic", description: "a topic or a command", optional: true, variadic: true }],
  examples: [{ command: "voxctl help exit-codes" }, { command: "voxctl help contacts create" }],
  async run(session, input) {
    const [topic = ""] = input.arguments;
    const text = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
    if (text === undefined)
      throw usageError(`there is no command and no topic "${topic}"`, {
        hint: `Topics: ${Object.keys(topics).join(", ")}`,
      });
    await session.output.text(text);
  },
};
