import truncatedWidth from "fast-string-truncated-width";
import type { Paint } from "../session.js";
import { escapeControl } from "../text.js";
import { cellText, isFields, valueAt } from "./fields.js";
import type { Column } from "./output.js";

const gap = "  ";
const narrowest = 6;

/** Cells that a text takes on a terminal: wide characters count two, combining ones none. */
function displayWidth(text: string): number {
  return truncatedWidth(text).width;
}

/** The text in exactly `width` cells: padded, or cut with an ellipsis. */
function inCells(text: string, width: number, align: "left" | "right"): string {
  const {
    width: natural,
    index,
    truncated,
  } = truncatedWidth(text, { limit: width, ellipsis: "…", ellipsisWidth: 1 });
  const shown = truncated ? `${text.slice(0, index)}…` : text;
  const padding = " ".repeat(Math.max(0, width - (truncated ? displayWidth(shown) : natural)));
  return align === "right" ? padding + shown : shown + padding;
}

/** What stands in a row's cell. */
function cell(row: unknown, column: Column): string {
  const value =
    typeof column.value === "string"
      ? valueAt(row, column.value)
      : isFields(row)
        ? column.value(row)
        : undefined;
  return escapeControl(cellText(value));
}

/**
 * Widths for these columns within `available` cells. The widest give way first, columns marked `keep` last;
 * a table that can't fit at all keeps readable columns and lets the terminal wrap.
 */
export function fitWidths(natural: readonly number[], keep: readonly boolean[], available: number): number[] {
  const widths = [...natural];
  const room = available - gap.length * (widths.length - 1);
  const total = () => widths.reduce((sum, width) => sum + width, 0);
  for (const group of [false, true]) {
    while (total() > room) {
      let widest = -1;
      for (const [index, width] of widths.entries()) {
        if (keep[index] === group && width > narrowest && width > (widths[widest] ?? 0)) widest = index;
      }
      if (widest === -1) break;
      widths[widest] = Math.max(narrowest, (widths[widest] ?? 0) - 1);
    }
  }
  return widths;
}

/** Draws rows in columns. The first rows decide the layout, so that the rest can follow as it comes. */
export class Table {
  private layout: { column: Column; width: number }[] | undefined;

  constructor(
    private readonly columns: readonly Column[],
    /** Cells of a line; undefined for no bound. */
    private readonly available: number | undefined,
    private readonly paint: Paint,
  ) {}

  /** The lines of these rows, with the header before the first ones. */
  lines(rows: readonly unknown[]): string {
    const header = this.layout === undefined;
    this.layout ??= this.measure(rows);
    const lines = rows.map((row) => this.line((column) => cell(row, column)));
    if (header) lines.unshift(this.paint.bold(this.line((column) => column.header)));
    return lines.map((line) => `${line}\n`).join("");
  }

  private measure(rows: readonly unknown[]): { column: Column; width: number }[] {
    const natural = this.columns.map((column) => ({
      column,
      width: Math.max(displayWidth(column.header), ...rows.map((row) => displayWidth(cell(row, column)))),
    }));
    if (this.available === undefined) return natural;
    const room = this.available;
    const fits = natural.reduce((sum, { width }) => sum + width + gap.length, -gap.length) <= room;
    const shown = fits ? natural : natural.filter(({ column }) => column.optional !== true);
    const widths = fitWidths(
      shown.map(({ width }) => width),
      shown.map(({ column }) => column.keep === true),
      room,
    );
    return shown.map(({ column, width }, index) => ({ column, width: widths[index] ?? width }));
  }

  private line(text: (column: Column) => string): string {
    return (this.layout ?? [])
      .map(({ column, width }) => inCells(text(column), width, column.align ?? "left"))
      .join(gap)
      .trimEnd();
  }
}

/** One thing as `name  value` lines, nested objects indented below their name. */
export function detailLines(value: unknown, paint: Paint, indent = ""): string {
  if (!isFields(value)) return `${indent}${escapeControl(cellText(value))}\n`;
  const names = Object.keys(value);
  const width = Math.max(0, ...names.map(displayWidth));
  return names.map((name) => detailLine(name, value[name], width, paint, indent)).join("");
}

function detailLine(name: string, value: unknown, width: number, paint: Paint, indent: string): string {
  const text = escapeControl(name);
  const title = paint.dim(text);
  if (isFields(value) && Object.keys(value).length > 0) {
    return `${indent}${title}\n${detailLines(value, paint, `${indent}  `)}`;
  }
  if (Array.isArray(value) && value.some(isFields)) {
    return `${indent}${title}\n${value.map((entry) => detailLines(entry, paint, `${indent}  `)).join("\n")}`;
  }
  if (typeof value === "string" && value.includes("\n")) {
    const lines = value.split("\n").map((line) => `${indent}  ${escapeControl(line)}\n`);
    return `${indent}${title}\n${lines.join("")}`;
  }
  const shown =
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
      ? paint.dim("–")
      : escapeControl(cellText(value));
  return `${indent}${paint.dim(inCells(text, width, "left"))}${gap}${shown}\n`;
}
