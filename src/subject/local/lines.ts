/** A caller's lines in text files. */
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { fileTarget, type Waiting, writeTarget } from "../../base/file-target.js";
import { type Certainty, type Matcher, surest } from "../matcher.js";

export interface FoundLine {
  line: number;
  certainty: Certainty;
}

/** The lines in which the caller occurs; `.gz` is unpacked. @throws the system's error */
export async function* linesWith(path: string, matcher: Matcher): AsyncGenerator<FoundLine, void> {
  let line = 0;
  for await (const text of linesOf(path)) {
    line += 1;
    const matches = matcher.find(text);
    if (matches.length === 0) continue;
    yield { line, certainty: surest(matches.map(({ certainty }) => certainty)) };
  }
}

/** Writes a file anew without these lines. @throws the system's error; the file is as it was then */
export async function deleteLines(path: string, lines: ReadonlySet<number>, waiting: Waiting): Promise<void> {
  async function* kept(): AsyncGenerator<string, void> {
    let line = 0;
    for await (const text of linesOf(path)) {
      line += 1;
      if (!lines.has(line)) yield `${text}\n`;
    }
  }
  await writeTarget(await fileTarget(path), kept(), waiting);
}

/** By line feeds alone: other characters that end a line somewhere may stand within a text of JSON. */
async function* linesOf(path: string): AsyncGenerator<string, void> {
  const file = createReadStream(path);
  const input = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  if (input !== file) file.on("error", (error) => input.destroy(error));
  input.setEncoding("utf8");
  let rest = "";
  for await (const chunk of input) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
