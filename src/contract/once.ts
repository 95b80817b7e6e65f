/**
 * Returns a function that calls `make` with its first call, so that a rarely needed schema does not slow down
 * the start.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
