import { addTo } from "../../base/lists.js";
import { parseTime } from "../../base/time-text.js";
import type { LocalTime, Zone } from "../../base/zone.js";
import { computeFigures, type Figures, type ReportedCall } from "./figures.js";
import type { OpeningHours } from "./opening-hours.js";

type Grouping = "assistant" | "day" | "hour" | "outcome";

export interface ReportLine extends Figures {
  key: string;
  name: string;
}

export interface CallReport {
  month: string;
  timezone: string;
  from: string;
  to: string;
  total: Figures;
  previous: Figures & { month: string };
  by: Grouping;
  lines: ReportLine[];
  hours: { hour: number; calls: number; missed: number }[];
  /** Missed inbound calls only. */
  missed: { while_open: number; while_closed: number; without_hours: number };
}

interface ReportOptions {
  month: string;
  previousMonth: string;
  from: number;
  to: number;
  zone: Zone;
  by: Grouping;
  names: ReadonlyMap<string, string>;
  hours: OpeningHours;
}

export function buildCallReport(
  calls: readonly ReportedCall[],
  previous: readonly ReportedCall[],
  { month, previousMonth, from, to, zone, by, names, hours }: ReportOptions,
): CallReport {
  const localCalls = calls.map((call) => ({ ...call, local: zone.local(call.at) }));
  const missed = localCalls.filter(
    (call) => call.isOver && !call.isAnswered && call.direction !== "outbound",
  );
  const byHour = countByHour(localCalls);
  const missedByHour = countByHour(missed);
  const whileOpen = missed.map((call) => hours.isOpen(call.assistantId, call.at));
  return {
    month,
    timezone: zone.name,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    total: computeFigures(calls),
    previous: { month: previousMonth, ...computeFigures(previous) },
    by,
    lines: buildLines(localCalls, { by, zone, names, from, to }),
    hours: byHour.map((count, hour) => ({ hour, calls: count, missed: missedByHour[hour] ?? 0 })),
    missed: {
      while_open: whileOpen.filter((isOpen) => isOpen === true).length,
      while_closed: whileOpen.filter((isOpen) => isOpen === false).length,
      without_hours: whileOpen.filter((isOpen) => isOpen === undefined).length,
    },
  };
}

/** The local time is computed only once, because the conversion is slow. */
type LocalCall = ReportedCall & { local: LocalTime };

function countByHour(calls: readonly LocalCall[]): number[] {
  const counts = Array.from({ length: 24 }, () => 0);
  for (const { local } of calls) counts[local.hour] = (counts[local.hour] ?? 0) + 1;
  return counts;
}

function buildLines(
  calls: readonly LocalCall[],
  { by, zone, names, from, to }: Pick<ReportOptions, "by" | "zone" | "names" | "from" | "to">,
): ReportLine[] {
  const groups = new Map<string, LocalCall[]>();
  // Include days and hours without calls, so that gaps are visible.
  if (by === "day") for (const day of listDays(zone, from, to)) groups.set(day, []);
  if (by === "hour") for (let hour = 0; hour < 24; hour += 1) groups.set(formatHour(hour), []);
  for (const call of calls) addTo(groups, toGroupKey(call, by), call);
  const lines = [...groups].map(([key, grouped]) => ({
    key,
    name: by === "assistant" ? (names.get(key) ?? key) : key,
    ...computeFigures(grouped),
  }));
  return by === "day" || by === "hour" ? lines : lines.sort((left, right) => right.calls - left.calls);
}

function toGroupKey(call: LocalCall, by: Grouping): string {
  switch (by) {
    case "assistant":
      return call.assistantId;
    case "outcome":
      return call.isOver ? call.status : "in progress";
    case "day":
      return call.local.date;
    case "hour":
      return formatHour(call.local.hour);
  }
}

function formatHour(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

function* listDays(zone: Zone, from: number, to: number): Generator<string, void> {
  const end = zone.local(to - 1).date;
  for (let date = zone.local(from).date; date <= end; date = addDay(date)) yield date;
}

function addDay(date: string): string {
  return new Date(parseTime(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
