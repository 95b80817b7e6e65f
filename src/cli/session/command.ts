import type { Argument, Example, Flag, Input } from "./input.js";
import type { Session } from "./session.js";

/** A command as data: the source of the parser, the help, completion and the reference. */
export interface Command {
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** Details that don't fit into the summary. */
  description?: string;
  arguments?: readonly Argument[];
  flags?: readonly Flag[];
  examples: readonly Example[];
  /** Set if the command asks for confirmation: `true`, or text for the help such as `deletions`. */
  confirms?: boolean | string;
  /** Whether flags after the first argument belong to another program. */
  passesThrough?: boolean;
  /** Additional values of `-o`, which the command formats itself (`session.flags.ownFormat`). */
  formats?: readonly string[];
  /** Whether the command writes CSV without `-o csv`, so that --excel applies. */
  writesCsv?: boolean;
  /**
   * Whether the exit code is the purpose of the command. If so, the command continues without output when the reader
   * closes stdout (`| head`). Other commands end silently.
   */
  verdict?: boolean;
  run(session: Session, input: Input): Promise<void>;
}

export interface CommandGroup {
  name: string;
  aliases?: readonly string[];
  summary: string;
  description?: string;
  examples?: readonly Example[];
  commands: readonly CommandNode[];
}

/** A command's name and summary; its details are loaded on use. */
export interface LazyCommand {
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** Group in the root help. */
  section?: string;
  /** Label, such as "Also", of the section's last line, which lists commands without their summaries. */
  minorLabel?: string;
  load(): Promise<Command | CommandGroup>;
}

export type CommandNode = Command | CommandGroup | LazyCommand;
