import { displayWidth } from "./cells.js";

const wordPattern = / *(?:[^ `]*`[^`]*`[^ ]*|[^ ]+)/g;

/**
 * Wraps text between words to fit the width. Doesn't break words that are too long, commands in backticks,
 * indented lines (commands to copy) or columns (several spaces in a row).
 * @param text escaped text, with or without colors
 */
export function wrapAtWords(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (displayWidth(line) <= width ? line : wrapLine(line, width)))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  if (/^ |\S {2,}\S/.test(line)) return line;
  const lines: string[] = [];
  let current = "";
  for (const [word] of line.matchAll(wordPattern)) {
    if (current !== "" && displayWidth(current + word) > width) {
      lines.push(current);
      current = word.trimStart();
    } else current += word;
  }
  return [...lines, current].join("\n");
}
