/** A command's input, as data, and the values that were typed for it. */

/** The groups of flags in a command's help, in their order. */
export const flagGroups = ["Common", "File format", "Matching", "Safety", "Plan files", "Advanced"] as const;

type FlagGroup = (typeof flagGroups)[number];

export interface Flag {
  /** Without dashes: `dry-run`. */
  name: string;
  short?: string;
  /** Placeholder of its value, `file`; without one it is a switch. */
  value?: string;
  description: string;
  /** May be given several times. */
  repeatable?: boolean;
  /** Given twice, the last counts; any other flag of one value refuses two. For how results look and what bounds waiting. */
  lastCounts?: boolean;
  /** A switch with a `--no-…` beside it. */
  negatable?: boolean;
  /** Its value is optional, and joined to it: `--prune` or `--prune=prompts`. Without it the value is `*`. */
  joined?: boolean;
  /** The values it takes. */
  choices?: readonly string[];
  /** Refuse other values than `choices`. */
  strict?: boolean;
  /** Shown in the help. */
  default?: string;
  /** Shown in the help; whether it was given is the command's to check. */
  required?: boolean;
  /** Its group in the help of a command with many flags. */
  group?: FlagGroup;
  /** Other spellings that work but aren't shown. */
  aliases?: readonly string[];
  hidden?: boolean;
  /** Taken from the profile's default of this name where it is not given. */
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

/** The typed values of one command, read by name and without casts. */
export interface Input {
  /** Positional arguments, in order. */
  readonly arguments: readonly string[];
  /** The arguments as they were typed, where a flag gave one of them. */
  readonly typed?: readonly string[];
  /** The value of a flag that takes one. */
  text(name: string): string | undefined;
  /** The values of a repeatable flag. */
  texts(name: string): string[];
  /** A switch: true, false by its `--no-…`, undefined when not given. */
  on(name: string): boolean | undefined;
  /** Was it given? */
  has(name: string): boolean;
}
