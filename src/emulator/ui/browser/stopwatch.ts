/** A stopwatch's reading in milliseconds: says nothing about the date. */
export function stopwatch(): number {
  return performance.now();
}
