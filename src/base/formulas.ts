/** Prefixes that a spreadsheet treats as the start of a formula or command, even after tabs and line breaks. */
const beginnings = "=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20";
const begins = new RegExp(`^[${beginnings}]`);
const formula = new RegExp(`^'*[${beginnings}]`);
const neutralized = new RegExp(`^'+[${beginnings}]`);

/** Returns a cell that a spreadsheet displays unchanged: a possible formula is prefixed with an apostrophe. */
export function neutralizeCell(cell: string): string {
  // A formula that already has an apostrophe gets another one, so that removing one restores the text.
  return formula.test(cell) ? `'${cell}` : cell;
}

/** Removes the apostrophe that `neutralizeCell` added. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && neutralized.test(cell) ? cell.slice(1) : cell;
}

const textFormula = /^="((?:[^"]|"")*)"$/;

/** Returns the text in `="0123"`, a form that exports use to keep leading zeros in a spreadsheet. */
export function textOfFormula(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  const text = textFormula.exec(cell.trim())?.[1];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

/** Matches one or several numbers, including international phone numbers. A spreadsheet may reformat them but doesn't run code in them. */
const numbers = /^[+-]?\d[\d.,]*(?:; *[+-]?\d[\d.,]*)*$/;

/** Returns whether a spreadsheet would run the cell as a formula. */
export function isFormula(cell: string): boolean {
  return begins.test(cell) && /[^+-]/.test(cell) && !numbers.test(cell);
}
