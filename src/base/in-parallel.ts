/**
 * Runs `work` for each item, with at most `width` items at the same time.
 * @throws the first error, once all started calls of `work` have ended
 */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items].reverse();
  const failures: unknown[] = [];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined && failures.length === 0; item = left.pop())
      await work(item).catch((error: unknown) => {
        failures.push(error);
      });
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
