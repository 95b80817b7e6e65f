/** Caches the result for an array of column names, which consecutive rows share. */
export function perShape<T>(of: (names: readonly string[]) => T): (names: readonly string[]) => T {
  let last: { names: readonly string[]; result: T } | undefined;
  return (names) => {
    if (last?.names !== names) last = { names, result: of(names) };
    return last.result;
  };
}
