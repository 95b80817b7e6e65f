import type { Argument, Example, Flag, Input } from "./input.js";
/** A command as data: what the parser, the help, completion and the reference are made of. */
import type { Session } from "./session.js";

export interface Command {
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** Details for which the summary has no room. */
  description?: string;
  arguments?: readonly Argument[];
  flags?: readonly Flag[];
  examples: readonly Example[];
  /** Flags behind its first argument are a program's, and none of its own. */
  passesThrough?: boolean;
  /** Further values of `-o`, which the command writes itself (`session.flags.ownFormat`). */
  formats?: readonly string[];
  /**
   * Its exit code is what it is run for: where the reader of stdout goes away (`| head`), it goes on to its end without
   * one. Any other command ends then, quietly.
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

/** Known by name and summary until it is used. */
export interface LazyCommand {
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** Its group in the root help. */
  section?: string;
  /** The line of its section that names it without its summary begins with this: "Also". */
  minorLabel?: string;
  load(): Promise<Command | CommandGroup>;
}

export type CommandNode = Command | CommandGroup | LazyCommand;
