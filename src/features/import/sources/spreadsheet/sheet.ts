import { formatThousands } from "../../../../base/text.js";
import type { Archive } from "./archive.js";
import { damaged, SpreadsheetError, type SpreadsheetLimits, tooLarge } from "./limits.js";
import type { SharedTexts } from "./shared-texts.js";
import { createPieces, createTextReader, textTooLong, unescaped } from "./text.js";
import { readPieces } from "./workbook.js";
import { attributesOf, decodeEntities } from "./xml.js";

export interface StoredCell {
  /**
   * Type in the file format: `n` (number, the default), `s` (shared string), `str` (string from a formula),
   * `inlineStr` (string in the cell), `b` (boolean), `d` (date) or `e` (error).
   */
  type: string;
  style: number;
  /** Undefined if the cell has no value. An empty string is a value. */
  value: string | undefined;
  /** Undefined if the value is not from a formula. */
  formula: string | undefined;
}

/** A row with content. `cells` is indexed by the column's position, with undefined for empty cells. */
export interface StoredRow<C> {
  number: number;
  cells: (C | undefined)[];
}

interface Content {
  text: string;
}

/**
 * Yields the rows with content while the sheet is unpacked. Formatted but empty rows and cells use no memory.
 * @param cellOf returns undefined for an empty cell
 * @throws SpreadsheetError if the sheet is damaged or exceeds a limit
 */
export async function* readRows<C extends Content>(
  archive: Archive,
  name: string,
  texts: SharedTexts,
  limits: SpreadsheetLimits,
  cellOf: (stored: StoredCell) => C | undefined,
): AsyncGenerator<StoredRow<C>, void> {
  let ready: StoredRow<C>[] = [];
  const rows = createRowReader(limits, cellOf, texts, (row) => ready.push(row));
  for await (const _ of readPieces(archive, name, rows)) {
    const batch = ready;
    ready = [];
    yield* batch;
  }
}

function createRowReader<C extends Content>(
  limits: SpreadsheetLimits,
  cellOf: (stored: StoredCell) => C | undefined,
  texts: SharedTexts,
  onRow: (row: StoredRow<C>) => void,
) {
  const value = createPieces(limits);
  const formula = createPieces(limits);
  const inline = createTextReader(limits);
  let rowNumber = 0;
  let allCharacters = 0;
  let characters = 0;
  let cells: (C | undefined)[] | undefined;
  let column = 0;
  let attributes: ReadonlyMap<string, string> | undefined;
  let has = { value: false, formula: false, inline: false };
  let element = "";

  function openRow(written: string): void {
    const named = attributesOf(written).get("r");
    const next = named === undefined ? rowNumber + 1 : Number(named);
    if (!Number.isInteger(next) || next <= rowNumber)
      throw damaged(`row ${named} comes after row ${rowNumber}`);
    rowNumber = next;
    column = 0;
    characters = 0;
    cells = [];
  }

  function openCell(written: string): void {
    attributes = attributesOf(written);
    const address = attributes.get("r");
    const next = address === undefined ? column + 1 : columnOf(address);
    if (next <= column) throw damaged(`cell ${address} is in the wrong position`);
    column = next;
    has = { value: false, formula: false, inline: false };
    value.clear();
    formula.clear();
    inline.clear();
  }

  function closeCell(): void {
    const stored: StoredCell = {
      type: attributes?.get("t") ?? "n",
      style: Number(attributes?.get("s") ?? 0),
      value: has.value ? decodeEntities(value.read()) : undefined,
      formula: has.formula ? decodeEntities(formula.read()) : undefined,
    };
    attributes = undefined;
    const cell = cellOf(withText(stored));
    if (cell === undefined || cells === undefined) return;
    if (column > limits.columns) {
      if (cell.text.trim() === "") return;
      throw new SpreadsheetError(
        `has content in cell ${columnName(column - 1)}${rowNumber}, but the limit is ${formatThousands(limits.columns)} columns`,
      );
    }
    characters += cell.text.length;
    allCharacters += cell.text.length;
    if (characters > limits.rowCharacters) throw textTooLong(limits);
    if (allCharacters > limits.characters)
      throw tooLarge(`more than ${formatThousands(limits.characters)} characters`);
    while (cells.length < column - 1) cells.push(undefined);
    cells.push(cell);
  }

  /** The cell's type determines where the file stores the text. */
  function withText(stored: StoredCell): StoredCell {
    if (stored.type === "inlineStr") return { ...stored, value: has.inline ? inline.read() : undefined };
    if (stored.type === "str" && stored.value !== undefined)
      return { ...stored, value: unescaped(stored.value) };
    if (stored.type !== "s" || stored.value === undefined || stored.value === "") return stored;
    const text = texts.get(Number(stored.value));
    if (text === undefined)
      throw damaged(`cell ${columnName(column - 1)}${rowNumber} refers to a string that doesn't exist`);
    return { ...stored, value: text };
  }

  function closeRow(): void {
    if (cells !== undefined && cells.length > 0) {
      if (rowNumber > limits.rows)
        throw new SpreadsheetError(
          `has content in row ${rowNumber}, but the limit is ${formatThousands(limits.rows)} rows`,
        );
      onRow({ number: rowNumber, cells });
    }
    cells = undefined;
  }

  return {
    open(name: string, written: string) {
      element = name;
      if (name === "row") openRow(written);
      else if (cells === undefined) return;
      else if (name === "c") openCell(written);
      else if (attributes === undefined) return;
      else if (name === "v") has.value = true;
      else if (name === "f") has.formula = true;
      else if (name === "is") has.inline = true;
      else if (has.inline) inline.open(name);
    },
    text(piece: string) {
      if (attributes === undefined) return;
      if (element === "v") value.add(piece);
      else if (element === "f") formula.add(piece);
      else if (has.inline) inline.add(piece);
    },
    close(name: string) {
      element = "";
      if (name === "row") closeRow();
      else if (name === "c" && attributes !== undefined) closeCell();
      else if (attributes !== undefined && has.inline) inline.close(name);
    },
  };
}

/** Returns the column of a cell address, starting at 1: `B7` → 2. A column has at most three letters. */
function columnOf(address: string): number {
  const letters = /^([A-Za-z]{1,3})\d+$/.exec(address)?.[1];
  if (letters === undefined) throw damaged(`invalid cell address ${address.slice(0, 20)}`);
  return columnNumber(letters);
}

/** Returns the number of a column: A → 1, AA → 27. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

/** Returns the letters of a column: 0 → A, 25 → Z, 26 → AA. */
export function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${columnName(Math.floor(index / 26) - 1)}${last}`;
}
