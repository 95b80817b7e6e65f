import { readConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";

export const listAliases: Command = {
  name: "list",
  aliases: ["ls"],
  summary: "List aliases",
  examples: [{ command: "voxctl alias list" }],
  async run(session) {
    const { aliases = {} } = await readConfiguration(session.folders);
    const rows = Object.entries(aliases).map(([name, command]) => ({ name, command }));
    await session.output.list(rows, {
      columns: [
        { header: "ALIAS", value: "name", keep: true },
        { header: "COMMAND", value: "command" },
      ],
      fields: ["name", "command"],
      empty: "no aliases",
    });
  },
};
