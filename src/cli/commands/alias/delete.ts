import { suggestName } from "../../../base/suggestions.js";
import { addIgnoreNotFoundFlag } from "../../derive/ignore-not-found.js";
import { notFoundError } from "../../errors/errors.js";
import { changeConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";

export const deleteAlias: Command = addIgnoreNotFoundFlag({
  name: "delete",
  aliases: ["remove", "rm"],
  summary: "Delete an alias",
  arguments: [{ name: "alias", description: "Name of the alias" }],
  examples: [{ command: "voxctl alias delete kunden" }],
  async run(session, input) {
    const name = input.arguments[0] ?? "";
    await changeConfiguration(session.folders, session.clock, ({ aliases = {}, ...current }) => {
      if (!Object.hasOwn(aliases, name))
        throw notFoundError(
          `alias "${name}" not found`,
          `${suggestName(name, Object.keys(aliases))}list aliases: \`voxctl alias list\``,
        );
      const { [name]: _, ...kept } = aliases;
      return { ...current, aliases: kept };
    });
    await session.output.item({ name, deleted: true });
  },
});
