import type { Command } from "../../session/command.js";
import { type CommandTree, leavesOf } from "../../session/command-tree.js";
import { globalFlags } from "../../session/globals.js";
import type { Flag } from "../../session/input.js";
import { version } from "../../session/version.js";

export const commands: Command = {
  name: "commands",
  summary: "List all commands; with -o json, also their arguments, flags and examples",
  examples: [
    { command: "voxctl commands" },
    { command: "voxctl commands -o json", note: "Print the whole command tree, for other programs" },
  ],
  async run(session) {
    const tree = await session.commands();
    if (session.output.format === "json" || session.output.format === "yaml") {
      await session.output.item({
        version,
        ...toCommandJson(tree),
        global_flags: filterVisible(globalFlags),
      });
      return;
    }
    await session.output.list(
      leavesOf(tree)
        .filter(({ hidden }) => !hidden)
        .map(({ path, summary }) => ({ command: ["voxctl", ...path].join(" "), summary })),
      {
        columns: [
          { header: "COMMAND", value: "command", keep: true },
          { header: "SUMMARY", value: "summary" },
        ],
        noun: "command",
      },
    );
  },
};

function filterVisible(flags: readonly Flag[]): Flag[] {
  return flags.filter(({ hidden }) => !hidden);
}

function toCommandJson({
  name,
  path,
  aliases,
  summary,
  description,
  examples,
  ...tree
}: CommandTree): object {
  const commands = tree.commands.filter(({ hidden }) => !hidden).map(toCommandJson);
  return {
    name,
    command: ["voxctl", ...path].join(" "),
    aliases,
    summary,
    description: description ?? null,
    ...(commands.length > 0 ? { commands } : { arguments: tree.arguments, flags: filterVisible(tree.flags) }),
    examples,
  };
}
