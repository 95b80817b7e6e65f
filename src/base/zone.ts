import { parseTime } from "./time-text.js";

/** Times as the clocks of a place show them. */
export interface Zone {
  readonly name: string;
  /** The day and the time of day at an instant, in milliseconds. */
  local(time: number): LocalTime;
  /** The instant at which a day begins there. */
  startOf(date: string): number;
}

export interface LocalTime {
  /** `2026-10-25` */
  date: string;
  hour: number;
  /** `08:30` */
  time: string;
  weekday: string;
}

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
const dayMilliseconds = 86_400_000;
/** Clocks are set by half hours and quarters somewhere. */
const stepMilliseconds = 900_000;

/** @throws RangeError where there is no such zone */
export function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: name, dateStyle: "short", timeStyle: "short" });
  const local = (time: number): LocalTime => {
    const [date = "", clock = ""] = format.format(time).split(" ");
    const weekday = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? "monday";
    return { date, hour: Number(clock.slice(0, 2)), time: clock, weekday };
  };
  return {
    name,
    local,
    // No zone is further than 14 h from UTC; where midnight is skipped, a day begins at one.
    startOf(date) {
      const middle = parseTime(`${date}T00:00:00Z`);
      for (let time = middle - dayMilliseconds; time <= middle + dayMilliseconds; time += stepMilliseconds)
        if (local(time).date >= date) return time;
      return middle;
    },
  };
}

/** A calendar month, `2026-10`, as instants of a zone: from the first moment to the first of the next one. */
export function monthIn(zone: Zone, month: string): { from: number; to: number } {
  return { from: zone.startOf(`${month}-01`), to: zone.startOf(`${addMonths(month, 1)}-01`) };
}

/** The month so many later; a negative count goes back. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
