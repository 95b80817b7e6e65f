/** Returns the milliseconds of a monotonic clock, unrelated to the date. */
export function stopwatch(): number {
  return performance.now();
}
