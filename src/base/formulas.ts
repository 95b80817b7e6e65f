/** Prefixes that a spreadsheet treats as a formula or a command, also after tabs and line ends. */
const beginnings = "=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20";
const begins = new RegExp(`^[${beginnings}]`);
const formula = new RegExp(`^'*[${beginnings}]`);
const neutralized = new RegExp(`^'+[${beginnings}]`);

/** Returns a cell that a spreadsheet displays unchanged: a possible formula gets an apostrophe before it. */
export function neutralizeCell(cell: string): string {
  // A text that starts with an apostrophe also gets one, so that exactly one is removed again.
  return formula.test(cell) ? `'${cell}` : cell;
}

/** Returns the cell without the apostrophe. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && neutralized.test(cell) ? cell.slice(1) : cell;
}

const textFormula = /^="((?:[^"]|"")*)"$/;

/** Returns the text in `="0123"`, the form in which exports keep leading zeros in a spreadsheet. */
export function textOfFormula(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  const text = textFormula.exec(cell.trim())?.[1];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

/** One or several numbers, including international phone numbers: a spreadsheet may reformat them, but runs no code. */
const numbers = /^[+-]?\d[\d.,]*(?:; *[+-]?\d[\d.,]*)*$/;

/** Returns whether a spreadsheet would run the cell. */
export function isFormula(cell: string): boolean {
  return begins.test(cell) && /[^+-]/.test(cell) && !numbers.test(cell);
}
