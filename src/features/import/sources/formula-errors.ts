/** A cell that contains a formula error instead of a value, in the languages of spreadsheet programs. */
export const formulaError = "is an error of the spreadsheet's formula";
/** A spreadsheet's cell with such an error as text. */
export const formulaErrorText = "is the text of a formula error";

const errors =
  /^(?:#[\p{Lu}\d/]+[!?]|#(?:N\/A|N\/V|N\/D|NV|NB|ND|YOK|BRAK|I\/T|PUUTTUU!?|SAKNAS!?|GETTING_DATA)|#{3,}|Err:5\d\d)$/u;

/** `#NV`, `#BEZUG!`, `#NAME?`, `#DIV/0!`, `#####`, `Err:502` */
export function isFormulaError(cell: string): boolean {
  // Most cells begin with neither.
  const first = cell.charCodeAt(0);
  return (first === 0x23 || first === 0x45) && errors.test(cell.trim());
}
