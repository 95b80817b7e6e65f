import { parseTime } from "./time-text.js";

export interface Zone {
  readonly name: string;
  /** `time` is in milliseconds since 1970. */
  local(time: number): LocalTime;
  /** Returns the start of a local day, in milliseconds since 1970. */
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
/** Time zones differ from UTC by a multiple of 15 minutes. */
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
    // A local day starts within 14 hours of midnight UTC. If the clocks skip midnight, the day starts at
    // 01:00.
    startOf(date) {
      const middle = parseTime(`${date}T00:00:00Z`);
      for (let time = middle - dayMilliseconds; time <= middle + dayMilliseconds; time += stepMilliseconds)
        if (local(time).date >= date) return time;
      return middle;
    },
  };
}

export function monthIn(zone: Zone, month: string): { from: number; to: number } {
  return { from: zone.startOf(`${month}-01`), to: zone.startOf(`${addMonths(month, 1)}-01`) };
}

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
