import type { Argument, Example, Flag } from "./input.js";

export interface CommandTree {
  name: string;
  /** Words after the program name, such as `["contacts", "list"]`. */
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

/** Returns the commands without subcommands, in help order. */
export function leavesOf(tree: CommandTree): CommandTree[] {
  return tree.commands.length === 0 ? [tree] : tree.commands.flatMap(leavesOf);
}
