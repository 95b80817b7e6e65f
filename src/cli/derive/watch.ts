import type { Fields } from "../../base/fields.js";
import { isFields } from "../../base/fields.js";
import { streamOf } from "../../base/io.js";
import { formatCount } from "../../base/text.js";
import { ClientError } from "../../client/errors.js";
import { throwIfEnded, usageError } from "../errors/errors.js";
import { toClientExit } from "../errors/exit-codes.js";
import type { View } from "../output/output.js";
import type { Flag } from "../session/input.js";
import type { Session } from "../session/session.js";
import { cutToCells } from "../terminal/cells.js";
import { columnsOf } from "../terminal/columns.js";
import {
  createPaint,
  cursor,
  cutPainted,
  joined,
  type Painted,
  splitLines,
  styled,
  toLines,
  wantsColor,
} from "../terminal/paint.js";

export const watchFlag: Flag = {
  name: "watch",
  description: "Refresh the table every few seconds until you press Ctrl-C",
};

/** Refresh intervals: while a row is in progress, and after all rows are final. */
const busyMilliseconds = 3_000;
const quietMilliseconds = 10_000;
/** Lines above and below the rows: the title, the table header and the number of hidden rows. */
const nonRowLines = 4;

/** @throws usage error (2) if the terminal can't redraw */
export function assertWatchable({ io, flags, output }: Session): void {
  const hint = "run the command in a loop, with -o json";
  if (io.stdout.isTTY !== true || io.env.TERM === "dumb")
    throw usageError("--watch requires stdout to be a terminal that can redraw", { hint });
  if (flags.plain) throw usageError("--watch and --plain can't be combined", { hint });
  // Ignore a profile's preferred format: only an explicit -o conflicts with --watch.
  if (output.format !== "table" && !flags.isOutputPreferred)
    throw usageError(`conflicting flags: --watch and -o ${output.format}`, { hint });
}

interface Watched {
  plural: string;
  noun: string;
  isFinal: (row: Fields) => boolean;
  view: View;
  read: (limit: number) => Promise<{ rows: readonly unknown[]; more: boolean }>;
}

/**
 * Waits in real time even with an emulator, because the emulator's clock would advance too fast.
 * @throws the signal's reason, ClientError
 */
export async function watchRows(session: Session, watched: Watched): Promise<void> {
  const { io, signal, clock, output } = session;
  const { Table } = await import("../output/table.js");
  const paint = createPaint(wantsColor(io, io.stdout, session.flags.color));
  const columns = () => columnsOf(io, io.stdout);
  const height = () => io.stdout.rows || 24;
  let seen: { rows: readonly unknown[]; more: boolean } = { rows: [], more: false };
  let problem: string | undefined;
  let pause = busyMilliseconds;

  const frame = (): Painted[] => {
    const { rows, more } = seen;
    const state =
      problem ?? `${more ? "newest " : ""}${formatCount(rows.length, watched.noun, watched.plural)}`;
    const title = cutToCells(`${state} · every ${pause / 1_000} s · Ctrl-C to quit`, columns());
    const style = {
      available: () => (session.flags.wide ? undefined : columns()),
      paint,
      now: session.serviceNow,
    };
    const table = rows.length === 0 ? styled`` : new Table(watched.view.columns, style).lines(rows);
    const lines = [
      problem === undefined ? paint.dim(title) : paint.yellow(title),
      styled``,
      ...splitLines(table),
    ];
    return lines.slice(0, Math.max(2, height() - 1));
  };
  /** A wrapped line would leave parts of the previous table visible. */
  const cut = (line: Painted): Painted =>
    session.flags.wide ? line : cutPainted(line, (text) => cutToCells(text, columns()));
  const draw = () =>
    // Clear the rest of each line. Clearing the whole screen would make it flicker.
    output.text(
      styled`${cursor.home}${joined(
        frame().flatMap((line, index) => [
          ...(index === 0 ? [] : [cursor.nextLine]),
          cut(line),
          cursor.eraseLineEnd,
        ]),
      )}${cursor.eraseBelow}`,
    );
  const redraw = () => void draw().catch(() => {});

  await output.text(cursor.enterScreen);
  const terminal = streamOf(io.stdout);
  terminal.on("resize", redraw);
  try {
    for (;;) {
      try {
        seen = await watched.read(Math.max(1, height() - nonRowLines));
        problem = undefined;
        const quiet = seen.rows.every((row) => !isFields(row) || watched.isFinal(row));
        pause = quiet ? quietMilliseconds : busyMilliseconds;
      } catch (error) {
        if (signal.aborted || !isTemporary(error)) throw error;
        problem = error.message;
        pause = quietMilliseconds;
      }
      await draw();
      await clock.sleep(pause, signal);
    }
  } catch (error) {
    throwIfEnded(signal);
    throw error;
  } finally {
    terminal.off("resize", redraw);
    const rows = frame().slice(2);
    const last = rows.findLastIndex((line) => String(line) !== "");
    await output.text(joined([cursor.leaveScreen, toLines(rows.slice(0, last + 1))]));
  }
}

function isTemporary(error: unknown): error is ClientError {
  return error instanceof ClientError && [7, 9].includes(toClientExit(error));
}
