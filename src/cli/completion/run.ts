import type { Io } from "../../base/io.js";
import { splitWords } from "../../base/shell-words.js";
import tree from "../../generated/completion-tree.json" with { type: "json" };
import type { Folders } from "../profiles/folders.js";
import { type CompletionTree, complete } from "./complete.js";
import { bashLines, describedLines, readBashLine } from "./shells.js";
import { createLocalSource, readAliases } from "./sources.js";

/**
 * Runs `voxctl __complete SHELL …`. For speed, loads neither the parser nor the contract. bash passes the
 * line up to the cursor; other shells pass words.
 */
export function completeLine(argv: readonly string[], io: Io, folders: Folders): string {
  const [shell, ...args] = argv;
  const source = createLocalSource(io, folders);
  const known: CompletionTree = tree;
  // The PowerShell script adds a prefix to the last word, because PowerShell drops empty arguments.
  const words = shell === "powershell" ? [...args.slice(0, -1), (args.at(-1) ?? "").slice(1)] : args;
  const completed = (typed: readonly string[]) =>
    complete(replaceAlias(typed, known, folders), known, source);
  if (shell !== "bash") return describedLines(completed(words.slice(1)));
  const line = readBashLine(args[0] ?? "");
  return bashLines(completed(line.words.slice(1)), line);
}

function replaceAlias(words: readonly string[], known: CompletionTree, folders: Folders): readonly string[] {
  const [first = "", ...args] = words;
  // The word at the cursor may be incomplete, so don't replace it.
  if (args.length === 0 || known.commands?.some(({ name }) => name === first)) return words;
  const aliases = readAliases(folders);
  const line = Object.hasOwn(aliases, first) ? aliases[first] : undefined;
  return line === undefined ? words : fillAlias(splitWords(line), args);
}

/** Drops all words after the word at the cursor. */
function fillAlias(stored: readonly string[], typed: readonly string[]): readonly string[] {
  let taken = 0;
  const line: string[] = [];
  for (const word of stored) {
    const positions = [...word.matchAll(/\$([1-9])/g)].map(([, digit]) => Number(digit));
    const last = Math.max(0, ...positions);
    taken = Math.max(taken, last);
    if (last >= typed.length && last > 0) return [...line, typed.at(-1) ?? ""];
    line.push(word.replace(/\$([1-9])/g, (_, digit: string) => typed[Number(digit) - 1] ?? ""));
  }
  return [...line, ...typed.slice(taken)];
}
