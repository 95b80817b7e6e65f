/** Formats a time as `2026-03-02 09:01:30`, in UTC like the API's times. */
export function formatMoment(iso: string): string {
  return iso.slice(0, 19).replace("T", " ");
}

export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function shorten(text: string, length = 80): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`;
}

/** Formats minutes and seconds, such as `1:05`. */
export function formatClockTime(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function toMilliseconds(iso: string): number {
  return Date.parse(iso);
}

/** Formats the remaining time until an event, such as `in 2 min` or `in 3 h`. */
export function formatAhead(from: string, to: string): string {
  const seconds = (toMilliseconds(to) - toMilliseconds(from)) / 1_000;
  if (seconds < 1) return "now";
  if (seconds < 120) return `in ${Math.round(seconds)} s`;
  if (seconds < 7_200) return `in ${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `in ${Math.round(seconds / 3_600)} h`;
  return `in ${Math.round(seconds / 86_400)} days`;
}

/** Formats a field name for display: "First name" for `first_name`. */
export function toLabel(name: string): string {
  const label = name
    .replace(/_id$/, "")
    .replace(/_ids$/, "s")
    .replaceAll("_", " ")
    .replace(/\b(url|id)\b/g, (word) => word.toUpperCase())
    .replace("pre call", "pre-call");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Decodes a URL for display: `Müller` instead of `M%C3%BCller`. Leaves characters such as `%2F` encoded. */
export function decodeAddress(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
