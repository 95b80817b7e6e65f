/**
 * Characters at the start of a cell that make a spreadsheet treat it as a formula or command. Tabs and line
 * breaks may precede a formula.
 */
const beginnings = "=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20";
const begins = new RegExp(`^[${beginnings}]`);
const formula = new RegExp(`^'*[${beginnings}]`);
const neutralized = new RegExp(`^'+[${beginnings}]`);

/** Returns a cell that a spreadsheet displays unchanged: a cell that could be a formula gets an apostrophe as its prefix. */
export function neutralizeCell(cell: string): string {
  // Add another apostrophe even if the cell starts with one, so that removing one restores the original text.
  return formula.test(cell) ? `'${cell}` : cell;
}

/** Reverts `neutralizeCell`. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && neutralized.test(cell) ? cell.slice(1) : cell;
}

const textFormula = /^="((?:[^"]|"")*)"$/;

/** Returns the text in `="0123"`. Some exports use this form to make spreadsheets keep leading zeros. */
export function textOfFormula(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  const text = textFormula.exec(cell.trim())?.[1];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

/** Matches one or more numbers, including international phone numbers. A spreadsheet may reformat them but doesn't execute them. */
const numbers = /^[+-]?\d[\d.,]*(?:; *[+-]?\d[\d.,]*)*$/;

/** Returns whether a spreadsheet would run the cell as a formula. */
export function isFormula(cell: string): boolean {
  return begins.test(cell) && /[^+-]/.test(cell) && !numbers.test(cell);
}
