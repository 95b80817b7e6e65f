import type { Argument, Example, Flag, Input } from "./input.js";
/** A command as data: the source of the parser, the help, completion and the reference. */
import type { Session } from "./session.js";

export interface Command {
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** Details that don't fit into the summary. */
  description?: string;
  arguments?: readonly Argument[];
  flags?: readonly Flag[];
  examples: readonly Example[];
  /** Whether flags after its first argument belong to another program. */
  passesThrough?: boolean;
  /** Further values of `-o`, which the command writes itself (`session.flags.ownFormat`). */
  formats?: readonly string[];
  /** Whether it writes CSV without `-o csv`, so that --excel applies. */
  writesCsv?: boolean;
  /**
   * Whether its exit code is its purpose: if the reader of stdout closes (`| head`), it continues without stdout.
   * Any other command then ends silently.
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

/** A command with a name and a summary, whose details are loaded on use. */
export interface LazyCommand {
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** Its group in the root help. */
  section?: string;
  /** Prefix of the section's line that lists it without its summary: "Also". */
  minorLabel?: string;
  load(): Promise<Command | CommandGroup>;
}

export type CommandNode = Command | CommandGroup | LazyCommand;
