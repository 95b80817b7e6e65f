export interface CompletionFlag {
  name: string;
  short?: string;
  value?: boolean;
  summary: string;
  choices?: readonly string[];
  repeatable?: boolean;
  negatable?: boolean;
  /** Whether the value is optional and joined to the flag with `=`. */
  joined?: boolean;
  /** Source of the values to suggest, such as `profiles`. */
  of?: string;
}

export interface CompletionArgument {
  choices?: readonly string[];
  /** See `CompletionFlag.of`. `command-line` means that the argument is a voxctl command. */
  of?: string;
  variadic?: boolean;
}

export interface CompletionNode {
  name: string;
  aliases?: readonly string[];
  summary: string;
  commands?: readonly CompletionNode[];
  flags?: readonly CompletionFlag[];
  arguments?: readonly CompletionArgument[];
}

export interface CompletionTree extends CompletionNode {
  globalFlags: readonly CompletionFlag[];
  topics?: readonly { name: string; summary: string }[];
}

export interface Candidate {
  value: string;
  description: string;
  /**
   * Set for IDs if names are also suggested: an ID is suggested only after its first characters are typed.
   */
  onceBegun?: boolean;
}

/**
 * Returns candidates from a source: `profiles`, `aliases`, `runs`, `at-files`, or the rows of a list, such as
 * `groups.list?type=contacts`.
 * @param given profile on the command line
 * @param start characters of the value before the cursor
 */
export type Source = (of: string, given: string | undefined, start: string) => readonly Candidate[];

export interface Completion {
  candidates: Candidate[];
  files: boolean;
}

const nothing: Completion = { candidates: [], files: false };

/** @param words words after the program name; the last word, which can be empty, is completed */
export function complete(words: readonly string[], tree: CompletionTree, source: Source): Completion {
  const current = words.at(-1) ?? "";
  const line = readLine(words.slice(0, -1), tree);
  const { node, flags, positions, awaiting, literal, profile } = line;
  if (awaiting) return completeValue(awaiting, current, "", tree, source, profile);
  if (!literal && current.startsWith("--") && current.includes("=")) {
    const name = current.slice(2, current.indexOf("="));
    const flag = flags.find((candidate) => candidate.name === name);
    const prefix = `--${name}=`;
    return flag?.value || flag?.joined
      ? completeValue(flag, current.slice(prefix.length), prefix, tree, source, profile)
      : nothing;
  }
  if (!literal && current.startsWith("-")) return { candidates: matchFlags(line, current), files: false };
  if (node.commands) {
    const aliases = node === tree ? source("aliases", profile, current) : [];
    const named = aliases.filter(({ value }) => value.startsWith(current));
    return { candidates: [...matchCommands(node.commands, current), ...named], files: false };
  }
  const argument = findArgument(node, positions);
  if (argument?.of === commandLine) {
    const profileWords = profile === undefined ? [] : ["--profile", profile];
    return complete([...profileWords, ...line.inner, current], tree, source);
  }
  return argument ? completeValue(argument, current, "", tree, source, profile) : nothing;
}

const commandLine = "command-line";

function findArgument({ arguments: known = [] }: CompletionNode, position: number) {
  const last = known.at(-1);
  return known[position] ?? (last?.variadic ? last : undefined);
}

interface Line {
  node: CompletionNode;
  flags: readonly CompletionFlag[];
  given: ReadonlySet<string>;
  positions: number;
  awaiting: CompletionFlag | undefined;
  /** Whether the cursor is after `--`, so that the current word can't be a flag. */
  literal: boolean;
  inner: readonly string[];
  profile: string | undefined;
}

function readLine(words: readonly string[], tree: CompletionTree): Line {
  let node: CompletionNode = tree;
  let positions = 0;
  let literal = false;
  let awaiting: CompletionFlag | undefined;
  let profile: string | undefined;
  let inner: readonly string[] = [];
  const given = new Set<string>();
  const flagsOf = (command: CompletionNode) => [...(command.flags ?? []), ...tree.globalFlags];
  for (const [index, word] of words.entries()) {
    if (awaiting) {
      if (awaiting.name === "profile") profile = word;
      awaiting = undefined;
    } else if (literal || !word.startsWith("-") || word === "-") {
      const child: CompletionNode | undefined = literal
        ? undefined
        : node.commands?.find(({ name, aliases }) => name === word || aliases?.includes(word));
      if (child) node = child;
      else if (findArgument(node, positions)?.of === commandLine) {
        inner = words.slice(index);
        break;
      } else positions += 1;
    } else if (word === "--") literal = true;
    else {
      const [name = "", value] = word.split("=", 2);
      const flag = flagsOf(node).find(
        (candidate) => name === `--${candidate.name}` || name === `-${candidate.short}`,
      );
      given.add(flag?.name ?? name.replace(/^--(no-)?/, ""));
      if (flag?.name === "profile") profile = value;
      if (flag?.value && value === undefined) awaiting = flag;
    }
  }
  return { node, flags: flagsOf(node), given, positions, awaiting, literal, inner, profile };
}

function matchCommands(commands: readonly CompletionNode[], current: string): Candidate[] {
  return commands
    .filter(({ name }) => name.startsWith(current))
    .map(({ name, summary }) => ({ value: name, description: summary }));
}

function matchFlags({ flags, given }: Line, current: string): Candidate[] {
  return flags
    .filter(({ name, repeatable }) => repeatable || !given.has(name))
    .flatMap(({ name, summary, negatable }) => [
      { value: `--${name}`, description: summary },
      ...(negatable ? [{ value: `--no-${name}`, description: `Opposite of --${name}` }] : []),
    ])
    .filter(({ value }) => value.startsWith(current));
}

function completeValue(
  { choices, of }: CompletionArgument,
  current: string,
  prefix: string,
  tree: CompletionTree,
  source: Source,
  profile: string | undefined,
): Completion {
  if (of === "files") return { candidates: [], files: true };
  // In a comma-separated list such as `--status failed,`, complete the last value.
  const [, before = "", last = ""] = /^(.*,)([^,]*)$/.exec(current) ?? [];
  const listed = before.split(",").slice(0, -1);
  if (choices && listed.length > 0 && listed.every((word) => choices.includes(word))) {
    const unlisted = choices.filter((word) => !listed.includes(word));
    return completeValue({ choices: unlisted }, last, prefix + before, tree, source, profile);
  }
  const known: readonly Candidate[] = choices
    ? choices.map((value) => ({ value, description: "" }))
    : of === "commands"
      ? [...(tree.commands ?? []), ...(tree.topics ?? [])].map(({ name, summary }) => ({
          value: name,
          description: summary,
        }))
      : of === undefined
        ? []
        : source(of, profile, current);
  const candidates = known
    .filter(({ onceBegun }) => !onceBegun || current !== "")
    // A line can't contain control characters.
    .filter(({ value }) => !/[\u0000-\u001f\u007f]/.test(value))
    .filter(({ value }) => value.toLowerCase().startsWith(current.toLowerCase()))
    .map(({ value, description }) => ({ value: prefix + value, description }));
  return { candidates, files: false };
}
