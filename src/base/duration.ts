const units: readonly (readonly [name: string, milliseconds: number])[] = [
  ["w", 604_800_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
];
const parts = new RegExp(`^${units.map(([name]) => `(?:(\\d+(?:\\.\\d+)?)${name})?`).join("")}$`);

/**
 * Converts a duration such as `90`, `90s`, `1.5m` or `1h30m` to milliseconds. The default unit is seconds.
 * Returns undefined if the duration is invalid.
 */
export function parseDurationText(text: string): number | undefined {
  const typed = text.trim();
  const match = parts.exec(/^[\d.]+$/.test(typed) ? `${typed}s` : typed);
  if (!match || typed === "") return undefined;
  return Math.round(units.reduce((sum, [, size], index) => sum + Number(match[index + 1] ?? 0) * size, 0));
}

export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const clock = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, ...minutesAndSeconds] = clock;
  const shown = hours > 0 ? clock : minutesAndSeconds;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
