import type { Session } from "./session.js";
import { escapeControl } from "./text.js";

/** What a command waits for, while it waits: on a terminal that can redraw, nothing elsewhere. */
export interface Spinner {
  say(text: string): void;
  /** Takes it away. */
  end(): void;
}

const silent: Spinner = { say: () => {}, end: () => {} };

/** A spinner on stderr; its library is loaded where there is one to be seen. */
export async function createSpinner({ io, notes, flags }: Session): Promise<Spinner> {
  if (!notes.live || !isTerminal(io.stderr)) return silent;
  const { default: ora } = await import("ora");
  const spinner = ora({
    stream: io.stderr,
    isEnabled: true,
    // Ctrl-C stays a signal.
    discardStdin: false,
    ...(flags.color && !io.env.NO_COLOR ? {} : { color: false }),
  });
  return {
    say(text) {
      spinner.text = escapeControl(text).slice(0, Math.max(0, notes.columns - 3));
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
