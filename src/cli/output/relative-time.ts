import { parseTime } from "../../base/time-text.js";

const units: readonly (readonly [limit: number, size: number, name: string])[] = [
  [60_000, 1_000, "s"],
  [3_600_000, 60_000, "min"],
  [86_400_000, 3_600_000, "h"],
  [30 * 86_400_000, 86_400_000, "day"],
];

/**
 * Returns a date if the time is more than a month away; undefined for an invalid time.
 * @param getNow returns the current time in milliseconds, from the same clock as the time
 */
export function formatRelativeTime(text: string, getNow: () => number): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined;
  const at = parseTime(text);
  if (Number.isNaN(at)) return undefined;
  const now = getNow();
  const distance = Math.abs(now - at);
  if (distance < 1_000) return "now";
  // Round, because "in 7 days" must not become "in 6 days" a second later.
  const round = at > now ? Math.round : Math.floor;
  const unit = units.find(([limit, size]) => round(distance / size) * size < limit);
  if (!unit) return text.slice(0, 10);
  const [, size, name] = unit;
  const count = round(distance / size);
  const amount = `${count} ${name === "day" && count > 1 ? "days" : name}`;
  return at > now ? `in ${amount}` : `${amount} ago`;
}
