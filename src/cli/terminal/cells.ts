import truncatedWidth from "fast-string-truncated-width";
import { escapeControl } from "../../base/text.js";

/** Marks a value that a response did not contain. */
export const missing = "–";

/** Returns the number of terminal cells that text occupies: 2 for wide characters, 0 for combining characters. */
export function displayWidth(text: string): number {
  return truncatedWidth(text).width;
}

export function cutToCells(text: string, width: number): string {
  for (let limit = width; ; limit -= 1) {
    const { index, truncated } = truncatedWidth(text, { limit, ellipsis: "…", ellipsisWidth: 1 });
    if (!truncated) return text;
    const cut = `${text.slice(0, index)}…`;
    // The library cuts one cell too late after some symbols.
    if (limit <= 1 || displayWidth(cut) <= width) return cut;
  }
}

export function padToCells(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Escapes the text. Doesn't break a word that is too long. */
export function foldToCells(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of escapeControl(text).split(" ")) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    if (line !== undefined && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line ?? ""];
}
