import type { Argument, Example, Flag } from "./input.js";

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

/** The commands that do something, in the order of the help. */
export function leavesOf(tree: CommandTree): CommandTree[] {
  return tree.commands.length === 0 ? [tree] : tree.commands.flatMap(leavesOf);
}
