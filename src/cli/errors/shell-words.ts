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
