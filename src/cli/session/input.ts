/** In display order. */
export const flagGroups = ["Common", "File format", "Matching", "Safety", "Plan files", "Advanced"] as const;

type FlagGroup = (typeof flagGroups)[number];

export interface Flag {
  name: string;
  short?: string;
  /** A flag without a placeholder is a switch. */
  value?: string;
  description: string;
  repeatable?: boolean;
  /** True for a flag whose last value applies, such as `--output`. Other flags refuse a second value. */
  lastCounts?: boolean;
  negatable?: boolean;
  /**
   * True for an optional value that must follow `=`, as in `--prune=prompts`. `--prune` alone has the value
   * `*`.
   */
  joined?: boolean;
  choices?: readonly string[];
  strict?: boolean;
  default?: string;
  /** Only marks the flag in the help; the command itself checks that the flag is set. */
  required?: boolean;
  requires?: string;
  conflicts?: readonly string[];
  group?: FlagGroup;
  hidden?: boolean;
  ofProfile?: "country" | "group";
}

export interface Argument {
  name: string;
  description: string;
  optional?: boolean;
  variadic?: boolean;
  /** Suggested by completion; the command checks the value. */
  choices?: readonly string[];
}

export interface Example {
  command: string;
  note?: string;
}

export interface Input {
  readonly arguments: readonly string[];
  /** Set if a flag supplied one of `arguments`. Contains the arguments as typed. */
  readonly typed?: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): string[];
  /** Returns the value of a switch: true, false for the `--no-…` form, undefined if not set. */
  on(name: string): boolean | undefined;
  has(name: string): boolean;
}

export interface ParsedLine {
  path: readonly string[];
  accepts: { arguments: readonly Argument[]; flags: readonly Flag[] };
  input: Input;
  globals: Pick<Input, "text" | "on">;
}
