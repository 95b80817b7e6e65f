/** A command's flags and arguments as data, and their values on the command line. */

/** Groups of flags in a command's help, in display order. */
export const flagGroups = ["Common", "File format", "Matching", "Safety", "Plan files", "Advanced"] as const;

type FlagGroup = (typeof flagGroups)[number];

export interface Flag {
  /** Name without dashes, such as `dry-run`. */
  name: string;
  short?: string;
  /** Placeholder for the value, such as `file`. A flag without a placeholder is a switch. */
  value?: string;
  description: string;
  repeatable?: boolean;
  /**
   * Whether the flag can be repeated, as `--output` can; its last value applies. Other flags with one value
   * refuse a second value.
   */
  lastCounts?: boolean;
  /** Whether the switch also has a `--no-…` form. */
  negatable?: boolean;
  /**
   * Whether the value is optional and must follow `=`, as in `--prune=prompts`. `--prune` alone has the value
   * `*`.
   */
  joined?: boolean;
  /** Accepted values. */
  choices?: readonly string[];
  /** Whether values other than `choices` are refused. */
  strict?: boolean;
  default?: string;
  /** Shown in the help. The command itself checks that the flag is set. */
  required?: boolean;
  requires?: string;
  conflicts?: readonly string[];
  /** Group in the help of a command with many flags. */
  group?: FlagGroup;
  hidden?: boolean;
  /** Profile default to use if the flag is not set. */
  ofProfile?: "country" | "group";
}

export interface Argument {
  name: string;
  description: string;
  optional?: boolean;
  variadic?: boolean;
  /** Values that completion suggests. The command checks the value. */
  choices?: readonly string[];
}

export interface Example {
  command: string;
  note?: string;
}

/** Values of one command line, read by name and without casts. */
export interface Input {
  readonly arguments: readonly string[];
  /** Arguments as typed, if a flag supplied one of `arguments`. */
  readonly typed?: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): string[];
  /** Returns the value of a switch: true, false for the `--no-…` form, undefined if not set. */
  on(name: string): boolean | undefined;
  /** Returns whether a flag or argument is set. */
  has(name: string): boolean;
}

/** A command line that was parsed but not run. */
export interface ParsedLine {
  /** Words that name the command, such as `["contacts", "sync"]`. */
  path: readonly string[];
  /** Arguments and flags that the command accepts. */
  accepts: { arguments: readonly Argument[]; flags: readonly Flag[] };
  input: Input;
  globals: Pick<Input, "text" | "on">;
}
