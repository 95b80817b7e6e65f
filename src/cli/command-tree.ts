import type { Command, CommandGroup, CommandNode } from "./session/command.js";
import type { CommandTree } from "./session/command-tree.js";
import { describeCommand } from "./session/describe-command.js";

export async function commandTree(node: CommandNode, path: readonly string[] = []): Promise<CommandTree> {
  const loaded: Command | CommandGroup = "load" in node ? await node.load() : node;
  const commands: CommandTree[] = [];
  if ("commands" in loaded)
    for (const child of loaded.commands) commands.push(await commandTree(child, [...path, child.name]));
  return {
    name: node.name,
    path,
    aliases: node.aliases ?? loaded.aliases ?? [],
    // Use the summary from the catalog: the loaded command has a longer description.
    summary: node.summary,
    description: describeCommand(loaded),
    section: "section" in node ? node.section : undefined,
    // Commands can't be hidden, but scripts may depend on this field.
    hidden: false,
    arguments: "run" in loaded ? (loaded.arguments ?? []) : [],
    flags: "run" in loaded ? (loaded.flags ?? []) : [],
    examples: loaded.examples ?? [],
    commands,
  };
}
