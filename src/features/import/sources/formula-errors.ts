export const formulaError = "is a spreadsheet formula error";
/**
 * Problem of a text cell, not a formula, that contains an error such as `#NV`. A user typed or pasted the text,
 * or it comes from a rejects file.
 */
export const formulaErrorText = "is text that looks like a spreadsheet formula error";

const errors =
  /^(?:#[\p{Lu}\d/]+[!?]|#(?:N\/A|N\/V|N\/D|NV|NB|ND|YOK|BRAK|I\/T|PUUTTUU!?|SAKNAS!?|GETTING_DATA)|#{3,}|Err:5\d\d)$/u;

/**
 * Returns whether a cell is a formula error, in any of several languages: `#NV`, `#BEZUG!`, `#NAME?`,
 * `#DIV/0!`, `#####`, `Err:502`.
 */
export function isFormulaError(cell: string): boolean {
  // Most cells start with neither `#` nor `E` and need no further check.
  const first = cell.charCodeAt(0);
  return (first === 0x23 || first === 0x45) && errors.test(cell.trim());
}
