import type { Command, CommandGroup, CommandNode } from "./session/command.js";
import type { CommandTree } from "./session/command-tree.js";

/** Loads a command and all below it. */
export async function commandTree(node: CommandNode, path: readonly string[] = []): Promise<CommandTree> {
  const loaded: Command | CommandGroup = "load" in node ? await node.load() : node;
  const commands: CommandTree[] = [];
  if ("commands" in loaded)
    for (const child of loaded.commands) commands.push(await commandTree(child, [...path, child.name]));
  return {
    name: node.name,
    path,
    aliases: node.aliases ?? loaded.aliases ?? [],
    // The line in the list of commands; what was loaded says it at length.
    summary: node.summary,
    description: loaded.description,
    section: "section" in node ? node.section : undefined,
    // Scripts may ask for it; only flags are ever hidden.
    hidden: false,
    arguments: "run" in loaded ? (loaded.arguments ?? []) : [],
    flags: "run" in loaded ? (loaded.flags ?? []) : [],
    examples: loaded.examples ?? [],
    commands,
  };
}
