/**
 * Returns a function that calls `make` only once and then always returns the same result. Used for schemas that most commands don't need,
 * to speed up startup.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
