/** A command line to copy: each word as a shell takes it for one. */
export function commandLineOf(words: readonly string[]): string {
  return ["voxctl", ...words].map(commandWord).join(" ");
}

/** One word, as it is typed. */
export function commandWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A flag with its value, as words of a command line. */
export function flagWords(flag: string, value: string): string[] {
  // A value with a dash before it would be taken for a flag.
  return value.startsWith("-") ? [`--${flag}=${value}`] : [`--${flag}`, value];
}

/** The words of a typed text, as a shell splits it: quotes hold one together, a backslash takes a character as it is. */
export function splitWords(text: string): string[] {
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
  return word === undefined ? words : [...words, word];
}
