import type { Argument, Example, Flag } from "./input.js";

export interface CommandTree {
  name: string;
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

export function leavesOf(tree: CommandTree): CommandTree[] {
  return tree.commands.length === 0 ? [tree] : tree.commands.flatMap(leavesOf);
}
