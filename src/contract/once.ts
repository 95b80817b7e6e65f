/**
 * Returns a function that calls `make` once, on its first call, and always returns that result. Used for schemas that most commands don't
 * need, to speed up startup.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
