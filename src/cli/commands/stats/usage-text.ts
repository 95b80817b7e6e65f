import { escapeControl } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
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
const totals = ["total_calls", "total_duration_seconds"];
const figures = ["calls", "duration_seconds"];
/** The list of a breakdown, and the fields that name one of its rows. */
const lists: Readonly<Record<string, { list: string; labels: readonly string[] }>> = {
  weekly: { list: "days", labels: ["date"] },
  monthly: { list: "weeks", labels: ["week", "year"] },
};
const plain = new Set<string>(["week", "year", "assistant_id"]);

/**
 * Parts a usage answer into what is drawn and what is shown as it came, since only the hours are documented (T23).
 * @returns `drawn`: undefined if no breakdown has a known figure; `rest`: undefined if the drawing shows everything
 */
export function splitUsage(usage: Fields): { drawn: Fields | undefined; rest: Fields | undefined } {
  const hasFigures = breakdowns.some((name) =>
    figuresIn(name, usage[name]).some((figure) => figure !== undefined),
  );
  if (!hasFigures) return { drawn: undefined, rest: usage };
  const rest = Object.entries(usage).filter(([name, value]) => !isShown(name, value));
  return { drawn: usage, rest: rest.length === 0 ? undefined : Object.fromEntries(rest) };
}

/** Does the drawing show all of a field? A figure that is missing may stand there under another name. */
function isShown(name: string, value: unknown): boolean {
  if (name === hourly) return isHours(value);
  if (!breakdowns.some((one) => one === name)) return plain.has(name);
  return figuresIn(name, value).every((figure) => figure !== undefined) || !hasOtherNames(name, value);
}

/** The figures of a breakdown and of its rows; one that is missing is undefined. */
function figuresIn(name: string, part: unknown): unknown[] {
  if (!isFields(part)) return [undefined];
  const rows = rowsOf(name, part);
  return [
    ...totals.map((field) => part[field]),
    ...rows.flatMap((row) => figures.map((field) => (isFields(row) ? row[field] : undefined))),
  ];
}

function hasOtherNames(name: string, part: unknown): boolean {
  if (!isFields(part)) return part !== undefined;
  const { list = "", labels = [] } = lists[name] ?? {};
  const hasOthers = (row: unknown, known: readonly string[]) =>
    !isFields(row) || Object.keys(row).some((field) => !known.includes(field));
  return (
    hasOthers(part, [...totals, list, "month", "week", "year"]) ||
    rowsOf(name, part).some((row) => hasOthers(row, [...labels, ...figures]))
  );
}

function rowsOf(name: string, part: Fields): unknown[] {
  const rows = part[lists[name]?.list ?? ""];
  return Array.isArray(rows) ? rows : [];
}

function isHours(value: unknown): boolean {
  return Array.isArray(value) && value.every((count) => typeof count === "number");
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
  const time = parseTime(`${date}T00:00:00Z`);
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
