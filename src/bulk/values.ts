/**
 * Items in batches of so many, the last one may be shorter.
 * @param weigh given: what an item weighs in memory, in characters; heavy ones come in smaller batches
 */
export async function* batches<T>(
  items: AsyncIterable<T>,
  size: number,
  weigh: (item: T) => number = () => 0,
): AsyncGenerator<T[], void> {
  let batch: T[] = [];
  let weight = 0;
  for await (const item of items) {
    batch.push(item);
    weight += weigh(item);
    if (batch.length < size && weight < heaviestBatch) continue;
    yield batch;
    batch = [];
    weight = 0;
  }
  if (batch.length > 0) yield batch;
}

const heaviestBatch = 4_000_000;

/** Characters of the texts among these values. */
export function textLength(values: readonly unknown[]): number {
  let length = 0;
  for (const value of values) if (typeof value === "string") length += value.length;
  return length;
}

/** A value read from JSON as a record; an empty one where it is none. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** As much of a value as a message needs. */
export function excerpt(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
