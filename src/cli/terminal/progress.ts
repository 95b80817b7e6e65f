import type { Clock } from "../../base/clock.js";
import { capitalize, escapeControl, formatCount, formatThousands, trimPeriod } from "../../base/text.js";
import { buckets } from "../../contract/limits.js";
import { displayWidth } from "./cells.js";
import type { Notes } from "./notes.js";
import { cursor, joined, type Painted, styled, type Text } from "./paint.js";

const redrawMilliseconds = 100;
/** Interval between progress lines if the output can't be redrawn, such as in a log. */
const lineMilliseconds = 30_000;
const barCells = 20;
const fewestBarCells = 5;

export interface BulkProgress {
  /** For work whose total is unknown. */
  activity(text: string): void;
  bar(progress: { done: number; total: number; intervalMilliseconds: number }): void;
  note(text: string): void;
  warn(text: string): void;
  end(options?: { keep: boolean }): void;
}

/**
 * A terminal shows a bar that is redrawn; other output gets notes and a line every 30 s.
 * @param machine clock for the redraw interval
 * @param clock clock for the run's waits and the remaining time
 */
export function createBulkProgress(notes: Notes, machine: Clock, clock: Clock): BulkProgress {
  let lineAt: number | undefined;
  let shown: Text = "";
  let drawnAt = Number.NEGATIVE_INFINITY;
  let begun: { done: number; at: number } | undefined;
  let pending: Text | undefined;
  let isBar = false;

  const draw = (line: Text, force = false) => {
    if (!notes.live) return;
    pending = line;
    const now = machine.now();
    if (!force && now - drawnAt < redrawMilliseconds) return;
    drawnAt = now;
    pending = undefined;
    notes.write(joined([erasing(), line]));
    shown = line;
  };
  const clear = () => {
    if (shown === "") return;
    notes.write(erasing());
    shown = "";
  };
  /** The line fills several rows if the terminal became narrower. */
  const erasing = (): Painted => {
    return cursor.eraseRows(Math.ceil(displayWidth(String(shown)) / notes.columns));
  };

  const barLine = ({ done, total, intervalMilliseconds }: Parameters<BulkProgress["bar"]>[0]): Text => {
    const { paint } = notes;
    begun ??= { done, at: clock.now() };
    const share = total === 0 ? 1 : done / total;
    const parts = [`${formatThousands(done)}/${formatThousands(total)}`, `${Math.floor(share * 100)}%`];
    const each = measured(done);
    const perMinute = (milliseconds: number) => formatThousands(Math.round(60_000 / milliseconds));
    // On a clock that skips waits, a rate would not match the time that the user waits.
    if (clock.skipsWaits !== true && intervalMilliseconds > 0) {
      parts.push(
        `${perMinute(Math.max(each, intervalMilliseconds))}/min (limit ${perMinute(intervalMilliseconds)})`,
      );
    } else if (clock.skipsWaits !== true && each > 0) {
      parts.push(`${perMinute(each)}/min`);
    }
    const left = timeLeft(done, total, intervalMilliseconds);
    if (left !== undefined) parts.push(`${formatClockDuration(left, clock)} left`);
    // Drop parts that don't fit, least important first.
    const width = notes.columns - 1;
    while (parts.length > 2 && barCells + 2 + parts.join(" · ").length > width) parts.splice(2, 1);
    const text = parts.join(" · ").slice(0, Math.max(0, width));
    const cells = Math.min(barCells, width - 2 - text.length);
    if (cells < fewestBarCells) return text;
    const full = Math.round(share * cells);
    return styled`${paint.cyan("█".repeat(full))}${paint.dim("░".repeat(cells - full))}  ${text}`;
  };

  const lineOf = ({ done, total, intervalMilliseconds }: Parameters<BulkProgress["bar"]>[0]): string => {
    begun ??= { done, at: clock.now() };
    const left = timeLeft(done, total, intervalMilliseconds);
    const share = total === 0 ? 100 : Math.floor((done / total) * 100);
    return `${formatThousands(done)} of ${formatThousands(total)} (${share}%)${left === undefined ? "" : `, ${formatClockDuration(left, clock)} left`}`;
  };

  const measured = (done: number): number =>
    begun === undefined || done - begun.done < 5 ? 0 : (clock.now() - begun.at) / (done - begun.done);

  const timeLeft = (done: number, total: number, intervalMilliseconds: number): number | undefined => {
    const each = Math.max(measured(done), intervalMilliseconds);
    return done >= total || each === 0 ? undefined : each * (total - done);
  };

  const above = (write: () => void) => {
    const line = shown;
    clear();
    write();
    if (line !== "") draw(line, true);
  };

  return {
    activity: (text) => {
      isBar = false;
      draw(notes.paint.dim(escapeControl(text).slice(0, Math.max(0, notes.columns - 1))));
    },
    bar: (progress) => {
      isBar = true;
      if (!notes.live) {
        const now = machine.now();
        lineAt ??= now;
        if (now - lineAt >= lineMilliseconds) {
          lineAt = now;
          notes.note(lineOf(progress));
        }
      }
      if (!notes.live) return;
      draw(barLine(progress), progress.done >= progress.total);
    },
    note: (text) => above(() => notes.note(text)),
    warn: (text) => above(() => notes.warn(text)),
    end: ({ keep } = { keep: false }) => {
      // A bar can stay visible, but an activity line is always removed.
      if (!keep || !isBar) clear();
      else if (pending !== undefined) draw(pending, true);
      if (shown !== "") notes.write("\n");
      shown = "";
      begun = undefined;
    },
  };
}

const leastNamedMilliseconds = 10_000;

/** Mentions the emulator's clock if it skips waits, because the real time is then shorter. */
export function formatClockDuration(milliseconds: number, { skipsWaits }: Pick<Clock, "skipsWaits">): string {
  const isNamed = skipsWaits === true && milliseconds >= leastNamedMilliseconds;
  return `${durationText(milliseconds)}${isNamed ? " on the emulator's clock" : ""}`;
}

/** Joins the cause of an interruption and what voxctl does next. */
export function formatInterruption(cause: string, next: string): string {
  return `${capitalize(trimPeriod(cause))}; ${next}…`;
}

/** Returns how long requests within a rate limit take; undefined if the limit doesn't delay them. */
export function formatWriteDuration(
  count: number,
  bucket: "write" | "distributor",
  { skipsWaits = false }: Pick<Clock, "skipsWaits">,
): string | undefined {
  const { limit, windowSeconds } = buckets[bucket];
  if (count <= limit) return undefined;
  const duration = durationText((count / limit) * windowSeconds * 1000);
  const writes = formatCount(count, bucket === "write" ? "write" : "request");
  return skipsWaits
    ? `${writes} would take ${duration} at ${limit} per minute; the emulator doesn't wait, but advances its clock`
    : `${writes} will take ${duration} at ${limit} per minute`;
}

export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 === 0 ? "" : ` ${seconds % 60} s`}`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
