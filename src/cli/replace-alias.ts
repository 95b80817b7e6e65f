import type { Io } from "../base/io.js";
import { catalog } from "./catalog.js";
import { topics } from "./commands/help/topics.js";
import { findFolders } from "./profiles/folders.js";
import { findCommandWords, findWordIndexes } from "./program.js";
import type { AliasedLine } from "./remove-overridden.js";
import type { CommandGroup } from "./session/command.js";
import { styled, type Text } from "./terminal/paint.js";

export interface RunLine extends AliasedLine {
  about?: Text;
}

/** A command takes precedence over an alias with the same name. */
export async function replaceAlias(argv: readonly string[], io: Io): Promise<RunLine> {
  const ofAlias = await findAliasHelp(argv, io);
  if (ofAlias) return ofAlias;
  const [index] = findWordIndexes(argv);
  const name = argv[index ?? argv.length];
  const asTyped = { words: moveHelpToFlag(await moveHelpToFront(argv)), from: 0, to: 0 };
  if (index === undefined || name === undefined || isCommand(name)) return asTyped;
  const { expandAlias, findAlias } = await import("./profiles/aliases.js");
  // Ignore an unreadable file: the parser then reports an unknown command.
  const line = await findAlias(name, findFolders(io)).catch(() => undefined);
  if (line === undefined) return asTyped;
  const behind = argv.slice(index + 1);
  if (hasHelpFlag(behind)) return buildAliasHelp(name, line);
  const { stored, typed } = expandAlias(name, line, behind);
  const words = [...argv.slice(0, index), ...stored, ...typed];
  const helped = moveHelpToFlag(words);
  // The help of a command needs no flags, so no flag can override another.
  if (helped !== words) return { words: helped, from: 0, to: 0 };
  return { words, from: index, to: index + stored.length };
}

async function findAliasHelp([first, name]: readonly string[], io: Io): Promise<RunLine | undefined> {
  if (first !== "help" || name === undefined || isCommand(name) || Object.hasOwn(topics, name))
    return undefined;
  const { findAlias } = await import("./profiles/aliases.js");
  const line = await findAlias(name, findFolders(io)).catch(() => undefined);
  return line === undefined ? undefined : buildAliasHelp(name, line);
}

async function buildAliasHelp(name: string, line: string): Promise<RunLine> {
  const { aliasWords } = await import("./profiles/aliases.js");
  const words = [...findCommandWords(aliasWords(line)), "--help"];
  return { words, from: 0, to: 0, about: styled`${name} is an alias for: voxctl ${line}\n\n` };
}

function hasHelpFlag(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? words.length : end).some((word) => word === "--help" || word === "-h");
}

function isCommand(word: string): boolean {
  return catalog.commands.some(({ name, aliases }) => name === word || aliases?.includes(word));
}

/** Converts `contacts help import`, which is the word order in other programs, to `help contacts import`. */
async function moveHelpToFront(argv: readonly string[]): Promise<readonly string[]> {
  if (!argv.includes("help")) return argv;
  let group: CommandGroup = catalog;
  for (const index of findWordIndexes(argv)) {
    const word = argv[index] ?? "";
    const node = group.commands.find(({ name, aliases }) => name === word || aliases?.includes(word));
    if (node === undefined)
      return word === "help" ? ["help", ...argv.slice(0, index), ...argv.slice(index + 1)] : argv;
    const command = "load" in node ? await node.load() : node;
    if (!("commands" in command)) return argv;
    group = command;
  }
  return argv;
}

function moveHelpToFlag(argv: readonly string[]): readonly string[] {
  const [first, second, ...remaining] = argv;
  if (argv.length === 0 || (first === "help" && findCommandWords(argv).length === 1)) return ["--help"];
  if (first !== "help" || second === undefined || second.startsWith("-") || Object.hasOwn(topics, second))
    return argv;
  // For an unknown word, the help command lists the topics.
  if (!isCommand(second)) return argv;
  return [second, ...remaining, "--help"];
}
