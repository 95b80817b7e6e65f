import type { Io } from "../../base/io.js";
import type { Folders } from "../profiles/folders.js";
import { type CompletionTree, complete } from "./complete.js";
import { bashLines, describedLines, readBashLine } from "./shells.js";
import { localSource } from "./sources.js";
import tree from "./tree.json" with { type: "json" };

/**
 * `voxctl __complete SHELL …`, called by the shells' scripts with every Tab: for bash the line up to the cursor, for
 * the others its words. Loads neither the parser nor the contract.
 */
export function completionText(argv: readonly string[], io: Io, folders: Folders): string {
  const [shell, ...rest] = argv;
  const source = localSource(io, folders);
  const known: CompletionTree = tree;
  // PowerShell's word to complete comes with a sign before it: an empty one would get lost.
  const words = shell === "powershell" ? [...rest.slice(0, -1), (rest.at(-1) ?? "").slice(1)] : rest;
  if (shell !== "bash") return describedLines(complete(words.slice(1), known, source));
  const line = readBashLine(rest[0] ?? "");
  return bashLines(complete(line.words.slice(1), known, source), line);
}
