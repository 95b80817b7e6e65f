/** Adds a value to a key's list in place. Copying the list for each value would take quadratic time. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

export function followLinks<Value>(links: ReadonlyMap<Value, Value>, start: Value): Value | undefined {
  const seen = new Set([start]);
  let last: Value | undefined;
  for (let next = links.get(start); next !== undefined && !seen.has(next); next = links.get(next)) {
    seen.add(next);
    last = next;
  }
  return last;
}
