import type { Completion } from "./complete.js";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

export interface BashLine {
  words: string[];
  /** Opening quote of the last word, if the quote is not closed. */
  quote: string;
}

/** Parses a line up to the cursor. Returns only the last command of the line. */
export function readBashLine(line: string): BashLine {
  let words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
      // In double quotes, a backslash escapes only these characters.
      else if (character === "\\" && quote === '"' && /["\\$`]/.test(line[index + 1] ?? "")) {
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

/**
 * In an unquoted word, bash replaces only the part after the last `=` or `:`. Suggestions are escaped,
 * because names come from a service.
 */
export function bashLines({ candidates, files }: Completion, { words, quote }: BashLine): string {
  const current = words.at(-1) ?? "";
  const seen = Math.max(current.lastIndexOf("="), current.lastIndexOf(":")) + 1;
  const lines = candidates.map(({ value }) => {
    if (quote === "'") return value.replaceAll("'", "'\\''");
    // bash expands ! in double quotes, even after a backslash.
    if (quote === '"') return value.replace(/["\\$`]/g, "\\$&").replaceAll("!", `"'!'"`);
    return value.slice(seen).replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, "\\$&");
  });
  return [...lines, ...(files ? [":files"] : [])].map((line) => `${line}\n`).join("");
}

export function describedLines({ candidates, files }: Completion): string {
  const lines = candidates.map(
    ({ value, description }) => `${value}\t${description.replace(/[\u0000-\u001f\u007f]/g, " ")}`,
  );
  return [...lines, ...(files ? [":files"] : [])].map((line) => `${line}\n`).join("");
}
