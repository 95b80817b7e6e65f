export function formatCommandLine(words: readonly string[]): string {
  return ["voxctl", ...words].map((word) => quoteWord(word)).join(" ");
}

export function quoteWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return quoteWindowsWord(word);
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Uses double quotes where possible: both cmd and PowerShell accept them, and voxctl can't detect the shell.
 * A word with `$`, a backtick or a double quote is quoted for PowerShell only.
 */
function quoteWindowsWord(word: string): string {
  // PowerShell splits words at commas, and cmd expands text between two % signs.
  if (/^[\p{L}\p{N}_+=:./\\-]+$/u.test(word)) return word;
  if (/[$`"]/.test(word)) return `'${word.replaceAll("'", "''")}'`;
  // A trailing backslash would escape the closing quote.
  return `"${word.replace(/\\+$/, "$&$&")}"`;
}

export function buildFlagWords(flag: string, value: string): string[] {
  // A value that starts with a dash would be treated as a flag.
  return value.startsWith("-") ? [`--${flag}=${value}`] : [`--${flag}`, value];
}

/** Splits a line into words as a shell does. An unclosed quote extends to the end of the line. */
export function splitWords(text: string): string[] {
  return split(text).words;
}

export function hasOpenQuote(text: string): boolean {
  return split(text).quote !== "";
}

function split(text: string): { words: string[]; quote: string } {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (character === "\\" && quote !== "'" && index + 1 < text.length) {
      index += 1;
      word = (word ?? "") + (text[index] ?? "");
    } else if (quote !== "" && character === quote) quote = "";
    else if (quote === "" && (character === "'" || character === '"')) {
      quote = character;
      word ??= "";
    } else if (quote === "" && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  return { words: word === undefined ? words : [...words, word], quote };
}
