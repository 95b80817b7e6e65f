/**
 * An ISO 8601 week in UTC. It starts on Monday and belongs to the year that contains its Thursday (D-stats).
 */
export interface IsoWeek {
  year: number;
  week: number;
}

export const hourMilliseconds = 3_600_000;
export const dayMilliseconds = 24 * hourMilliseconds;
export const weekMilliseconds = 7 * dayMilliseconds;
/** Time from Monday, 1969-12-29, to Thursday, 1970-01-01. */
export const mondayOffset = 3 * dayMilliseconds;

export function weekStartAt(time: number): number {
  return Math.floor((time + mondayOffset) / weekMilliseconds) * weekMilliseconds - mondayOffset;
}

export function weekOf(time: number): IsoWeek {
  const thursday = weekStartAt(time) + 3 * dayMilliseconds;
  const year = new Date(thursday).getUTCFullYear();
  return { year, week: 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / weekMilliseconds) };
}

/** Returns the Monday of a week; undefined for week 53 in a year with 52 weeks. */
export function weekStart({ year, week }: IsoWeek): number | undefined {
  // January 4 is always in week 1.
  const start = weekStartAt(Date.UTC(year, 0, 4)) + (week - 1) * weekMilliseconds;
  return weekOf(start).year === year ? start : undefined;
}

/** Returns the calendar month that contains a time; `end` is the start of the next month. */
export function monthAround(time: number): { start: number; end: number; month: string } {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    start: Date.UTC(year, month, 1),
    end: Date.UTC(year, month + 1, 1),
    month: date.toISOString().slice(0, 7),
  };
}

/** `2026-11-21` */
export function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
