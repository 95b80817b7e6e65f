const isoWithoutZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const isoDate = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/;
const timeWithZone = /:\d\d.*(?:Z|GMT|UTC?|[+-]\d\d:?\d\d)$/i;
/** The obsolete form of HTTP dates without a time zone: `Sun Nov  6 08:49:37 1994`. */
const headerWithoutZone = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * Converts an ISO 8601 time or an HTTP date to milliseconds since 1970. A time without a zone is UTC,
 * regardless of this machine's zone.
 * @returns NaN if the text is not a time
 */
export function parseTime(text: string): number {
  if (isoWithoutZone.test(text)) return Date.parse(`${text.replace(" ", "T")}Z`);
  if (headerWithoutZone.test(text)) return Date.parse(`${text} GMT`);
  return isoDate.test(text) || timeWithZone.test(text) ? Date.parse(text) : Number.NaN;
}

/** In milliseconds since 1970, like `parseTime`; undefined if the value is not a time. */
export function parseTimestamp(value: unknown): number | undefined {
  const time = typeof value === "string" ? parseTime(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
