/** Thrown for an input that is not UTF-8: decoding it would lose letters. */
export class NotUtf8Error extends Error {
  override readonly name = "NotUtf8Error";
  constructor(
    /** The file as the caller names it, or `standard input`. */
    readonly source: string,
    /** The first line, from 1, that is not UTF-8. */
    readonly line: number,
  ) {
    super(`${source}: ${notUtf8Reason(line)}`);
  }
}

/** Returns why an input can't be read, for a sentence that names the input. */
export function notUtf8Reason(line: number): string {
  return `line ${line} is not valid UTF-8; save the file as UTF-8`;
}
