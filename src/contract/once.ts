/**
 * Holds back what `make` makes until it is first asked for: a schema that few commands need would cost the start of
 * each.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
