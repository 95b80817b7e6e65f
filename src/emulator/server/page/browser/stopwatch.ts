/** Returns monotonic milliseconds, unrelated to the date. */
export function stopwatch(): number {
  return performance.now();
}
