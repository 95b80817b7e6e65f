/** A command's flags and arguments as data, and the values from the command line. */

/** The groups of flags in a command's help, in their order. */
export const flagGroups = ["Common", "File format", "Matching", "Safety", "Plan files", "Advanced"] as const;

type FlagGroup = (typeof flagGroups)[number];

export interface Flag {
  /** Without dashes: `dry-run`. */
  name: string;
  short?: string;
  /** Placeholder of its value, `file`; a flag without one is a switch. */
  value?: string;
  description: string;
  /** Whether it can be repeated. */
  repeatable?: boolean;
  /** Whether the last value takes precedence; other single-value flags refuse a second value. For output and waits. */
  lastCounts?: boolean;
  /** Whether the switch also has a `--no-…` form. */
  negatable?: boolean;
  /** Whether its value is optional, and joined to it: `--prune` or `--prune=prompts`. Without a value it is `*`. */
  joined?: boolean;
  /** The accepted values. */
  choices?: readonly string[];
  /** Whether values other than `choices` are refused. */
  strict?: boolean;
  /** Shown in the help. */
  default?: string;
  /** Shown in the help; the command itself checks whether it is set. */
  required?: boolean;
  /** The flag that must also be set. */
  requires?: string;
  /** The flags that can't be set together with it. */
  conflicts?: readonly string[];
  /** Its group in the help of a command with many flags. */
  group?: FlagGroup;
  hidden?: boolean;
  /** Name of the profile's default that applies if it is not set. */
  ofProfile?: "country" | "group";
}

export interface Argument {
  name: string;
  description: string;
  optional?: boolean;
  variadic?: boolean;
}

export interface Example {
  command: string;
  note?: string;
}

/** The values of one command line, read by name and without casts. */
export interface Input {
  /** Positional arguments, in order. */
  readonly arguments: readonly string[];
  /** The arguments as typed, if a flag provided one of them. */
  readonly typed?: readonly string[];
  /** Returns the value of a flag with one value. */
  text(name: string): string | undefined;
  /** Returns the values of a repeatable flag. */
  texts(name: string): string[];
  /** Returns a switch: true, false for its `--no-…`, undefined if not set. */
  on(name: string): boolean | undefined;
  /** Returns whether a flag or argument is set. */
  has(name: string): boolean;
}
