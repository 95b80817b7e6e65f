import CliTable from "cli-table3";
import { formatCell, isFields } from "../../base/fields.js";
import { escapeControl } from "../../base/text.js";
import { cutToCells, displayWidth, foldToCells, missing, padToCells } from "../terminal/cells.js";
import { joined, type Paint, type Painted, styled, type Text, toLines } from "../terminal/paint.js";
import { getColumnValue } from "./fields.js";
import type { Column } from "./output.js";
import { formatRelativeTime } from "./relative-time.js";
import { paintStatus } from "./status.js";

const gap = "  ";
const narrowest = 6;
const narrowestText = 20;

export interface TableStyle {
  /** In cells; undefined if unlimited. Called for every batch. */
  available: () => number | undefined;
  paint: Paint;
  now?: (() => number) | undefined;
  /** For screen readers: no columns, a line for each value. */
  plain?: boolean | undefined;
}

interface Laid {
  column: Column;
  width: number;
}

/**
 * A table whose layout depends on its first rows, so that later rows can be streamed. The layout changes only
 * if the terminal's width changes, or if an omitted column gets a value.
 */
export class Table {
  private layout: { columns: readonly Laid[]; available: number | undefined } | undefined;
  private filled: readonly Column[] = [];
  private begun = false;

  constructor(
    private readonly columns: readonly Column[],
    private readonly style: TableStyle,
  ) {}

  get omittedColumns(): string[] {
    const shown = this.layout?.columns.map(({ column }) => column) ?? this.filled;
    return this.filled.filter((column) => !shown.includes(column)).map(({ header }) => header);
  }

  /** If the layout is new, a header precedes the rows. */
  lines(rows: readonly unknown[]): Painted {
    const available = this.style.available();
    const cells = rows.map((row) => new Map(this.columns.map((column) => [column, this.cell(row, column)])));
    const hasNewColumns = this.addFilled(cells);
    if (this.style.plain) return this.plainLines(cells);
    const header = hasNewColumns || this.layout === undefined || this.layout.available !== available;
    const columns = growColumns(
      header || !this.layout ? this.measure(cells, available) : this.layout.columns,
      cells,
      available,
    );
    this.layout = { columns, available };
    const lines = drawRows(
      columns,
      cells.map((row) =>
        columns.map(({ column, width }) => this.painted(column, cutToCells(row.get(column) ?? "", width))),
      ),
    );
    if (header)
      lines.unshift(
        ...drawRows(columns, [columns.map(({ column, width }) => cutToCells(column.header, width))]).map(
          this.style.paint.bold,
        ),
      );
    return toLines(lines);
  }

  private addFilled(rows: readonly ReadonlyMap<Column, string>[]): boolean {
    const before = this.filled.length;
    const isFilled = (column: Column) =>
      column.optional !== true || rows.some((row) => ![missing, ""].includes(row.get(column) ?? ""));
    this.filled = this.columns.filter((column) => this.filled.includes(column) || isFilled(column));
    return this.filled.length > before;
  }

  private plainLines(rows: readonly ReadonlyMap<Column, string>[]): Painted {
    return toLines(
      rows.flatMap((row) => {
        const between = this.begun ? [""] : [];
        this.begun = true;
        return [
          ...between,
          ...this.filled.map((column) => `${column.header}: ${row.get(column) || missing}`),
        ];
      }),
    );
  }

  private cell(row: unknown, column: Column): string {
    const value = getColumnValue(row, column);
    // A missing field differs from an empty value.
    if (value === undefined) return missing;
    const text = formatCell(value);
    const shown =
      column.as === "time" && this.style.now ? (formatRelativeTime(text, this.style.now) ?? text) : text;
    return escapeControl(shown);
  }

  private painted(column: Column, text: string): Text {
    return column.as === "status" ? paintStatus(text, this.style.paint) : text;
  }

  private measure(rows: readonly ReadonlyMap<Column, string>[], available: number | undefined): Laid[] {
    const natural = this.filled.map((column) => ({
      column,
      width: rows.reduce(
        (widest, row) => Math.max(widest, displayWidth(row.get(column) ?? "")),
        displayWidth(column.header),
      ),
    }));
    if (available === undefined) return natural;
    let shown = natural;
    const isWithin = (laid: readonly Laid[]) =>
      laid.reduce((sum, { width }) => sum + width + gap.length, -gap.length) <= available;
    for (const candidate of [...natural].reverse()) {
      if (isWithin(shown)) break;
      if (candidate.column.optional) shown = shown.filter((entry) => entry !== candidate);
    }
    const isWhole = (laid: Laid) => hasIds(laid.column, rows);
    // Don't shorten IDs, because a shortened ID is useless. If the table is too wide even with all other
    // columns at their minimum width, drop other columns from the end.
    const least = (laid: Laid) => (isWhole(laid) ? laid.width : Math.min(laid.width, narrowest));
    const fits = () => isWithin(shown.map((laid) => ({ ...laid, width: least(laid) })));
    for (const keep of [undefined, true] as const) {
      for (const candidate of [...shown].reverse()) {
        if (fits()) break;
        if (!isWhole(candidate) && shown.some(isWhole) && candidate.column.keep === keep)
          shown = shown.filter((entry) => entry !== candidate);
      }
    }
    const widths = fitWidths(
      shown.map(({ width }) => width),
      shown.map(({ column }) => column.keep === true),
      available,
      shown.map(isWhole),
    );
    return shown.map(({ column, width }, index) => ({ column, width: widths[index] ?? width }));
  }
}

/** Format of IDs (public.general.7). voxctl recognizes IDs in other formats by their field name. */
const idForm = /^[0-9a-f]{24}$/;

function hasIds(column: Column, rows: readonly ReadonlyMap<Column, string>[]): boolean {
  if (column.isId === true || column.header === "ID") return true;
  if (typeof column.value === "string" && /(^|[._])ids?$|Ids?$/.test(column.value)) return true;
  return rows.some((row) => idForm.test(row.get(column) ?? ""));
}

function growColumns(
  columns: readonly Laid[],
  rows: readonly ReadonlyMap<Column, string>[],
  available: number | undefined,
): Laid[] {
  let spare = Math.max(
    0,
    (available ?? Number.POSITIVE_INFINITY) -
      columns.reduce((sum, { width }) => sum + width + gap.length, -gap.length),
  );
  return columns.map(({ column, width }) => {
    const needed = rows.reduce((widest, row) => Math.max(widest, displayWidth(row.get(column) ?? "")), width);
    const more = hasIds(column, rows) ? needed - width : Math.min(needed - width, spare);
    spare = Math.max(0, spare - more);
    return { column, width: width + more };
  });
}

const noBorder = {
  ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
  ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
  ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: gap },
};

/** Matches text whose width is the same in all terminals and libraries. */
const commonText = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff…]*$/;
const standIn = "\ue000";

/**
 * The table library measures some text incorrectly (newer emoji, combining marks, colors), so it draws a
 * placeholder of the same width.
 */
function drawRows(columns: readonly Laid[], rows: readonly (readonly Text[])[]): Text[] {
  if (columns.length === 0) return rows.map(() => "");
  const table = new CliTable({
    chars: noBorder,
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ column }) => column.align ?? "left"),
  });
  const stoodFor: Text[] = [];
  for (const row of rows) {
    table.push(
      row.map((text) => {
        if (typeof text === "string" && commonText.test(text)) return text;
        const width = displayWidth(String(text));
        if (width > 0) stoodFor.push(text);
        return standIn.repeat(width);
      }),
    );
  }
  return table
    .toString()
    .split("\n")
    .map((line) => {
      const [first = "", ...parts] = line.trimEnd().split(/\ue000+/);
      if (parts.length === 0) return first;
      return joined([first, ...parts.flatMap((part) => [stoodFor.shift() ?? "", part])]);
    });
}

/** Reduces the widest columns first and columns marked `keep` last, but never columns marked `whole`. */
export function fitWidths(
  natural: readonly number[],
  keep: readonly boolean[],
  available: number,
  whole: readonly boolean[] = [],
): number[] {
  const widths = [...natural];
  const most = available - gap.length * (widths.length - 1);
  const total = () => widths.reduce((sum, width) => sum + width, 0);
  for (const group of [false, true]) {
    while (total() > most) {
      let widest = -1;
      for (const [index, width] of widths.entries()) {
        if (
          keep[index] === group &&
          whole[index] !== true &&
          width > narrowest &&
          width > (widths[widest] ?? 0)
        )
          widest = index;
      }
      if (widest === -1) break;
      widths[widest] = Math.max(narrowest, (widths[widest] ?? 0) - 1);
    }
  }
  return widths;
}

export type DetailStyle = Pick<TableStyle, "paint" | "now" | "plain"> &
  Partial<Pick<TableStyle, "available">>;

export function formatDetails(value: unknown, style: DetailStyle, indent = ""): Painted {
  if (!isFields(value)) return toLines([`${indent}${formatCell(value)}`]);
  const names = Object.keys(value).map((name) => [name, escapeControl(name)] as const);
  const width = names.reduce((widest, [, shown]) => Math.max(widest, displayWidth(shown)), 0);
  return joined(names.map(([name, shown]) => formatDetail([name, shown], value[name], width, style, indent)));
}

function formatDetail(
  [name, text]: readonly [name: string, shown: string],
  value: unknown,
  width: number,
  style: DetailStyle,
  indent: string,
): Painted {
  const { paint, plain } = style;
  const available = plain ? undefined : style.available?.();
  const fold = (content: string, before: number) =>
    available === undefined ? [content] : foldToCells(content, Math.max(narrowestText, available - before));
  const title = plain ? `${text}:` : paint.dim(text);
  const below = (lines: Painted) => joined([toLines([joined([indent, title])]), lines]);
  if (isFields(value) && Object.keys(value).length > 0)
    return below(formatDetails(value, style, `${indent}  `));
  if (Array.isArray(value) && value.some(isFields))
    return below(
      joined(
        value.map((entry) => formatDetails(entry, style, `${indent}  `)),
        "\n",
      ),
    );
  if (typeof value === "string" && value.includes("\n")) {
    const inner = `${indent}  `;
    const lines = value.split("\n").flatMap((line) => fold(line, inner.length));
    return below(toLines(lines.map((line) => `${inner}${line}`)));
  }
  const shown = formatDetailValue(name, value, style);
  if (plain) return toLines([joined([indent, title, " ", shown])]);
  const before = indent.length + width + gap.length;
  const lines = typeof shown === "string" ? fold(shown, before) : [shown];
  const head = joined([indent, paint.dim(padToCells(text, width)), gap]);
  return toLines(lines.map((line, index) => joined([index === 0 ? head : " ".repeat(before), line])));
}

function formatDetailValue(name: string, value: unknown, { paint, now }: DetailStyle): Text {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0))
    return paint.dim(missing);
  const text = formatCell(value);
  if (name === "status" || name === "state") return paintStatus(text, paint);
  const relative = now && typeof value === "string" ? formatRelativeTime(value, now) : undefined;
  return relative === undefined ? text : styled`${text} ${paint.dim(`(${relative})`)}`;
}
