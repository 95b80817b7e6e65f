/** The column in a rejects file that contains the reason for each row. Imports ignore this column. */
export const errorColumn = "voxctl_error";

/**
 * Returns the problem of a row with more filled cells than the header. In a rejects file, the last cell of
 * such a row contains the error and doesn't count.
 */
export function findSurplus(cells: readonly string[], names: readonly string[]): string | undefined {
  let width = cells.length;
  while (width > names.length && cells[width - 1]?.trim() === "") width -= 1;
  if (width <= names.length) return undefined;
  const errors = names.at(-1) === errorColumn ? 1 : 0;
  const [own, columns] = [width - errors, names.length - errors];
  if (cells.slice(columns, own).every((cell) => cell.trim() === "")) return undefined;
  return `has ${own} cells but the header has ${columns}`;
}
