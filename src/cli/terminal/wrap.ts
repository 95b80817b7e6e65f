import { displayWidth } from "./cells.js";

const wordPattern = / *(?:[^ `]*`[^`]*`[^ ]*|[^ ]+)/g;

/**
 * Wraps text to fit the width: between words, and after commas in words that are too long. Doesn't break
 * commands in backticks, indented lines (commands to copy) or columns (several spaces in a row).
 * @param text escaped text, with or without colors
 */
export function wrapAtWords(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (displayWidth(line) <= width ? line : wrapLine(line, width)))
    .join("\n");
}

/** Wraps a line, and indents the second and later lines by two more spaces. See `wrapAtWords`. */
export function wrapIndented(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const [indent = ""] = /^ */.exec(line) ?? [];
  const further = `${indent}  `;
  const parts = wrapAtWords(line.slice(indent.length), width - further.length).split("\n");
  return parts.map((part, index) => (index === 0 ? indent : further) + part);
}

function wrapLine(line: string, width: number): string {
  if (/^ |\S {2,}\S/.test(line)) return line;
  const lines: string[] = [];
  let current = "";
  for (const word of [...line.matchAll(wordPattern)].flatMap(([text]) => splitLong(text, width))) {
    if (current !== "" && displayWidth(current + word) > width) {
      lines.push(current);
      current = word.trimStart();
    } else current += word;
  }
  return [...lines, current].join("\n");
}

/**
 * Splits a word that doesn't fit on a line, such as JSON without spaces, after its commas. A word with a path
 * is split only after commas between JSON values, because a path can contain commas.
 */
function splitLong(word: string, width: number): string[] {
  if (word.includes("`") || displayWidth(word.trimStart()) <= width) return [word];
  return word.split(/[/\\]/.test(word) ? /(?<=["\]}\d],)(?=["{[])/ : /(?<=,)/);
}
