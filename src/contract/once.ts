/**
 * Returns a function that calls `make` once, with its first call: a rarely needed schema must not slow down the
 * start of all.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
