import type { Io } from "../../base/io.js";
import { escapeLines } from "../../base/text.js";
import type { Paint } from "./paint.js";
import { createPaint, wantsColor } from "./paint.js";

/** stderr: notes, warnings, progress. Control characters in the text are escaped; a line each. */
export interface Notes {
  note(text: string): void;
  warn(text: string): void;
  /** One that must not be overlooked. */
  banner(text: string): void;
  /** Only with --debug. */
  debug(text: string): void;
  /** As it is, without a line's end: for progress bars. */
  raw(text: string): void;
  /** stderr is a terminal that can redraw. */
  readonly live: boolean;
  /** stderr is a terminal, whose width bounds what is drawn. */
  readonly terminal: boolean;
  readonly columns: number;
  readonly paint: Paint;
}

const asItIs = (text: string) => text;

/**
 * Everything that goes to stderr, which is opened when there is something to say. A closed one is no failure.
 * @param mask takes secrets out of whatever is written
 */
export function createNotes(
  io: Io,
  flags: { color: boolean; debug: boolean; plain: boolean },
  mask: (text: string) => string = asItIs,
): Notes {
  let opened: { stream: Io["stderr"]; paint: Paint } | undefined;
  const open = () => {
    if (!opened) {
      const stream = io.stderr;
      stream.on("error", () => {});
      opened = { stream, paint: createPaint(wantsColor(io, stream, flags.color)) };
    }
    return opened;
  };
  const line = (text: (paint: Paint) => string) => {
    const { stream, paint } = open();
    stream.write(`${mask(text(paint))}\n`);
  };
  return {
    note: (text) => line(() => escapeLines(text)),
    warn: (text) => line((paint) => `${paint.yellow("warning:")} ${escapeLines(text)}`),
    banner: (text) => line((paint) => paint.bold(paint.red(escapeLines(text)))),
    debug: (text) => {
      if (flags.debug) line((paint) => paint.dim(escapeLines(text)));
    },
    raw: (text) => {
      open().stream.write(mask(text));
    },
    get live() {
      return !flags.plain && open().stream.isTTY === true && io.env.TERM !== "dumb";
    },
    get terminal() {
      return open().stream.isTTY === true;
    },
    get columns() {
      return open().stream.columns ?? 80;
    },
    get paint() {
      return open().paint;
    },
  };
}
