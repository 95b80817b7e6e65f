import { BulkError } from "../../../write/errors.js";

/** Maximum number of characters in a record. Limits memory use. */
export const recordLimit = 4 * 1024 * 1024;

/** Yields lines without their line endings. If the text ends with a line ending, the last line is empty. */
export async function* linesOf(
  text: AsyncIterable<string>,
  name: string,
  limit = recordLimit,
): AsyncGenerator<string, void> {
  let remainder = "";
  let line = 1;
  for await (const piece of text) {
    const parts = (remainder + piece).split("\n");
    remainder = parts.pop() ?? "";
    line += parts.length;
    yield* parts;
    if (remainder.length > limit) throw tooLong(name, line, limit);
  }
  yield remainder;
}

export function tooLong(name: string, line: number, limit = recordLimit): BulkError {
  return new BulkError(
    "record_too_long",
    `${name}: the record on line ${line} is longer than ${Math.floor(limit / 1_000_000)} million characters`,
  );
}
