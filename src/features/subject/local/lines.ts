import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { resolveFileTarget, type Waiting, writeTarget } from "../../../base/file-target.js";
import { decodeText } from "../../import/sources/encoding.js";
import type { Encoding } from "../../import/sources/types.js";
import { type Certainty, findSurest, type Matcher } from "../matcher.js";

export interface FoundLine {
  line: number;
  certainty: Certainty;
}

/**
 * Decompresses `.gz` files.
 * @param encoding default: UTF-8
 * @throws the system's error
 */
export async function* findLines(
  path: string,
  matcher: Matcher,
  encoding?: Encoding,
): AsyncGenerator<FoundLine, void> {
  let line = 0;
  for await (const text of readLines(path, encoding)) {
    line += 1;
    const matches = matcher.find(text);
    if (matches.length === 0) continue;
    yield { line, certainty: findSurest(matches.map(({ certainty }) => certainty)) };
  }
}

/**
 * Rewrites a file without the lines that have these numbers. If the write fails, the file is unchanged.
 * @throws the system's error
 */
export async function deleteLines(path: string, lines: ReadonlySet<number>, waiting: Waiting): Promise<void> {
  async function* kept(): AsyncGenerator<string, void> {
    let line = 0;
    for await (const text of readLines(path)) {
      line += 1;
      if (!lines.has(line)) yield `${text}\n`;
    }
  }
  await writeTarget(await resolveFileTarget(path), kept(), waiting);
}

/** Splits only at line feeds, because JSON strings may contain other line separators. */
async function* readLines(path: string, encoding?: Encoding): AsyncGenerator<string, void> {
  const file = createReadStream(path);
  const input = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  if (input !== file) file.on("error", (error) => input.destroy(error));
  if (encoding === undefined) input.setEncoding("utf8");
  let remainder = "";
  for await (const chunk of encoding === undefined ? input : decodeText(input, encoding)) {
    const lines = `${remainder}${chunk}`.split("\n");
    remainder = lines.pop() ?? "";
    yield* lines;
  }
  if (remainder !== "") yield remainder;
}
