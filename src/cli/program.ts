import { Command as Parser } from "commander";
import { addFlags, JoinedOption } from "./flag-options.js";
import { assertFlagRules } from "./flag-rules.js";
import { buildHelpParts } from "./help-format.js";
import { flagsHeading, globalHeading, helpFlag, layOutHelp } from "./help-layout.js";
import type { LineOption } from "./remove-overridden.js";
import { formatRootHelp } from "./root-help.js";
import type { Command, CommandGroup, CommandNode, LazyCommand } from "./session/command.js";
import { describeCommand } from "./session/describe-command.js";
import { type GlobalInput, globalFlags, listGlobalFlags } from "./session/globals.js";
import type { Flag, Input } from "./session/input.js";
import type { Paint, Painted, Text } from "./terminal/paint.js";

export interface ProgramOptions {
  run(command: Command, input: Input, globals: GlobalInput): Promise<void>;
  writeOut(text: Text): void;
  writeErr(text: Text): void;
  columns: number;
  paint: Paint;
}

const valueFlags = new Set(
  globalFlags
    .filter((flag) => flag.value)
    .flatMap((flag) => [`--${flag.name}`, ...(flag.short ? [`-${flag.short}`] : [])]),
);

/**
 * Returns the words up to `--` that are neither flags nor values of global flags. The first words name the
 * command.
 */
export function findCommandWords(argv: readonly string[]): string[] {
  return findWordIndexes(argv).map((index) => argv[index] ?? "");
}

/** See `findCommandWords`. */
export function findWordIndexes(argv: readonly string[]): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) indexes.push(index);
    else if (valueFlags.has(word)) index += 1;
  }
  return indexes;
}

/**
 * Loads only the command that `words` specifies.
 * @throws CommanderError for an invalid line or requested help
 */
export async function createProgram(
  root: CommandGroup,
  words: readonly string[],
  options: ProgramOptions,
): Promise<Parser> {
  const help = createHelpTexts();
  const nodes = new Map<Parser, Command | CommandGroup>();
  const program = new Parser(root.name)
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand(false)
    .helpOption(...helpFlag)
    .configureOutput({
      writeOut: (text) => options.writeOut(help.find(text)),
      writeErr: (text) => options.writeErr(help.find(text)),
      // Errors are reported in `report.ts`, not here.
      outputError: () => {},
      getOutHelpWidth: () => options.columns,
      getErrHelpWidth: () => options.columns,
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    })
    .configureHelp({
      formatHelp: (command, helper) =>
        help.keep(
          command.parent === null
            ? formatRootHelp({ width: options.columns, paint: options.paint, hasAll: false })
            : layOutHelp(buildHelpParts(command, helper, nodes.get(command) ?? root), {
                width: options.columns,
                paint: options.paint,
              }),
        ),
      sortSubcommands: false,
      subcommandTerm: (command) => command.name(),
    });
  await fillGroup(program, root, words, { ...options, nodes });
  return program;
}

/** Keeps the styled help texts, because the parser passes only plain strings. */
interface HelpTexts {
  keep(text: Painted): string;
  find(text: string): Text;
}

function createHelpTexts(): HelpTexts {
  const kept = new Map<string, Painted>();
  return {
    keep(text) {
      kept.set(String(text), text);
      return String(text);
    },
    find: (text) => kept.get(text) ?? text,
  };
}

function findInnermost(
  program: Parser,
  words: readonly string[],
): { parser: Parser; remaining: readonly string[] } {
  let parser = program;
  for (const [index, word] of words.entries()) {
    const inner = parser.commands.find(
      (command) => command.name() === word || command.aliases().includes(word),
    );
    if (!inner) return { parser, remaining: words.slice(index) };
    parser = inner;
  }
  return { parser, remaining: [] };
}

export function findCommandPath(program: Parser, words: readonly string[]): readonly string[] {
  return words.slice(0, words.length - findInnermost(program, words).remaining.length);
}

/**
 * Returns the options before the command's words (`before`) and after them (`behind`). If the command has its
 * own flag NAME, the global flag is `--global-NAME` in both lists.
 */
export function listLineOptions(
  program: Parser,
  words: readonly string[],
): { before: readonly LineOption[]; behind: readonly LineOption[] } {
  const { parser } = findInnermost(program, words);
  const known = new Set(parser.options.map(({ long }) => long));
  const read = (options: Parser["options"], nameOf: (long: string) => string): LineOption[] =>
    options.flatMap(({ long, short, required }) =>
      long ? [{ name: nameOf(long), long, short, takesValue: required }] : [],
    );
  return {
    before: read(program.options, (long) =>
      known.has(`--global-${long.slice(2)}`) ? `--global-${long.slice(2)}` : long,
    ),
    behind: read(parser.options, (long) => long),
  };
}

/**
 * Changes a line for the parser. A flag with an optional value gets the value `*` if it has none (`--prune`).
 * A short flag loses the `=` that other programs allow (`-o=json`).
 */
export function expandJoinedFlags(
  program: Parser,
  line: readonly string[],
  words: readonly string[],
): readonly string[] {
  const { options } = findInnermost(program, words).parser;
  const valueless = new Set(
    options.flatMap((option) => (option instanceof JoinedOption && option.long ? [option.long] : [])),
  );
  const joined: { from: string; to: string }[] = [];
  for (const { short, required } of [...program.options, ...options])
    if (short && required) joined.push({ from: `${short}=`, to: short });
  // Without the `=` of `-o=`, the next word would become the value.
  const isValueless = (word: string) => /^-[^-]=$/.test(word);
  if (joined.length + valueless.size === 0) return line;
  const end = line.indexOf("--");
  return line.map((word, index) => {
    if ((end === -1 || index < end) && valueless.has(word)) return `${word}=*`;
    const replacement =
      end !== -1 && index > end ? undefined : joined.find(({ from }) => word.startsWith(from));
    return replacement === undefined || isValueless(word)
      ? word
      : `${replacement.to}${word.slice(replacement.from.length)}`;
  });
}

export function findExcessWord(
  program: Parser,
  words: readonly string[],
): { typed: string; usage: string } | undefined {
  const { parser } = findInnermost(program, words);
  const typed = parser.args[parser.registeredArguments.length];
  return typed === undefined ? undefined : { typed, usage: findUsage(program, words) };
}

export function findUsage(program: Parser, words: readonly string[]): string {
  const { parser } = findInnermost(program, words);
  return parser.createHelp().commandUsage(parser);
}

export function findUnknownCommand(
  program: Parser,
  words: readonly string[],
): { typed: string; commands: readonly { name: string; aliases: readonly string[] }[] } | undefined {
  const { parser, remaining } = findInnermost(program, words);
  const [typed] = remaining;
  if (typed === undefined || parser.commands.length === 0) return undefined;
  return {
    typed,
    commands: parser.commands.map((command) => ({ name: command.name(), aliases: command.aliases() })),
  };
}

export function listAcceptedFlags(program: Parser, words: readonly string[]): string[] {
  const { parser } = findInnermost(program, words);
  // Suggest hidden global flags, but not alternative spellings, which are also hidden.
  return parser.options.flatMap(({ long, hidden, helpGroupHeading }) =>
    long && (!hidden || helpGroupHeading === globalHeading) ? [long] : [],
  );
}

interface FillOptions extends ProgramOptions {
  nodes: Map<Parser, Command | CommandGroup>;
}

async function fillGroup(
  parser: Parser,
  group: CommandGroup,
  words: readonly string[],
  options: FillOptions,
): Promise<void> {
  parser
    .summary(group.summary)
    .description(group.description ?? group.summary)
    .usage("<command> [flags]");
  const [word, ...remaining] = words;
  const isSelected = (node: CommandNode) => node.name === word || node.aliases?.includes(word ?? "") === true;
  const selected = group.commands.find(isSelected);
  // Disable help for an unknown command, because help would hide the mistake.
  if (word !== undefined && !selected) parser.helpOption(false);
  // Add only the selected command, because its help doesn't list other commands.
  for (const node of selected ? [selected] : group.commands) {
    const child = parser.helpCommand(false).command(node.name);
    child.summary(node.summary);
    if (node.aliases) child.aliases([...node.aliases]);
    if (node === selected) await fillNode(child, node, remaining, options);
    else child.description(node.summary).allowUnknownOption().allowExcessArguments();
  }
  options.nodes.set(parser, group);
  addFlags(parser, hideFlags(globalFlags), globalHeading);
}

async function fillNode(
  parser: Parser,
  node: CommandNode,
  words: readonly string[],
  options: FillOptions,
): Promise<void> {
  const command = isLazy(node) ? await node.load() : node;
  if ("commands" in command) {
    await fillGroup(parser, command, words, options);
    return;
  }
  const description = describeCommand(command);
  parser.description(description ? `${command.summary}.\n\n${description}` : command.summary);
  for (const argument of command.arguments ?? []) {
    const name = argument.variadic ? `${argument.name}...` : argument.name;
    parser.argument(argument.optional ? `[${name}]` : `<${name}>`, argument.description);
  }
  if (command.passesThrough) {
    parser.parent?.enablePositionalOptions();
    parser.passThroughOptions();
  }
  const own = new Set((command.flags ?? []).map((flag) => flag.name));
  parser.usage(formatUsage(command));
  addFlags(parser, command.flags ?? [], flagsHeading);
  addFlags(
    parser,
    hideFlags(
      listGlobalFlags(command.formats ?? []).map((flag) => ({ ...flag, name: toGlobalName(flag.name, own) })),
    ),
    globalHeading,
  );
  options.nodes.set(parser, command);
  parser.action(() => {
    const input = readInput(parser, own);
    assertFlagRules(command.flags ?? [], input);
    return options.run(command, input, {
      text: (name) => input.text(toGlobalName(name, own)),
      on: (name) => input.on(toGlobalName(name, own)),
    });
  });
}

function formatUsage({ arguments: positional = [], flags = [] }: Command): string {
  const names = positional.map(({ name, optional, variadic }) => {
    const term = variadic ? `${name}...` : name;
    return optional ? `[${term}]` : `<${term}>`;
  });
  const required = flags.filter((flag) => flag.required === true);
  return [
    ...names,
    ...required.map(({ name, value }) => (value === undefined ? `--${name}` : `--${name} <${value}>`)),
    "[flags]",
  ].join(" ");
}

/** Hides the global flags in a command's help, where a single line lists the most used of these flags. */
function hideFlags(flags: readonly Flag[]): Flag[] {
  return flags.map((flag) => ({ ...flag, hidden: true }));
}

function toGlobalName(name: string, own: ReadonlySet<string>): string {
  return own.has(name) ? `global-${name}` : name;
}

function isLazy(node: CommandNode): node is LazyCommand {
  return "load" in node;
}

/** The innermost command takes precedence over its parents. */
function readInput(parser: Parser, own: ReadonlySet<string>): Input {
  const values = new Map<string, unknown>();
  const spelling = new Map<string, string>();
  for (let level: Parser | null = parser; level; level = level.parent) {
    for (const option of level.options) {
      const source = level.getOptionValueSource(option.attributeName());
      if (source !== "cli") continue;
      const value: unknown = level.getOptionValue(option.attributeName());
      const long = option.long?.slice(2) ?? "";
      const name = level === parser ? long : toGlobalName(long, own);
      // A switch and its `--no-…` form share one value in the parser.
      if (option.negate ? value === false : value !== false) if (!values.has(name)) values.set(name, value);
    }
    for (const option of level.options) spelling.set(option.long?.slice(2) ?? "", option.attributeName());
  }
  return {
    arguments: parser.processedArgs
      .flat()
      .filter((argument: unknown): argument is string => typeof argument === "string"),
    text: (name) => {
      const value = values.get(name);
      return typeof value === "string" ? value : undefined;
    },
    texts: (name) => {
      const value = values.get(name);
      return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
    },
    on: (name) => (values.has(name) ? true : values.has(`no-${name}`) ? false : undefined),
    has: (name) => values.has(name),
  };
}
