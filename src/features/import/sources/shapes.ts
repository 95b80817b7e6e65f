/** Caches a result that is derived from column names. Consecutive rows share one array of names. */
export function perShape<T>(of: (names: readonly string[]) => T): (names: readonly string[]) => T {
  let last: { names: readonly string[]; result: T } | undefined;
  return (names) => {
    if (last?.names !== names) last = { names, result: of(names) };
    return last.result;
  };
}
