/** Beginnings that a spreadsheet takes for a formula or a command; tabs and line ends hide one from a reader. */
const beginnings = "=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20";
const begins = new RegExp(`^[${beginnings}]`);
const formula = new RegExp(`^'*[${beginnings}]`);
const neutralized = new RegExp(`^'+[${beginnings}]`);

/** A cell that a spreadsheet shows as it is and does not run: with an apostrophe before it, where it would be one. */
export function neutralizeCell(cell: string): string {
  // One that begins with an apostrophe itself gets another, so that each is taken back once.
  return formula.test(cell) ? `'${cell}` : cell;
}

/** The cell as it was before. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && neutralized.test(cell) ? cell.slice(1) : cell;
}

const textFormula = /^="((?:[^"]|"")*)"$/;

/** `="0123"`, as exports write a text whose zeros a spreadsheet is to keep: the text. */
export function textOfFormula(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  const text = textFormula.exec(cell.trim())?.[1];
  return text === undefined ? cell : text.replaceAll('""', '"');
}

/** Numbers, among them phone numbers in international form, one or several: shown otherwise, but nothing is run. */
const numbers = /^[+-]?\d[\d.,]*(?:; *[+-]?\d[\d.,]*)*$/;

/** Would a spreadsheet that opens the cell run it? */
export function isFormula(cell: string): boolean {
  return begins.test(cell) && /[^+-]/.test(cell) && !numbers.test(cell);
}
