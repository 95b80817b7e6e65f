import { notFoundError, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";

const typeTexts = {
  specified: "specified in the service's documents",
  assumed: "assumed where the documents are silent",
  promise: "a promise of the emulator itself",
} as const;

export const explain: Command = {
  name: "explain",
  summary: "Explain a rule of the service by the id that answers and errors name",
  description:
    "Every answer of 400 and above names its rule in the header X-Emulator-Rule; --debug shows it beside an error.",
  arguments: [
    { name: "rule", description: "like public.operations.12f or D-strict", optional: true, variadic: true },
  ],
  flags: [{ name: "list", description: "all rules, or those whose id begins so" }],
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
          { header: "KIND", value: "kind" },
          { header: "SAYS", value: "text" },
        ],
        empty: "no rule begins so",
      });
      return;
    }
    if (ids.length === 0) throw usageError("name a rule, or give --list");
    const rules = ids.map((id) => {
      const rule = catalogue.get(id);
      if (rule) return toRuleView(rule);
      const suggestions = suggestRules(id);
      throw notFoundError(
        `there is no rule ${id}`,
        suggestions.length > 0
          ? `did you mean ${suggestions.join(", ")}?`
          : "see voxctl emulator explain --list",
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
