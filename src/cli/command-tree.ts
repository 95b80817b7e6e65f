import type { Argument, Command, CommandGroup, CommandNode, Example, Flag } from "./command.js";

/** Every command, loaded: what the reference, the man page, completion and `voxctl commands` are made of. */
export interface CommandTree {
  name: string;
  /** From the program on: `["contacts", "list"]`. */
  path: readonly string[];
  aliases: readonly string[];
  summary: string;
  description: string | undefined;
  section: string | undefined;
  hidden: boolean;
  arguments: readonly Argument[];
  flags: readonly Flag[];
  examples: readonly Example[];
  commands: readonly CommandTree[];
}

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
    hidden: ("hidden" in node && node.hidden === true) || ("hidden" in loaded && loaded.hidden === true),
    arguments: "run" in loaded ? (loaded.arguments ?? []) : [],
    flags: "run" in loaded ? (loaded.flags ?? []) : [],
    examples: loaded.examples ?? [],
    commands,
  };
}

/** The commands that do something, in the order of the help. */
export function leavesOf(tree: CommandTree): CommandTree[] {
  return tree.commands.length === 0 ? [tree] : tree.commands.flatMap(leavesOf);
}
