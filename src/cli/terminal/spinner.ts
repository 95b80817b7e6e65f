import { type Io, streamOf } from "../../base/io.js";
import { escapeControl } from "../../base/text.js";
import type { Notes } from "./notes.js";
import { cursor, joined, wantsColor } from "./paint.js";

export interface Spinner {
  show(text: string): void;
  end(): void;
}

const silent: Spinner = { show: () => {}, end: () => {} };

interface SpinnerContext {
  io: Io;
  notes: Notes;
  flags: { readonly color: boolean };
}

/** The library is loaded only if the spinner is visible. */
export async function createSpinner({ io, notes, flags }: SpinnerContext): Promise<Spinner> {
  if (!notes.live) return silent;
  const fitting = (text: string) => escapeControl(text).slice(0, Math.max(0, notes.columns - 3));
  // The library needs a stream that can move the cursor. Other streams get only the text.
  const stream = streamOf(io.stderr);
  if (!isTerminal(stream))
    return {
      show: (text) => notes.write(joined([cursor.eraseLine, notes.paint.dim(fitting(text))])),
      end: () => notes.write(cursor.eraseLine),
    };
  const { default: ora } = await import("ora");
  const spinner = ora({
    stream,
    isEnabled: true,
    // With `discardStdin`, Ctrl-C would send no signal.
    discardStdin: false,
    ...(wantsColor(io, stream, flags.color) ? {} : { color: false }),
  });
  return {
    show(text) {
      spinner.text = fitting(text);
      if (!spinner.isSpinning) spinner.start();
    },
    end: () => {
      spinner.stop();
    },
  };
}

function isTerminal(stream: NodeJS.WritableStream): stream is NodeJS.WriteStream {
  return "cursorTo" in stream && "clearLine" in stream && "moveCursor" in stream;
}
