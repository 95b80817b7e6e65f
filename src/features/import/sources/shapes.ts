/** Caches the result for the last array of column names, because consecutive rows share one array. */
export function perShape<T>(of: (names: readonly string[]) => T): (names: readonly string[]) => T {
  let last: { names: readonly string[]; result: T } | undefined;
  return (names) => {
    if (last?.names !== names) last = { names, result: of(names) };
    return last.result;
  };
}
