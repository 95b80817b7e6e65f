/** Caches what is derived from the column names, for consecutive rows that share their array of names. */
export function perShape<T>(of: (names: readonly string[]) => T): (names: readonly string[]) => T {
  let last: { names: readonly string[]; result: T } | undefined;
  return (names) => {
    if (last?.names !== names) last = { names, result: of(names) };
    return last.result;
  };
}
