import { type CliError, notFoundError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";

const typeTexts = {
  specified: "specified in the service's documents",
  assumed: "assumed because the documents don't specify it",
  promise: "guaranteed by the emulator itself",
} as const;

export const explain: Command = {
  name: "explain",
  summary: "Explain the API rule that a response or error refers to",
  description:
    "A response with status 400 or above has the ID of its API rule in the header X-Emulator-Rule. To print this ID with an error, use --debug. Without an argument, lists all API rules.",
  arguments: [
    {
      name: "rule",
      description: "ID such as public.operations.12f or D-strict, or the start of an ID",
      optional: true,
      variadic: true,
    },
  ],
  examples: [
    { command: "voxctl emulator explain public.operations.12f" },
    { command: "voxctl emulator explain public.operations.", note: "List the API rules for one topic" },
  ],
  run: async (session, input) => {
    const { catalog, suggestRules, toRuleView } = await import("../../../emulator/rules/catalog.js");
    const ids = input.arguments;
    const exact = ids.flatMap((id) => catalog.get(id) ?? []);
    if (ids.length === 0 || exact.length < ids.length) {
      const listed = [...catalog.values()].filter(
        ({ id }) => ids.length === 0 || ids.some((start) => id.startsWith(start)),
      );
      const unknown = ids.find((start) => !listed.some(({ id }) => id.startsWith(start)));
      if (unknown !== undefined) throw toNotFound(unknown, suggestRules(unknown));
      await session.output.list(listed.map(toRuleView), {
        columns: [
          { header: "RULE", value: "id", keep: true },
          { header: "TYPE", value: "kind" },
          { header: "TEXT", value: "text" },
        ],
      });
      return;
    }
    const rules = exact.map(toRuleView);
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

function toNotFound(id: string, suggestions: readonly string[]): CliError {
  return notFoundError(
    `API rule "${id}" not found`,
    suggestions.length > 0
      ? `did you mean ${suggestions.join(", ")}?`
      : "list the API rules: `voxctl emulator explain`",
  );
}
