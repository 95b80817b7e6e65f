import { notFoundError, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";

const typeTexts = {
  specified: "specified in the service's documents",
  assumed: "assumed where the documents are silent",
  promise: "guaranteed by the emulator itself",
} as const;

export const explain: Command = {
  name: "explain",
  summary: "Explain an API rule by the ID in a response or error",
  description:
    "Every response with status 400 and above has the ID of its API rule in the header X-Emulator-Rule. --debug prints it with an error.",
  arguments: [
    {
      name: "rule",
      description: "ID such as public.operations.12f or D-strict",
      optional: true,
      variadic: true,
    },
  ],
  flags: [{ name: "list", description: "List all API rules, or those whose ID starts with the argument" }],
  examples: [
    { command: "voxctl emulator explain public.operations.12f" },
    { command: "voxctl emulator explain --list public.operations.7" },
  ],
  run: async (session, input) => {
    const { catalogue, suggestRules, toRuleView } = await import("../../../emulator/rules/catalogue.js");
    const ids = input.arguments;
    if (input.on("list")) {
      const rules = [...catalogue.values()]
        .filter(({ id }) => ids.length === 0 || ids.some((start) => id.startsWith(start)))
        .map(toRuleView);
      await session.output.list(rules, {
        columns: [
          { header: "RULE", value: "id", keep: true },
          { header: "TYPE", value: "kind" },
          { header: "TEXT", value: "text" },
        ],
        empty: "no API rule has such an ID",
      });
      return;
    }
    if (ids.length === 0)
      throw usageError("missing argument <rule>", {
        hint: "list the API rules: `voxctl emulator explain --list`",
      });
    const rules = ids.map((id) => {
      const rule = catalogue.get(id);
      if (rule) return toRuleView(rule);
      const suggestions = suggestRules(id);
      throw notFoundError(
        `API rule "${id}" not found`,
        suggestions.length > 0
          ? `did you mean ${suggestions.join(", ")}?`
          : "list the API rules: `voxctl emulator explain --list`",
      );
    });
    if (session.output.format !== "table") {
      const [first] = rules;
      if (rules.length === 1) await session.output.item(first);
      else await session.output.list(rules, { columns: [] });
      return;
    }
    const texts = rules.map(({ id, kind, text }) => `${id} (${typeTexts[kind]})\n${text}\n`);
    await session.output.text(texts.join("\n"));
  },
};
