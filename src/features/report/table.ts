import type { CallReport, ReportLine } from "./calls.js";
import type { Figures } from "./figures.js";

export interface ReportTable {
  title: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

const figureHeader = ["Calls", "Answered", "Share", "Median", "95%", "Duration", "Billable min"] as const;
const groupNames = { assistant: "Assistant", day: "Day", hour: "Hour", outcome: "Outcome" } as const;

export function buildComparison({ month, total, previous }: CallReport): ReportTable {
  return {
    title: `Calls in ${month}`,
    header: ["Month", ...figureHeader],
    rows: [
      [month, ...formatFigures(total)],
      [previous.month, ...formatFigures(previous)],
      ["change", ...formatChanges(total, previous)],
    ],
  };
}

export function buildGroupTable({ by, lines }: CallReport): ReportTable {
  return {
    title: `By ${by}`,
    header: [groupNames[by], ...figureHeader],
    rows: lines.map((line) => [line.name, ...formatFigures(line)]),
  };
}

export function buildMissedTable({ missed }: CallReport): ReportTable {
  return {
    title: "Missed calls",
    header: ["When", "Calls"],
    rows: [
      ["within opening hours", String(missed.while_open)],
      ["outside opening hours", String(missed.while_closed)],
      ["assistants without opening hours", String(missed.without_hours)],
    ],
  };
}

function formatFigures(figures: Figures | ReportLine): string[] {
  const { calls, answered, answered_share, median_seconds, p95_seconds } = figures;
  return [
    String(calls),
    String(answered),
    answered_share === null ? "–" : `${(answered_share * 100).toFixed(1)}%`,
    formatLength(median_seconds),
    formatLength(p95_seconds),
    formatLength(figures.duration_seconds),
    formatMinutes(figures.billable_seconds),
  ];
}

function formatChanges(now: Figures, before: Figures): string[] {
  const relative = (current: number | null, previous: number | null) =>
    current === null || !previous
      ? "–"
      : formatSigned(Math.round(((current - previous) / previous) * 100), " %");
  const share =
    now.answered_share === null || before.answered_share === null
      ? "–"
      : formatSigned(Math.round((now.answered_share - before.answered_share) * 1000) / 10, " points");
  return [
    relative(now.calls, before.calls),
    relative(now.answered, before.answered),
    share,
    relative(now.median_seconds, before.median_seconds),
    relative(now.p95_seconds, before.p95_seconds),
    relative(now.duration_seconds, before.duration_seconds),
    relative(now.billable_seconds, before.billable_seconds),
  ];
}

function formatSigned(value: number, unit: string): string {
  return `${value > 0 ? "+" : ""}${value}${unit}`;
}

function formatLength(seconds: number | null): string {
  if (seconds === null) return "–";
  const whole = Math.round(seconds);
  const [hours, minutes, remainingSeconds] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(remainingSeconds)}`
    : `${minutes}:${two(remainingSeconds)}`;
}

export function formatMinutes(seconds: number | null): string {
  return seconds === null ? "–" : (Math.round(seconds / 6) / 10).toFixed(1);
}
