/**
 * Finds content that spreadsheet programs hide or display differently: hidden rows, hidden columns and merged
 * cells.
 */
import type { Unseen } from "../types.js";
import type { Archive } from "./archive.js";
import { damaged } from "./limits.js";
import { columnNumber } from "./sheet.js";
import { readPart } from "./workbook.js";
import { attributesOf } from "./xml.js";

/** A range of merged cells, all of which display the value of the first cell. Positions start at 1. */
export interface Merge {
  ref: string;
  firstRow: number;
  lastRow: number;
  column: number;
}

export interface SheetFacts extends Pick<Unseen, "hiddenRows" | "hiddenColumns" | "unfilled"> {
  /** Ranges of merged cells below the header. The value of each range is copied to all rows of the range. */
  filled: readonly Merge[];
}

interface Table {
  headerLine: number;
  skipRows: number;
  names: readonly string[];
  /** Positions, starting at 0, of the columns in which values of merged cells are not copied. */
  unfilled: ReadonlySet<number>;
}

/** Maximum number of merged ranges. A sheet with more merged ranges is not a list. */
const mostMerges = 100_000;
const mostColumnRanges = 10_000;
const rowsNamed = 3;

/** @throws SpreadsheetError if the sheet is damaged */
export async function readSheetFacts(archive: Archive, part: string, table: Table): Promise<SheetFacts> {
  const above = Math.max(table.headerLine, table.skipRows);
  const hiddenRows = { count: 0, first: [] as number[] };
  const columns: { from: number; to: number }[] = [];
  const merges: (Merge & { lastColumn: number })[] = [];
  let row = 0;
  let isHidden = false;

  const openRow = (attributes: ReadonlyMap<string, string>) => {
    row = Number(attributes.get("r") ?? row + 1);
    isHidden = row > above && (isOn(attributes.get("hidden")) || Number(attributes.get("ht") ?? 1) === 0);
  };
  const countRow = () => {
    if (!isHidden) return;
    isHidden = false;
    hiddenRows.count += 1;
    if (hiddenRows.first.length < rowsNamed) hiddenRows.first.push(row);
  };
  const addColumns = (attributes: ReadonlyMap<string, string>) => {
    if (!isOn(attributes.get("hidden")) && Number(attributes.get("width") ?? 1) !== 0) return;
    if (columns.length === mostColumnRanges) throw damaged("the sheet has too many columns");
    columns.push({ from: Number(attributes.get("min")), to: Number(attributes.get("max")) });
  };
  const addMerge = (ref: string) => {
    const merge = parseMerge(ref);
    if (merge === undefined || merge.firstRow <= above) return;
    if (merges.length === mostMerges) throw damaged("the sheet has too many merged cells");
    merges.push(merge);
  };

  await readPart(archive, part, {
    open(name, written) {
      if (name === "row") openRow(attributesOf(written));
      // A cell without any of these elements has a format, but no content.
      else if (name === "v" || name === "is" || name === "f") countRow();
      else if (name === "col") addColumns(attributesOf(written));
      else if (name === "mergeCell") addMerge(attributesOf(written).get("ref") ?? "");
    },
    close() {},
  });

  const isFilled = ({ column, firstRow, lastRow, lastColumn }: (typeof merges)[number]) =>
    lastRow > firstRow && lastColumn === column && isNamed(column) && !table.unfilled.has(column - 1);
  const isNamed = (column: number) => (table.names[column - 1] ?? "") !== "";
  return {
    hiddenRows,
    hiddenColumns: table.names.flatMap((name, index) => {
      const isIn = columns.some(({ from, to }) => from <= index + 1 && index + 1 <= to);
      return isIn && name !== "" ? [name] : [];
    }),
    filled: merges.filter(isFilled),
    unfilled: merges
      .filter((merge) => !isFilled(merge) && touchesTable(merge, table.names))
      .map(({ ref }) => ref),
  };
}

function touchesTable({ column }: Merge, names: readonly string[]): boolean {
  return names.length === 0 || column <= names.length;
}

function isOn(text: string | undefined): boolean {
  return text === "1" || text === "true";
}

function parseMerge(ref: string): (Merge & { lastColumn: number }) | undefined {
  const [, from = "", firstRow, to = "", lastRow] =
    /^\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)$/i.exec(ref) ?? [];
  if (firstRow === undefined || lastRow === undefined) return undefined;
  const [column, lastColumn] = [columnNumber(from), columnNumber(to)];
  return { ref, firstRow: Number(firstRow), lastRow: Number(lastRow), column, lastColumn };
}

/**
 * Returns a function that copies values of merged cells to the sheet's rows. The rows must be passed in
 * order.
 */
export function fillingDown<C>(
  merges: readonly Merge[],
): (row: { number: number; cells: (C | undefined)[] }) => void {
  const waiting = [...merges].sort((left, right) => left.firstRow - right.firstRow);
  const open = new Map<number, { lastRow: number; cell: C | undefined }>();
  let next = 0;
  return ({ number, cells }) => {
    for (let merge = waiting[next]; merge !== undefined && merge.firstRow <= number; merge = waiting[next]) {
      next += 1;
      const cell = merge.firstRow === number ? cells[merge.column - 1] : undefined;
      open.set(merge.column, { lastRow: merge.lastRow, cell });
    }
    for (const [column, { lastRow, cell }] of open) {
      if (number > lastRow) open.delete(column);
      else if (cell !== undefined && cells[column - 1] === undefined) cells[column - 1] = cell;
    }
  };
}
