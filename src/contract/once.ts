/**
 * Returns a function that calls `make` when it is first called and then returns the same result. A rarely needed schema thus doesn't slow
 * down startup.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
