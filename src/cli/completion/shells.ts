import type { Completion } from "./complete.js";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

export interface BashLine {
  words: string[];
  /** The quote that the last word stands in. */
  quote: string;
}

/** The words of a line up to the cursor, as bash would split it. Only its last command counts. */
export function readBashLine(line: string): BashLine {
  let words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
      else if (character === "\\" && quote === '"') {
        index += 1;
        word = (word ?? "") + (line[index] ?? "");
      } else word = (word ?? "") + character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === "\\") {
      index += 1;
      word = (word ?? "") + (line[index] ?? "");
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (/[|&;(]/.test(character)) {
      words = [];
      word = undefined;
    } else word = (word ?? "") + character;
  }
  return { words: [...words, word ?? ""], quote };
}

/** Lines for bash: what replaces the word, of which it sees only what follows the last `=` or `:`. */
export function bashLines({ candidates, files }: Completion, { words, quote }: BashLine): string {
  const current = words.at(-1) ?? "";
  const seen = Math.max(current.lastIndexOf("="), current.lastIndexOf(":")) + 1;
  const lines = candidates.map(({ value }) => {
    const rest = quote === "" ? value.slice(seen) : value;
    return quote === "" ? rest.replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, "\\$&") : rest;
  });
  return [...lines, ...(files ? [":files"] : [])].map((line) => `${line}\n`).join("");
}

/** Lines of value, tab, description. */
export function describedLines({ candidates, files }: Completion): string {
  const lines = candidates.map(
    ({ value, description }) => `${value}\t${description.replace(/[\u0000-\u001f\u007f]/g, " ")}`,
  );
  return [...lines, ...(files ? [":files"] : [])].map((line) => `${line}\n`).join("");
}
