import type { Io } from "../base/io.js";
import { createPaint, wantsColor } from "./paint.js";
import type { Notes } from "./session.js";
import { escapeLines } from "./text.js";

/** Everything that goes to stderr. A closed one is no failure. */
export function createNotes(io: Io, flags: { color: boolean; debug: boolean }): Notes {
  const { stderr } = io;
  const paint = createPaint(wantsColor(io, stderr, flags.color));
  stderr.on("error", () => {});
  const line = (text: string) => {
    stderr.write(`${text}\n`);
  };
  return {
    note: (text) => line(escapeLines(text)),
    warn: (text) => line(`${paint.yellow("warning:")} ${escapeLines(text)}`),
    banner: (text) => line(paint.bold(paint.red(escapeLines(text)))),
    debug: (text) => {
      if (flags.debug) line(paint.dim(escapeLines(text)));
    },
    raw: (text) => {
      stderr.write(text);
    },
    live: stderr.isTTY === true && io.env.TERM !== "dumb",
    get columns() {
      return stderr.columns ?? 80;
    },
    paint,
  };
}
