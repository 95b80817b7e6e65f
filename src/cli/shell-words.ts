/** A command line to copy: each word as a shell takes it for one. */
export function commandLineOf(words: readonly string[]): string {
  return ["voxctl", ...words].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
