import { excerptDifference } from "../../base/excerpts.js";
import { formatCount } from "../../base/text.js";
import type { Rejected } from "../../write/engine/results-file.js";
import type { Column } from "../output/output.js";
import type { TableStyle } from "../output/table.js";
import { cutToCells, displayWidth, foldToCells } from "../terminal/cells.js";
import { joined, type Painted, splitLines, toLines } from "../terminal/paint.js";

export type InputUnit = "row" | "file" | "step";

export const rejectedColumns: readonly Column[] = [
  { header: "ROW", value: "row", keep: true, align: "right" },
  { header: "LINE", value: "line", keep: true, align: "right" },
  { header: "COLUMN", value: formatColumn, keep: true },
  { header: "VALUE", value: (line) => shortenValue(formatRowValue(line)) },
  { header: "REASON", value: (line) => `${formatServiceField(line)}${formatReason(line)}` },
];

const fileColumns: readonly Column[] = [
  { header: "FILE", value: "file" },
  { header: "REASON", value: (line) => `${formatNamedField(line)}${formatReason(line)}` },
];

const stepColumns: readonly Column[] = [
  { header: "STEP", value: "line", keep: true, align: "right" },
  { header: "NAME", value: (line) => shortenValue(formatRowValue(line)) },
  { header: "FIELD", value: formatField, keep: true },
  { header: "REASON", value: formatReason },
];

const columnsByUnit = { row: rejectedColumns, file: fileColumns, step: stepColumns };

export async function formatRejectedRows(
  { count, first }: Rejected,
  unit: InputUnit,
  style: TableStyle,
): Promise<Painted> {
  const { Table } = await import("../output/table.js");
  const columns = columnsByUnit[unit];
  const available = style.plain ? undefined : style.available();
  const whole = new Table(columns, { ...style, available: () => undefined }).lines(first);
  const fits =
    available === undefined || splitLines(whole).every((line) => displayWidth(String(line)) <= available);
  // The reason is the most important column. If the table is too wide, print each reason on a separate line.
  const table = fits ? whole : await formatWithReasonsBelow(columns, first, style, available);
  const more = count - first.length;
  return more > 0 ? joined([table, toLines([`… and ${formatCount(more, unit)} more`])]) : table;
}

const changedColumns: readonly Column[] = [
  { header: "ROW", value: "row", keep: true, align: "right" },
  { header: "LINE", value: "line", keep: true, align: "right" },
  { header: "CONTACT", value: (line) => shortenValue(formatRowValue(toFields(line["before"]))) },
  { header: "CHANGE", value: formatChanges },
];

export async function formatChangedRows(
  { count, first }: Rejected["changed"],
  unit: InputUnit,
  style: TableStyle,
): Promise<Painted> {
  const { Table } = await import("../output/table.js");
  const more = count - first.length;
  const table = new Table(changedColumns, style).lines(first);
  return more > 0
    ? joined([table, toLines([`… and ${formatCount(more, `more ${unit}`)} with changes`])])
    : table;
}

function formatChanges({ changes, before }: Fields): string {
  const former = toFields(before);
  return Object.entries(toFields(changes))
    .map(([field, now]) => {
      // Shorten long values around the difference, so that the difference stays visible.
      const sides = excerptDifference(formatValue(former[field]), formatValue(now), valueCells);
      const [before, after] = sides.map((text) => (text === "" ? "nothing" : shortenValue(text)));
      return `${field}: ${before} → ${after}`;
    })
    .join("; ");
}

const toFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? { ...value } : {};

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

const reasonIndent = "  ";

async function formatWithReasonsBelow(
  columns: readonly Column[],
  rows: readonly Fields[],
  style: TableStyle,
  available: number,
): Promise<Painted> {
  const { Table } = await import("../output/table.js");
  const reason = columns.at(-1)?.value;
  const tableColumns = columns.slice(0, -1);
  const [header = "", ...lines] = splitLines(new Table(tableColumns, style).lines(rows));
  const below = rows.map((row) => {
    const text = String(typeof reason === "function" ? reason(row) : "");
    return foldToCells(text, Math.max(1, available - reasonIndent.length)).map(
      (part) => `${reasonIndent}${part}`,
    );
  });
  return toLines([header, ...rows.flatMap((_, index) => [lines[index] ?? "", ...(below[index] ?? [])])]);
}

type Fields = Readonly<Record<string, unknown>>;

function findServiceDetail({ details }: Fields): Fields {
  const [first]: unknown[] = Array.isArray(details) ? details : [];
  return typeof first === "object" && first !== null ? { ...first } : {};
}

/** Returns the column's name in the user's file. Without `column`, the column has the field's name. */
function formatColumn({ column, field }: Fields): unknown {
  return column === undefined ? (field ?? "") : shortenValue(column);
}

function formatField(line: Fields): unknown {
  return line["field"] ?? formatServicePath(line);
}

function formatServicePath(line: Fields): string {
  const path = findServiceDetail(line)["path"];
  return Array.isArray(path) ? path.join(".") : "";
}

/** Names the field of a service error, because the column that provided the value is unknown. */
function formatServiceField(line: Fields): string {
  const path = formatServicePath(line);
  return path === "" || formatColumn(line) !== "" ? "" : `${path}: `;
}

export const undoneColumns = (unit: InputUnit): readonly Column[] => [
  {
    header: unit === "step" ? "STEP" : "LINE",
    // Organizations outside the spec, and all entries of a JSON spec, have line 0.
    value: ({ line }) => (line === 0 ? null : line),
    keep: true,
    align: "right",
  },
  { header: "ITEM", value: formatRowValue, keep: true },
  { header: "UNDO", value: formatUndo, keep: true },
];

const undoTexts: Readonly<Record<string, string>> = {
  deleted: "will be deleted",
  restored: "will be restored",
  recreated: "will be recreated with a new ID",
  not_undoable: "can't be undone",
  changed: "kept: changed after the run",
  gone: "already deleted",
  kept: "kept",
  with_msp: "expected to be deleted with its MSP",
  matched: "kept",
  failed: "can't be restored",
  unknown: "will be checked first",
};

function formatUndo({ outcome, undo_reason: reason, restores }: Fields): string {
  const action = undoTexts[String(outcome)] ?? String(outcome);
  if (typeof reason === "string") return `${action}: ${reason}`;
  const restored = formatRestored(toFields(restores));
  return outcome === "restored" && restored !== "" ? `${action}: ${restored}` : action;
}

function formatRestored({ licenses, externalLicenseId: license, ...fields }: Fields): string {
  // A request that restores an MSP's license contains only that license.
  const { externalLicenseId: _, ...ofLicense } = toFields(Array.isArray(licenses) ? licenses[0] : undefined);
  return Object.entries({ ...fields, ...(license === undefined ? {} : { license }), ...ofLicense })
    .map(([name, value]) =>
      typeof value === "string" && value.length <= valueCells ? `${name} ${value}` : name,
    )
    .join(", ");
}

function formatRowValue(line: Fields): unknown {
  const known = line["value"] ?? line["term"] ?? line["token"] ?? line["name"];
  return known ?? [line["first_name"], line["last_name"]].filter((name) => name !== undefined).join(" ");
}

const valueCells = 40;

function shortenValue(value: unknown): string {
  return cutToCells(String(value).slice(0, 2 * valueCells), valueCells);
}

function formatReason(line: Fields): unknown {
  const reason = findServiceDetail(line)["message"] ?? line["reason"] ?? "";
  if (line["outcome"] === "unknown") return `unconfirmed: ${reason}`;
  const [, ...more]: unknown[] = Array.isArray(line["problems"]) ? line["problems"] : [];
  const fields = new Set(
    more.map(toFields).map(({ field, column }) => String(column === undefined ? field : `"${column}"`)),
  );
  const text = fields.size === 0 ? reason : `${reason} (also invalid: ${[...fields].join(", ")})`;
  return line["outcome"] === "partly" ? `${text}; the rest of the row is used` : text;
}

function formatNamedField(line: Fields): string {
  return line["field"] === "name" ? `"${shortenValue(line["value"])}" ` : "";
}
