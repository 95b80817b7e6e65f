import type { Io } from "../../base/io.js";
import { escapeLines } from "../../base/text.js";
import { columnsOf } from "./columns.js";
import { createPaint, type Paint, styled, type Text, toParagraph, toShown, wantsColor } from "./paint.js";
import { createCommandGuard, isRead, type WorkflowCommand } from "./workflow-commands.js";
import { wrapAtWords } from "./wrap.js";

/**
 * Escapes control characters in strings, and indents lines after the first. All text on stderr is written
 * through this interface.
 */
export interface Notes {
  note(text: Text): void;
  warn(text: Text): void;
  banner(text: Text): void;
  debug(text: Text): void;
  /** Writes text without a line break, for progress bars. */
  write(text: Text): void;
  json(value: unknown): void;
  /** Writes a line that a CI runner executes. */
  annotate(command: WorkflowCommand): void;
  /** Whether the terminal can redraw lines. */
  readonly live: boolean;
  readonly terminal: boolean;
  readonly columns: number;
  readonly paint: Paint;
}

const unchanged = (text: string) => text;

/**
 * A closed stderr is not an error.
 * @param mask removes secrets from the text
 */
export function createNotes(
  io: Io,
  flags: { color: boolean; debug: boolean; plain: boolean; quiet?: boolean },
  mask: (text: string) => string = unchanged,
): Notes {
  let opened: { stream: Io["stderr"]; paint: Paint } | undefined;
  const disarm = isRead(io) ? createCommandGuard() : unchanged;
  const open = () => {
    if (!opened) {
      const stream = io.stderr;
      stream.on("error", () => {});
      opened = { stream, paint: createPaint(wantsColor(io, stream, flags.color)) };
    }
    return opened;
  };
  const send = (text: string) => {
    open().stream.write(disarm(mask(text)));
  };
  const line = (text: Text) => {
    const shown = toShown(toParagraph(text));
    const { stream } = open();
    const isWrapped = stream.isTTY === true && !flags.plain;
    send(`${isWrapped ? wrapAtWords(shown, columnsOf(io, stream)) : shown}\n`);
  };
  return {
    note: (text) => {
      if (flags.quiet !== true) line(text);
    },
    warn: (text) => line(styled`${open().paint.yellow("warning:")} ${text}`),
    banner: (text) => line(open().paint.bold(open().paint.red(text))),
    debug: (text) => {
      if (flags.debug) line(open().paint.dim(text));
    },
    write: (text) => send(toShown(text)),
    json: (value) => send(`${escapeLines(JSON.stringify(value))}\n`),
    annotate: (command) => {
      open().stream.write(`${mask(String(command))}\n`);
    },
    get live() {
      return !flags.plain && flags.quiet !== true && open().stream.isTTY === true && io.env.TERM !== "dumb";
    },
    get terminal() {
      return open().stream.isTTY === true;
    },
    get columns() {
      return columnsOf(io, open().stream);
    },
    get paint() {
      return open().paint;
    },
  };
}
