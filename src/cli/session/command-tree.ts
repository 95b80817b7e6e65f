import type { Argument, Example, Flag } from "./input.js";

/** Loads every command, for the reference, the man pages, completion and `voxctl commands`. */
export interface CommandTree {
  name: string;
  /** The words after the program's name: `["contacts", "list"]`. */
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

/** Returns the commands with an action, in the order of the help. */
export function leavesOf(tree: CommandTree): CommandTree[] {
  return tree.commands.length === 0 ? [tree] : tree.commands.flatMap(leavesOf);
}
