import { parseTime } from "./time-text.js";

/** Local times of a time zone. */
export interface Zone {
  readonly name: string;
  /** Returns the local day and time of day at an instant, in milliseconds. */
  local(time: number): LocalTime;
  /** Returns the instant at which a local day starts. */
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
/** Some zones change their clocks by half or quarter hours. */
const stepMilliseconds = 900_000;

/** @throws RangeError if the zone is unknown */
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
    // No zone is more than 14 h from UTC; if midnight is skipped, a day starts at one.
    startOf(date) {
      const middle = parseTime(`${date}T00:00:00Z`);
      for (let time = middle - dayMilliseconds; time <= middle + dayMilliseconds; time += stepMilliseconds)
        if (local(time).date >= date) return time;
      return middle;
    },
  };
}

/** Returns a calendar month, `2026-10`, as instants of a zone: from its first moment to the first of the next month. */
export function monthIn(zone: Zone, month: string): { from: number; to: number } {
  return { from: zone.startOf(`${month}-01`), to: zone.startOf(`${addMonths(month, 1)}-01`) };
}

/** Returns the month that is this many months later; a negative count goes back. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
