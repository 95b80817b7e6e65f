import type { Argument, Example, Flag, Input } from "./input.js";
import type { Session } from "./session.js";

/** Used by the parser, the help, completion and the reference. */
export interface Command {
  name: string;
  aliases?: readonly string[];
  summary: string;
  description?: string;
  arguments?: readonly Argument[];
  flags?: readonly Flag[];
  examples: readonly Example[];
  /** Set if the command asks for confirmation. Text such as `deletions` is shown in the help. */
  confirms?: boolean | string;
  /** Whether only `--yes` confirms, because the command doesn't change the profile's organization. */
  confirmsLocally?: boolean;
  /** If true, flags after the first argument belong to another program. */
  passesThrough?: boolean;
  /** More values of `-o`. The command formats them itself (`session.flags.ownFormat`). */
  formats?: readonly string[];
  /** True if the command writes CSV even without `-o csv`, so that --excel applies. */
  writesCsv?: boolean;
  /**
   * True if the exit code is the command's result. Such a command continues without output when the reader
   * closes stdout (`| head`).
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

export interface LazyCommand {
  name: string;
  aliases?: readonly string[];
  summary: string;
  section?: string;
  /** Label of the line that lists a section's other commands, such as "Also". */
  minorLabel?: string;
  load(): Promise<Command | CommandGroup>;
}

export type CommandNode = Command | CommandGroup | LazyCommand;
