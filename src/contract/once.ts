/** Calls `make` only when needed, which saves startup time for schemas that most commands don't need. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
