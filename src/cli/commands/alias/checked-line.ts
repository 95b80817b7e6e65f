import { isSecretName } from "../../../base/secret-fields.js";
import { hasOpenQuote, splitWords } from "../../../base/shell-words.js";
import { suggestFlag, suggestName } from "../../../base/suggestions.js";
import { usageError } from "../../errors/errors.js";
import { findForeignFlagHint } from "../../errors/foreign-commands.js";
import type { CommandTree } from "../../session/command-tree.js";
import { globalFlags } from "../../session/globals.js";
import type { Flag } from "../../session/input.js";

/** Placeholder such as `$1`. */
const waiting = /\$[1-9]/;

const help: Flag = { name: "help", short: "h", description: "" };

/**
 * Doesn't check placeholders.
 * @throws usage error (2) if a command has the same name or the line is invalid
 */
export function assertAliasLine(name: string, line: string, tree: CommandTree): string {
  const names = listCommandNames(tree);
  if (names.includes(name)) throw usageError(`invalid alias name "${name}": it is a voxctl command`);
  if (hasOpenQuote(line))
    throw usageError(`unclosed quote in the command line: ${line}`, {
      hint: "escape an apostrophe as \\', or quote the word",
    });
  const words = splitWords(line);
  const [first = ""] = words;
  if (!names.includes(first))
    throw usageError(`invalid alias: "${first}" is not a voxctl command`, {
      hint: `${suggestName(first, names)}list the commands: \`voxctl commands\``,
    });
  const { command, args } = findInnermostCommand(tree, words);
  if (command.commands.length === 0) assertArguments(command, args);
  else if (args[0] !== undefined && !waiting.test(args[0]) && !args[0].startsWith("-")) {
    const path = command.path.join(" ");
    throw usageError(`invalid alias: "${path} ${args[0]}" is not a voxctl command`, {
      hint: `${suggestName(args[0], listCommandNames(command))}list the commands: \`voxctl ${path} --help\``,
    });
  }
  return line;
}

const listCommandNames = ({ commands }: CommandTree) =>
  commands.flatMap((command) => [command.name, ...command.aliases]);

function findInnermostCommand(
  tree: CommandTree,
  words: readonly string[],
): { command: CommandTree; args: readonly string[] } {
  let command = tree;
  for (const [index, word] of words.entries()) {
    const inner = command.commands.find(
      (candidate) => candidate.name === word || candidate.aliases.includes(word),
    );
    if (!inner) return { command, args: words.slice(index) };
    command = inner;
  }
  return { command, args: [] };
}

/** @throws usage error (2) for an invalid flag or value, or too many words */
function assertArguments(command: CommandTree, words: readonly string[]): void {
  const flags = [...command.flags, ...globalFlags, help];
  const given = command.path.join(" ");
  let positions = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      positions += words.length - at - 1;
      break;
    }
    if (!/^-[^\d]/.test(word)) {
      positions += 1;
      continue;
    }
    const match = findFlag(word, flags);
    if (match === undefined) {
      if (waiting.test(word)) continue;
      const taken = flags.filter(({ hidden }) => !hidden).map(({ name }) => `--${name}`);
      throw usageError(`unknown flag for \`voxctl ${given}\`: ${word.split("=")[0]}`, {
        hint:
          (findForeignFlagHint(word, taken) ?? suggestFlag(word, taken)).trimEnd() ||
          `for usage, run \`voxctl ${given} --help\``,
      });
    }
    if (match.flag.value === undefined) continue;
    if (match.value === undefined) at += 1;
    checkValue(match.flag, match.value ?? words[at]);
  }
  const last = command.arguments.at(-1);
  if (positions > command.arguments.length && !last?.variadic)
    throw usageError(`the alias has too many arguments for \`voxctl ${given}\``, {
      hint: `quote names with spaces: "${given} 'Anna Weiß'"`,
    });
}

function checkValue({ name, strict, choices }: Flag, value: string | undefined): void {
  const [header = "", secret = ""] = name === "header" ? (value ?? "").split(/:(.*)/s) : [];
  if (isSecretName(header.trim()) && secret.trim() !== "" && !waiting.test(secret))
    throw usageError(`an alias can't contain the secret header ${header.trim()}`, {
      hint: "store the key in a profile: `voxctl profiles add NAME --url URL`",
    });
  if (value === undefined || waiting.test(value) || !strict || !choices || choices.includes(value)) return;
  throw usageError(`invalid --${name} "${value}": expected one of ${choices.join(", ")}`);
}

function findFlag(word: string, flags: readonly Flag[]): { flag: Flag; value?: string } | undefined {
  if (word.startsWith("--")) {
    const [, typed = "", value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = flags.find(
      ({ name, negatable }) => name === typed || (negatable === true && typed === `no-${name}`),
    );
    return flag && { flag, ...(value === undefined ? {} : { value }) };
  }
  let flag: Flag | undefined;
  for (let letter = 1; letter < word.length; letter += 1) {
    flag = flags.find(({ short }) => short === word[letter]);
    if (flag === undefined) return undefined;
    const tail = word.slice(letter + 1);
    if (flag.value !== undefined) return tail === "" ? { flag } : { flag, value: tail };
  }
  return flag && { flag };
}
