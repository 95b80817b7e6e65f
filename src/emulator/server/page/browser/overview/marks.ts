import { formatCount, formatMoment, toMilliseconds } from "../format.js";
import type { Tone } from "../parts/basics.js";

export interface TimelineEvent {
  at: string;
  title: string;
  /** Link to the resource; undefined for a scheduled event, because a click on its mark moves the clock. */
  href: string | undefined;
  tone: Tone;
}

export interface Mark {
  /** Position, as a percentage of the axis. */
  left: number;
  label: string;
  tone: Tone;
  events: readonly TimelineEvent[];
}

const day = 86_400;
const pastSeconds = 28 * day;
const futureSeconds = 7 * day;
/** Position of the current time, as a percentage of the axis. */
const nowPosition = 66;

export const ticks = [
  { label: "−4 weeks", seconds: -pastSeconds, isMajor: true },
  { label: "−1 day", seconds: -day, isMajor: false },
  { label: "−1 h", seconds: -3_600, isMajor: true },
  { label: "−5 min", seconds: -300, isMajor: false },
  { label: "−30 s", seconds: -30, isMajor: false },
  { label: "now", seconds: 0, isMajor: true },
  { label: "1 min", seconds: 60, isMajor: false },
  { label: "1 h", seconds: 3_600, isMajor: true },
  { label: "1 day", seconds: day, isMajor: false },
] as const;

/**
 * Returns a position as a percentage of the axis.
 * @param seconds relative to the emulator's time, negative for the past
 */
export function findPosition(seconds: number): number {
  const share = (value: number, end: number) => Math.min(1, Math.log1p(value / 10) / Math.log1p(end / 10));
  return seconds <= 0
    ? nowPosition * (1 - share(-seconds, pastSeconds))
    : nowPosition + (97 - nowPosition) * share(seconds, futureSeconds);
}

const severity: readonly Tone[] = ["neutral", "good", "accent", "warning", "bad"];

/**
 * Creates one mark for all events whose marks would overlap.
 * @param columnWidth width of a mark, as a percentage of the axis
 */
export function buildMarks(events: readonly TimelineEvent[], now: number, columnWidth: number): Mark[] {
  const columns = new Map<number, TimelineEvent[]>();
  for (const event of events) {
    const position = findPosition((toMilliseconds(event.at) - now) / 1_000);
    const column = Math.max(0, Math.ceil(position / columnWidth) - 1);
    columns.set(column, [...(columns.get(column) ?? []), event]);
  }
  return [...columns]
    .sort(([left], [right]) => left - right)
    .map(([column, grouped]) => ({
      left: (column + 0.5) * columnWidth,
      label: formatLabel(grouped),
      tone: grouped
        .map(({ tone }) => tone)
        .reduce((a, b) => (severity.indexOf(b) > severity.indexOf(a) ? b : a)),
      events: grouped,
    }));
}

function formatLabel(events: readonly TimelineEvent[]): string {
  const times = events.map(({ at }) => at).sort();
  const [first = "", last = ""] = [times[0], times.at(-1)].map((time) => formatMoment(time ?? ""));
  const count = formatCount(events.length, "event");
  if (events.length === 1) return `${count}: ${events[0]?.title}, ${first}`;
  return `${count}, ${first}${first === last ? "" : ` to ${last}`}`;
}
