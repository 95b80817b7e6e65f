/**
 * Characters at the start of a cell that make a spreadsheet treat it as a formula or command. Spreadsheets
 * also ignore tabs and line breaks before a formula.
 */
const beginnings = "=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20";
const begins = new RegExp(`^[${beginnings}]`);
const formula = new RegExp(`^'*[${beginnings}]`);
const neutralized = new RegExp(`^'+[${beginnings}]`);

export function neutralizeCell(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** Reverts `neutralizeCell`. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && neutralized.test(cell) ? cell.slice(1) : cell;
}

const textFormula = /^="((?:[^"]|"")*)"$/;

/**
 * Returns `0123` for `="0123"`. Some programs export this formula to keep leading zeros. Returns other cells
 * unchanged.
 */
export function textOfFormula(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  const text = textFormula.exec(cell.trim())?.[1];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

/**
 * Matches one or more numbers, including international phone numbers. A spreadsheet never executes such a
 * cell.
 */
const numbers = /^[+-]?\d[\d.,]*(?:; *[+-]?\d[\d.,]*)*$/;

export function isFormula(cell: string): boolean {
  return begins.test(cell) && /[^+-]/.test(cell) && !numbers.test(cell);
}
