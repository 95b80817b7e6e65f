import { type Fields, getText, isFields } from "../../../base/fields.js";
import { parseTime } from "../../../base/time-text.js";

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** Unknown formats stay unchanged. */
export function formatSchedules(schedules: unknown): unknown {
  if (!Array.isArray(schedules) || !schedules.every(isSchedule)) return schedules;
  const readable: Record<string, unknown> = {};
  for (const schedule of schedules) {
    const scheduleType = getText(schedule, "kind");
    let name = scheduleType;
    for (let count = 2; name in readable; count += 1) name = `${scheduleType} (${count})`;
    readable[name] = formatSchedule(schedule);
  }
  return readable;
}

function isSchedule(schedule: unknown): schedule is Fields {
  return isFields(schedule) && getText(schedule, "kind") !== "" && isFields(schedule["weekly"]);
}

function formatSchedule(schedule: Fields): Fields {
  const weekly = isFields(schedule["weekly"]) ? schedule["weekly"] : {};
  const week = weekdays.map((day) => [capitalize(day), formatHours(weekly[day])] as const);
  const overrides: unknown = schedule["overrides"];
  const days = (Array.isArray(overrides) ? overrides : [])
    .filter(isFields)
    .map((override) => [formatDate(getText(override, "date")), formatHours(override["intervals"])] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries([...week, ...days]);
}

/** `08:00–12:00, 13:00–18:00`, or `closed`. */
function formatHours(intervals: unknown): string {
  const spans = (Array.isArray(intervals) ? intervals : [])
    .filter(isFields)
    .map((interval) => `${getText(interval, "from")}–${getText(interval, "to")}`);
  if (spans.length === 0) return "closed";
  return spans.length === 1 && spans[0] === "00:00–24:00" ? "all day" : spans.join(", ");
}

/** `2026-12-24 (Thursday)` */
function formatDate(date: string): string {
  const time = parseTime(`${date}T00:00:00Z`);
  if (Number.isNaN(time)) return date;
  // `getUTCDay` counts from Sunday.
  const day = weekdays[(new Date(time).getUTCDay() + 6) % 7] ?? "";
  return `${date} (${capitalize(day)})`;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
