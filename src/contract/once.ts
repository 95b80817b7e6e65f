/**
 * Returns a function that calls `make` when it is first called, and always returns the same result. Saves
 * startup time for schemas that most commands don't need.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
