import type { Command as Parser } from "commander";
import { hasCode } from "../base/error-code.js";
import { createSuggester, suggestFlag } from "../base/suggestions.js";
import { catalog } from "./catalog.js";
import { type CliError, helpHint, usageError } from "./errors/errors.js";
import { findForeignCommand, findForeignFlagHint } from "./errors/foreign-commands.js";
import { findCommandReplacement, findFlagReplacement } from "./errors/former-names.js";
import { findExcessWord, findUnknownCommand, findUsage, listAcceptedFlags } from "./program.js";
import type { CommandGroup, CommandNode } from "./session/command.js";

/**
 * Converts a parser error to an error that names the typed word and suggests a correction; returns undefined
 * for other errors.
 * @param aliases returns the names of aliases; called only if the typed word may be an alias
 */
export async function lineError(
  error: unknown,
  program: Parser,
  words: readonly string[],
  aliases: () => Promise<readonly string[]>,
): Promise<CliError | undefined> {
  const replacement = findCommandReplacement(words);
  if (replacement !== undefined && isParserError(error))
    return usageError(`unknown command '${words.join(" ")}'`, {
      hint: `use \`voxctl ${replacement}\` instead`,
      cause: error,
    });
  const [first] = words;
  const aliasNames = isUnknownCommand(error) && !isNamed(catalog, first ?? "") ? await aliases() : [];
  return (
    unknownFlagError(error, listAcceptedFlags(program, words), words) ??
    (await verbFirstError(error, words)) ??
    unknownCommandError(error, findUnknownCommand(program, words), words, aliasNames) ??
    (await subcommandError(error, words)) ??
    excessError(error, findExcessWord(program, words)) ??
    missingArgumentError(error, findUsage(program, words))
  );
}

/** Unlike the parser, also suggests hidden flags, and flags that contain the typed name. */
function unknownFlagError(
  error: unknown,
  taken: readonly string[],
  words: readonly string[],
): CliError | undefined {
  if (!hasCode(error, "commander.unknownOption")) return undefined;
  const typed = /unknown option '(--[^']+|-[a-z])'/i.exec(error.message)?.[1];
  if (typed === undefined) return undefined;
  const [noun, verb] = words;
  const name = typed.split("=")[0] ?? "";
  const replacement = findFlagReplacement(words, name);
  if (replacement !== undefined)
    return usageError(`unknown option '${typed}'`, { hint: formatReplacement(replacement), cause: error });
  if (noun === "alias" && verb !== undefined && verb !== "list" && verb !== "delete")
    return usageError(`unknown option '${typed}'`, {
      hint: "quote the command line: `voxctl alias set kunden 'contacts list --group Kunden'`",
      cause: error,
    });
  // The flag was typed before the command that accepts it.
  if (taken.includes(name))
    return usageError(`${typed} must follow the command`, {
      hint: `to move the flag, run \`voxctl ${words.join(" ")} ${typed}\``,
      cause: error,
    });
  if (["list", "ls"].includes(verb ?? "") && ["--all", "--limit"].includes(name))
    return usageError(`unknown option '${typed}'`, { hint: "this list always shows all rows", cause: error });
  return usageError(`unknown option '${typed}'`, {
    hint: (findForeignFlagHint(typed, taken) ?? suggestFlag(typed, taken)).trimEnd() || helpHint,
    cause: error,
  });
}

function formatReplacement(replacement: string): string {
  if (/^(?:-|sh |[a-z_]+:)/.test(replacement)) return `use ${replacement}`;
  const [command = "", ...condition] = replacement.split(", ");
  if (!isNamed(catalog, command.split(" ")[0] ?? "")) return replacement;
  return [`use \`voxctl ${command}\``, ...condition].join(", ");
}

/** Handles `list contacts`, the word order in other programs. In voxctl, the resource comes first. */
async function verbFirstError(error: unknown, words: readonly string[]): Promise<CliError | undefined> {
  if (!isUnknownCommand(error)) return undefined;
  const [verb = "", typed = ""] = words;
  const noun = findNoun(typed);
  if (noun === undefined || isNamed(catalog, verb)) return undefined;
  const group = "load" in noun ? await noun.load() : noun;
  if (!("commands" in group)) return undefined;
  const command = group.commands.find(({ name, aliases }) => name === verb || aliases?.includes(verb));
  const names = group.commands.map(({ name }) => name);
  const suggestion = command?.name ?? findForeignCommand(verb, names);
  if (suggestion === undefined) return undefined;
  return usageError(`unknown command '${verb}'`, {
    hint: `the resource comes first: did you mean ${noun.name} ${suggestion}?`,
    cause: error,
  });
}

function findNoun(typed: string): CommandNode | undefined {
  return [typed, `${typed}s`]
    .map((word) => catalog.commands.find(({ name, aliases }) => name === word || aliases?.includes(word)))
    .find((node) => node !== undefined);
}

const isNamed = ({ commands }: CommandGroup, word: string) =>
  commands.some(({ name, aliases }) => name === word || aliases?.includes(word));

const isParserError = (error: unknown) =>
  error instanceof Error && "code" in error && String(error.code).startsWith("commander.");

const isUnknownCommand = (error: unknown) => hasCode(error, "commander.unknownCommand");

function unknownCommandError(
  error: unknown,
  unknown: ReturnType<typeof findUnknownCommand>,
  words: readonly string[],
  aliasNames: readonly string[],
): CliError | undefined {
  if (!isUnknownCommand(error) || !unknown) return undefined;
  const { typed } = unknown;
  const commands = [...unknown.commands, ...aliasNames.map((name) => ({ name, aliases: [] }))];
  const suggestion =
    findForeignCommand(
      typed,
      commands.map(({ name }) => name),
    ) ?? findNearestCommand(typed, commands);
  const group = words.slice(0, words.indexOf(typed)).join(" ");
  if (suggestion === undefined && group === "") return undefined;
  return usageError(`unknown command '${typed}'`, {
    hint:
      suggestion === undefined
        ? `to list the commands of ${group}, run \`voxctl ${group} --help\``
        : `did you mean ${suggestion}?`,
    cause: error,
  });
}

const mostSuggestions = 3;

async function subcommandError(error: unknown, [typed]: readonly string[]): Promise<CliError | undefined> {
  if (!isUnknownCommand(error) || typed === undefined) return undefined;
  // Use the generated tree, because reading all names from it loads no commands.
  const { default: tree } = await import("../generated/completion-tree.json", { with: { type: "json" } });
  const paths = tree.commands.flatMap((group) =>
    "commands" in group && group.commands?.some(({ name }) => name === typed)
      ? [`${group.name} ${typed}`]
      : [],
  );
  return usageError(`unknown command '${typed}'`, { hint: formatSubcommandHint(paths), cause: error });
}

function formatSubcommandHint(paths: readonly string[]): string {
  if (paths.length === 0) return "to list all commands, run `voxctl commands`";
  return paths.length > mostSuggestions
    ? `the resource comes first, as in \`voxctl ${paths[0]}\``
    : `did you mean ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(paths)}?`;
}

function findNearestCommand(
  typed: string,
  commands: readonly { name: string; aliases: readonly string[] }[],
): string | undefined {
  const suggester = createSuggester(typed);
  for (const { name, aliases } of commands)
    for (const word of [name, ...aliases]) suggester.consider(word, name);
  return commands.find(({ name, aliases }) => [name, ...aliases].includes(suggester.suggestion ?? ""))?.name;
}

function missingArgumentError(error: unknown, usage: string): CliError | undefined {
  if (!hasCode(error, "commander.missingArgument")) return undefined;
  const name = /'(.*)'/.exec(error.message)?.[1] ?? "argument";
  const lookup = name === "run" ? "; to find the run, use `voxctl runs list`" : "";
  return usageError(`missing argument: <${name}>`, { hint: `usage: ${usage}${lookup}`, cause: error });
}

/** Often, the cause is an unquoted name with spaces, which the shell has split. */
function excessError(error: unknown, excess: ReturnType<typeof findExcessWord>): CliError | undefined {
  if (!hasCode(error, "commander.excessArguments") || !excess) return undefined;
  return usageError(`too many arguments: unexpected "${excess.typed}"`, {
    // The user may have typed `-q KEY=VALUE`: `-q` was the short form of --query, but accepts no value now.
    hint: excess.usage.startsWith("voxctl api ")
      ? "to send a query parameter, use --query KEY=VALUE"
      : `usage: ${excess.usage}; quote a name with spaces`,
    cause: error,
  });
}
