import { formatClock } from "../../../base/duration.js";
import { type Fields, getText, isFields } from "../../../base/fields.js";
import { escapeControl } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
import { displayWidth, missing, padToCells } from "../../terminal/cells.js";
import { joined, type Painted, styled, toLines } from "../../terminal/paint.js";
import type { CallStyle } from "../calls/call/text.js";

const dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Returns undefined for an unknown format. */
export function formatWeek(week: Fields): string | undefined {
  const [year, number] = [toNumber(week["year"]), toNumber(week["week"])];
  return year === undefined || number === undefined
    ? undefined
    : `${year}-W${String(number).padStart(2, "0")}`;
}

/** A figure that is missing from the response is undefined, not 0. */
interface Line {
  label: string;
  calls: number | undefined;
  seconds: number | undefined;
}

const breakdowns = ["weekly", "monthly", "last_24h"] as const;
const hourly = "hourly_call_counts_last_24h";
const totals = ["total_calls", "total_duration_seconds"];
const figures = ["calls", "duration_seconds"];
/** For each breakdown, `list` is the field that contains its rows, and `labels` are the fields of a label. */
const lists: Readonly<Record<string, { list: string; labels: readonly string[] }>> = {
  weekly: { list: "days", labels: ["date"] },
  monthly: { list: "weeks", labels: ["week", "year"] },
};
const plain = new Set<string>(["week", "year", "assistant_id"]);

/**
 * The documents specify only the format of the hourly counts.
 * @returns `drawn`: figures for a chart, if any are known; `remaining`: data to print unchanged, if the chart
 * doesn't show everything
 */
export function splitUsage(usage: Fields): { drawn: Fields | undefined; remaining: Fields | undefined } {
  const hasFigures = breakdowns.some((name) =>
    listFigures(name, usage[name]).some((figure) => figure !== undefined),
  );
  if (!hasFigures) return { drawn: undefined, remaining: usage };
  const remaining = Object.entries(usage).filter(([name, value]) => !isShown(name, value));
  return { drawn: usage, remaining: remaining.length === 0 ? undefined : Object.fromEntries(remaining) };
}

/** Returns false if a part must also be printed unchanged, because unknown fields may contain missing figures. */
function isShown(name: string, value: unknown): boolean {
  if (name === hourly) return isHours(value);
  if (!breakdowns.some((breakdown) => breakdown === name)) return plain.has(name);
  return listFigures(name, value).every((figure) => figure !== undefined) || !hasUnknownFields(name, value);
}

function listFigures(name: string, part: unknown): unknown[] {
  if (!isFields(part)) return [undefined];
  const rows = listRows(name, part);
  return [
    ...totals.map((field) => part[field]),
    ...rows.flatMap((row) => figures.map((field) => (isFields(row) ? row[field] : undefined))),
  ];
}

function hasUnknownFields(name: string, part: unknown): boolean {
  if (!isFields(part)) return part !== undefined;
  const { list = "", labels = [] } = lists[name] ?? {};
  const hasUnknown = (row: unknown, known: readonly string[]) =>
    !isFields(row) || Object.keys(row).some((field) => !known.includes(field));
  return (
    hasUnknown(part, [...totals, list, "month", "week", "year"]) ||
    listRows(name, part).some((row) => hasUnknown(row, [...labels, ...figures]))
  );
}

function listRows(name: string, part: Fields): unknown[] {
  const rows = part[lists[name]?.list ?? ""];
  return Array.isArray(rows) ? rows : [];
}

function isHours(value: unknown): boolean {
  return Array.isArray(value) && value.every((count) => typeof count === "number");
}

export function formatUsage(
  usage: Fields,
  { whose, requestedWeek }: { whose: string; requestedWeek: Fields },
  style: CallStyle,
  chart: boolean,
): Painted {
  const [weekly, monthly, lastDay] = breakdowns.map((name) => findFields(usage, name));
  const draw = chart ? formatBars : formatTable;
  const week = formatWeek(usage) ?? formatWeek(requestedWeek) ?? missing;
  const month = getText(monthly ?? {}, "month");
  const parts = [
    draw(`Week ${week}, ${whose}`, weekly, toUsageLines(weekly, "days", formatDay), style),
    draw(
      month === "" ? "Month" : `Month ${month}`,
      monthly,
      toUsageLines(monthly, "weeks", formatWeek),
      style,
    ),
    formatHours(usage, lastDay, style),
  ];
  return joined(parts, "\n");
}

function toUsageLines(
  part: Fields | undefined,
  name: string,
  label: (row: Fields) => string | undefined,
): Line[] {
  const rows = part?.[name];
  return (Array.isArray(rows) ? rows : []).filter(isFields).map((row) => ({
    label: escapeControl(label(row) ?? missing),
    calls: toNumber(row["calls"]),
    seconds: toNumber(row["duration_seconds"]),
  }));
}

/** `Mon 2026-11-16` */
function formatDay(day: Fields): string | undefined {
  const date = getText(day, "date");
  if (date === "") return undefined;
  const time = parseTime(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? date : `${dayNames[new Date(time).getUTCDay()]} ${date}`;
}

function formatTable(
  title: string,
  part: Fields | undefined,
  lines: readonly Line[],
  style: CallStyle,
): Painted {
  const { paint } = style;
  const total = toTotal(part);
  if (style.plain) return toLines([title, ...[...lines, total].map(formatPlainLine)]);
  const all = [...lines, total];
  const width = Math.max(14, ...all.map(({ label }) => displayWidth(label)));
  const callsWidth = Math.max(5, ...all.map(({ calls }) => formatCount(calls).length));
  const row = ({ label, calls, seconds }: Line) =>
    `${padToCells(label, width)}  ${formatCount(calls).padStart(callsWidth)}  ${formatLength(seconds).padStart(9)}`;
  const head = `${"".padEnd(width)}  ${"CALLS".padStart(callsWidth)}  ${"BILLABLE".padStart(9)}`;
  return toLines([paint.bold(title), paint.dim(head), ...lines.map(row), paint.bold(row(total))]);
}

function formatBars(
  title: string,
  part: Fields | undefined,
  lines: readonly Line[],
  style: CallStyle,
): Painted {
  const { paint, columns } = style;
  const total = toTotal(part);
  const largest = Math.max(1, ...lines.map(({ calls }) => calls ?? 0));
  const width = Math.max(0, ...lines.map(({ label }) => displayWidth(label)));
  const numbers = (line: Line) => `${formatCount(line.calls)} (${formatLength(line.seconds)})`;
  const numbersWidth = Math.max(0, ...lines.map((line) => numbers(line).length));
  const cells = Math.max(10, Math.min(60, (columns ?? 80) - width - numbersWidth - 4));
  const rows = lines.map((line) => {
    const bar = formatBar((line.calls ?? 0) / largest, cells);
    return styled`${padToCells(line.label, width)}  ${paint.cyan(bar)}${bar === "" ? "" : " "}${numbers(line)}`;
  });
  return toLines([styled`${paint.bold(title)}  ${numbers(total)}`, ...rows]);
}

function formatBar(share: number, cells: number): string {
  const parts = share === 0 ? 0 : Math.max(1, Math.round(share * cells * 8));
  return "█".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "");
}

function formatHours(usage: Fields, lastDay: Fields | undefined, { paint, plain }: CallStyle): Painted {
  const list = usage[hourly];
  const counts = (Array.isArray(list) ? list : []).map(toNumber);
  const { calls, seconds } = toTotal(lastDay);
  if (plain) {
    const texts = counts.flatMap((hourCount, index) =>
      hourCount === 0 ? [] : [`${formatHour(counts.length - index)}: ${formatCalls(hourCount)}`],
    );
    return toLines([formatPlainLine({ label: "Last 24 hours", calls, seconds }), ...texts]);
  }
  const title = styled`${paint.bold("Last 24 hours")}  ${formatCount(calls)} (${formatLength(seconds)})`;
  if (counts.length === 0) return toLines([title]);
  const largest = Math.max(1, ...counts.map((hourCount) => hourCount ?? 0));
  const columns = counts.map((hourCount) => {
    if (hourCount === undefined) return missing;
    return hourCount === 0 ? "·" : (levels[Math.ceil((hourCount / largest) * levels.length) - 1] ?? "");
  });
  const line = columns.map((column) => column.repeat(2)).join("");
  const scale = `-${counts.length} h${"now".padStart(Math.max(4, line.length - `-${counts.length} h`.length))}`;
  return toLines([title, styled`${paint.cyan(line)}  at most ${largest} per hour`, paint.dim(scale)]);
}

function formatPlainLine({ label, calls, seconds }: Line): string {
  return `${label}: ${formatCalls(calls)}, ${formatLength(seconds)} billable`;
}

function formatCalls(calls: number | undefined): string {
  return `${formatCount(calls)} ${calls === 1 ? "call" : "calls"}`;
}

function formatHour(hours: number): string {
  return hours === 1 ? "the last hour" : `${hours} h ago`;
}

function toTotal(part: Fields | undefined): Line {
  return {
    label: "Total",
    calls: toNumber(part?.["total_calls"]),
    seconds: toNumber(part?.["total_duration_seconds"]),
  };
}

function findFields(row: Fields, name: string): Fields | undefined {
  const value = row[name];
  return isFields(value) ? value : undefined;
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function formatCount(number: number | undefined): string {
  return number?.toLocaleString("en-US") ?? missing;
}

function formatLength(seconds: number | undefined): string {
  return seconds === undefined ? missing : formatClock(seconds);
}
