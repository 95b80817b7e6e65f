export type RangeRequest =
  | { type: "whole" }
  | { type: "part"; start: number; end: number }
  | { type: "unsatisfiable" };

const whole: RangeRequest = { type: "whole" };

/**
 * Parses a `Range` header with one byte range. Any other value is ignored (RFC 9110, 14; D-recording).
 * @param ifRange the `If-Range` header: the range applies only if the client already has this version of the
 * file
 */
export function parseRange(
  range: string | undefined,
  ifRange: string | undefined,
  file: { length: number; etag: string },
): RangeRequest {
  // A weak tag or a date never matches a strong tag.
  if (range === undefined || (ifRange !== undefined && ifRange.trim() !== file.etag)) return whole;
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range.trim());
  const [, from = "", to = ""] = match ?? [];
  if (!match || (from === "" && to === "")) return whole;
  if (from === "") {
    const suffix = Math.min(Number(to), file.length);
    if (suffix === 0) return { type: "unsatisfiable" };
    return { type: "part", start: file.length - suffix, end: file.length };
  }
  const start = Number(from);
  if (to !== "" && Number(to) < start) return whole;
  if (start >= file.length) return { type: "unsatisfiable" };
  return { type: "part", start, end: to === "" ? file.length : Math.min(Number(to) + 1, file.length) };
}
