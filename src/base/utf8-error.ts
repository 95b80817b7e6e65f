/** Thrown for input that is not UTF-8, because decoding would lose characters. */
export class NotUtf8Error extends Error {
  override readonly name = "NotUtf8Error";
  constructor(
    readonly source: string,
    /** The first line that is not UTF-8, counted from 1. */
    readonly line: number,
  ) {
    super(`${source}: ${notUtf8Reason(line)}`);
  }
}

export function notUtf8Reason(line: number): string {
  return `line ${line} is not valid UTF-8; save the file as UTF-8`;
}
