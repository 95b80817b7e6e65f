import { escapeControl } from "../../../base/text.js";
import { type Fields, isFields, textIn } from "../../output/fields.js";
import { displayWidth, missing, padToCells } from "../../terminal/cells.js";
import { joined, type Painted, styled, toLines } from "../../terminal/paint.js";
import { type CallStyle, clockText } from "../calls/call/text.js";

const dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** `2026-W07`; undefined where it is told in another way. */
export function weekText(week: Fields): string | undefined {
  const [year, number] = [count(week["year"]), count(week["week"])];
  return year === undefined || number === undefined
    ? undefined
    : `${year}-W${String(number).padStart(2, "0")}`;
}

/** T10: what an answer did not contain is undefined, never 0. */
interface Line {
  label: string;
  calls: number | undefined;
  seconds: number | undefined;
}

const breakdowns = ["weekly", "monthly", "last_24h"] as const;
const hourly = "hourly_call_counts_last_24h";
const known = new Set<string>([...breakdowns, hourly, "week", "year", "assistant_id"]);

/** Does the answer hold any of the breakdowns under a known name? Only that of the hours is documented. */
export function isUsage(usage: Fields): boolean {
  return breakdowns.some((name) => fieldsIn(usage, name) !== undefined);
}

/** The other fields of an answer; undefined where the answer has no others. */
export function restOfUsage(usage: Fields): Fields | undefined {
  const rest = Object.entries(usage).filter(([name]) => !known.has(name));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/**
 * Usage as tables, or as bars, that a person reads.
 * @param asked the week that was asked for
 */
export function usageText(
  usage: Fields,
  { whose, asked }: { whose: string; asked: Fields },
  style: CallStyle,
  chart: boolean,
): Painted {
  const [weekly, monthly, lastDay] = breakdowns.map((name) => fieldsIn(usage, name));
  const draw = chart ? bars : table;
  const week = weekText(usage) ?? weekText(asked) ?? missing;
  const month = textIn(monthly ?? {}, "month");
  const parts = [
    draw(`Week ${week}, ${whose}`, weekly, linesOf(weekly, "days", dayLabel), style),
    draw(month === "" ? "Month" : `Month ${month}`, monthly, linesOf(monthly, "weeks", weekText), style),
    hours(usage, lastDay, style),
  ];
  return joined(parts, "\n");
}

function linesOf(part: Fields | undefined, name: string, label: (row: Fields) => string | undefined): Line[] {
  const rows = part?.[name];
  return (Array.isArray(rows) ? rows : []).filter(isFields).map((row) => ({
    label: escapeControl(label(row) ?? missing),
    calls: count(row["calls"]),
    seconds: count(row["duration_seconds"]),
  }));
}

/** `Mon 2026-11-16` */
function dayLabel(day: Fields): string | undefined {
  const date = textIn(day, "date");
  if (date === "") return undefined;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? date : `${dayNames[new Date(time).getUTCDay()]} ${date}`;
}

function table(title: string, part: Fields | undefined, lines: readonly Line[], style: CallStyle): Painted {
  const { paint } = style;
  const total = totalOf(part);
  if (style.plain) return toLines([title, ...[...lines, total].map(spoken)]);
  const all = [...lines, total];
  const width = Math.max(14, ...all.map(({ label }) => displayWidth(label)));
  const callsWidth = Math.max(5, ...all.map(({ calls }) => counted(calls).length));
  const row = ({ label, calls, seconds }: Line) =>
    `${padToCells(label, width)}  ${counted(calls).padStart(callsWidth)}  ${lengthText(seconds).padStart(9)}`;
  const head = `${"".padEnd(width)}  ${"CALLS".padStart(callsWidth)}  ${"BILLABLE".padStart(9)}`;
  return toLines([paint.bold(title), paint.dim(head), ...lines.map(row), paint.bold(row(total))]);
}

function bars(title: string, part: Fields | undefined, lines: readonly Line[], style: CallStyle): Painted {
  const { paint, columns } = style;
  const total = totalOf(part);
  const largest = Math.max(1, ...lines.map(({ calls }) => calls ?? 0));
  const width = Math.max(0, ...lines.map(({ label }) => displayWidth(label)));
  const numbers = (line: Line) => `${counted(line.calls)} (${lengthText(line.seconds)})`;
  const numbersWidth = Math.max(0, ...lines.map((line) => numbers(line).length));
  const cells = Math.max(10, Math.min(60, (columns ?? 80) - width - numbersWidth - 4));
  const rows = lines.map((line) => {
    const bar = barOf((line.calls ?? 0) / largest, cells);
    return styled`${padToCells(line.label, width)}  ${paint.cyan(bar)}${bar === "" ? "" : " "}${numbers(line)}`;
  });
  return toLines([styled`${paint.bold(title)}  ${numbers(total)}`, ...rows]);
}

/** A bar of this share of the cells, to an eighth of one; something is never nothing. */
function barOf(share: number, cells: number): string {
  const parts = share === 0 ? 0 : Math.max(1, Math.round(share * cells * 8));
  return "█".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "");
}

/** The last 24 hours, one column each. */
function hours(usage: Fields, lastDay: Fields | undefined, { paint, plain }: CallStyle): Painted {
  const list = usage[hourly];
  const counts = (Array.isArray(list) ? list : []).map(count);
  const { calls, seconds } = totalOf(lastDay);
  if (plain) {
    const told = counts.flatMap((one, index) =>
      one === 0 ? [] : [`${hourText(counts.length - index)}: ${callsText(one)}`],
    );
    return toLines([spoken({ label: "Last 24 hours", calls, seconds }), ...told]);
  }
  const title = styled`${paint.bold("Last 24 hours")}  ${counted(calls)} (${lengthText(seconds)})`;
  if (counts.length === 0) return toLines([title]);
  const largest = Math.max(1, ...counts.map((one) => one ?? 0));
  const columns = counts.map((one) => {
    if (one === undefined) return missing;
    return one === 0 ? "·" : (levels[Math.ceil((one / largest) * levels.length) - 1] ?? "");
  });
  const line = columns.map((column) => column.repeat(2)).join("");
  const scale = `-${counts.length} h${"now".padStart(Math.max(4, line.length - `-${counts.length} h`.length))}`;
  return toLines([title, styled`${paint.cyan(line)}  at most ${largest} an hour`, paint.dim(scale)]);
}

/** `Total: 52 calls, 59:36 billable` */
function spoken({ label, calls, seconds }: Line): string {
  return `${label}: ${callsText(calls)}, ${lengthText(seconds)} billable`;
}

function callsText(calls: number | undefined): string {
  return `${counted(calls)} ${calls === 1 ? "call" : "calls"}`;
}

/** How long ago an hour began, counted from 1. */
function hourText(hours: number): string {
  return hours === 1 ? "the last hour" : `${hours} h ago`;
}

function totalOf(part: Fields | undefined): Line {
  return {
    label: "Total",
    calls: count(part?.["total_calls"]),
    seconds: count(part?.["total_duration_seconds"]),
  };
}

function fieldsIn(row: Fields, name: string): Fields | undefined {
  const value = row[name];
  return isFields(value) ? value : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function counted(number: number | undefined): string {
  return number?.toLocaleString("en-US") ?? missing;
}

function lengthText(seconds: number | undefined): string {
  return seconds === undefined ? missing : clockText(seconds);
}
