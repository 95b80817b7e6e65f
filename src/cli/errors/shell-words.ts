/** A command line to copy: each word as a shell takes it for one. */
export function formatCommandLine(words: readonly string[]): string {
  return ["voxctl", ...words].map((word) => quoteWord(word)).join(" ");
}

/** One word, as it is typed in a shell of this system. */
export function quoteWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return quoteWindowsWord(word);
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * For cmd and PowerShell alike, since neither says that it is the one: double quotes, which both know. In these
 * PowerShell would read `$` and a backtick as its own, so such a word is quoted for it alone.
 */
function quoteWindowsWord(word: string): string {
  // PowerShell makes a list of what has a comma in it, and cmd a variable of what is between % and %.
  if (/^[\p{L}\p{N}_+=:./\\-]+$/u.test(word)) return word;
  if (/[$`"]/.test(word)) return `'${word.replaceAll("'", "''")}'`;
  // A backslash before the closing quote would be taken for one that escapes it.
  return `"${word.replace(/\\+$/, "$&$&")}"`;
}

/** A flag with its value, as words of a command line. */
export function buildFlagWords(flag: string, value: string): string[] {
  // A value with a dash before it would be taken for a flag.
  return value.startsWith("-") ? [`--${flag}=${value}`] : [`--${flag}`, value];
}

/**
 * The words of a typed text, as a shell splits it: quotes hold one together, a backslash takes a character as it is. A
 * quote that is not closed holds the rest.
 */
export function splitWords(text: string): string[] {
  return split(text).words;
}

/** Does the text have a quote that is not closed? */
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
