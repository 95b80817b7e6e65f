import type { Command as Parser } from "commander";
import { type CliError, usageError } from "./errors/errors.js";
import { meantFlag } from "./errors/nearest.js";
import { otherCommand, otherFlag } from "./errors/other-words.js";
import { excessWord, flagsTaken, unknownCommand } from "./program.js";

/** The parser's error, told with what was typed and what it may have meant; undefined where nothing more is known. */
export function lineError(error: unknown, program: Parser, words: readonly string[]): CliError | undefined {
  return (
    unknownFlagError(error, flagsTaken(program, words), words) ??
    unknownCommandError(error, unknownCommand(program, words)) ??
    excessError(error, excessWord(program, words))
  );
}

/** The parser's own suggestion knows neither words inside of a flag nor the flags that the help folds. */
function unknownFlagError(
  error: unknown,
  taken: readonly string[],
  words: readonly string[],
): CliError | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "commander.unknownOption"))
    return undefined;
  const typed = /unknown option '(--[^']+)'/.exec(error.message)?.[1];
  if (typed === undefined) return undefined;
  const [noun, verb] = words;
  if (noun === "alias" && verb !== undefined && verb !== "list" && verb !== "delete")
    return usageError(`unknown option '${typed}'`, {
      hint: "The command line stands in quotes: voxctl alias set kunden 'contacts list --group Kunden'",
      cause: error,
    });
  return usageError(`unknown option '${typed}'`, {
    hint: `${otherFlag(typed, taken) ?? meantFlag(typed, taken)}The same command with --help shows what it takes`,
    cause: error,
  });
}

/** Words of other command lines for what is called otherwise here. */
function unknownCommandError(
  error: unknown,
  unknown: ReturnType<typeof unknownCommand>,
): CliError | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "commander.unknownCommand") || !unknown)
    return undefined;
  const meant = otherCommand(unknown.typed, unknown.commands);
  if (meant === undefined) return undefined;
  return usageError(`unknown command '${unknown.typed}'`, { hint: `Did you mean ${meant}?`, cause: error });
}

/** Mostly a name whose spaces the shell has split. */
function excessError(error: unknown, excess: ReturnType<typeof excessWord>): CliError | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "commander.excessArguments") || !excess)
    return undefined;
  return usageError(`too many arguments: "${excess.typed}" is one more than the command takes`, {
    hint: `Usage: ${excess.usage}; a name with spaces stands in quotes`,
    cause: error,
  });
}
