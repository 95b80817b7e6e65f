import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw } from "node:zlib";

/** A text, a number in the notation of the file, or the XML of a cell: its attributes and its content. */
type Cell = string | { number: string } | { attributes: string; xml: string } | null;

const declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`;
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";

/** A sheet, with properties that are not visible in its rows. */
export interface SheetView {
  rows: readonly (readonly Cell[])[];
  name?: string;
  state?: "hidden" | "veryHidden";
  hiddenRows?: readonly number[];
  /** XML before the rows, for example for columns. */
  before?: string;
  /** Merged ranges. */
  merged?: readonly string[];
}

export function createSpreadsheet(...tables: readonly (readonly Cell[])[][]): Buffer {
  return createWorkbook(...tables.map((rows) => ({ rows })));
}

export function createWorkbook(...tables: readonly SheetView[]): Buffer {
  const numbers = tables.map((_, index) => index + 1);
  const parts: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${tables.map(sheetXml).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packages}/relationships">${numbers.map((number) => `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`).join("")}</Relationships>`,
  };
  for (const [index, { rows: table, hiddenRows = [], before = "", merged = [] }] of tables.entries()) {
    const rows = table.map(
      (row, line) =>
        `<row r="${line + 1}"${hiddenRows.includes(line + 1) ? ' hidden="1"' : ""}>${row.map((cell, column) => cellXml(cell, column, line)).join("")}</row>`,
    );
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="${main}">${before}<sheetData>${rows.join("")}</sheetData>${mergesXml(merged)}</worksheet>`;
  }
  return archive(
    Object.entries(parts).map(([name, text]) => {
      const bytes = Buffer.from(declaration + text);
      return { name, method: 0, bytes, length: bytes.length, crc: crc32(bytes) };
    }),
  );
}

function sheetXml({ name, state }: SheetView, index: number): string {
  const shown = state === undefined ? "" : ` state="${state}"`;
  return `<sheet name="${name ?? `T${index + 1}`}" sheetId="${index + 1}"${shown} r:id="rId${index + 1}"/>`;
}

function mergesXml(merged: readonly string[]): string {
  if (merged.length === 0) return "";
  return `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join("")}</mergeCells>`;
}

function cellXml(cell: Cell, column: number, line: number): string {
  if (cell === null) return "";
  const reference = `${String.fromCharCode(65 + column)}${line + 1}`;
  if (typeof cell !== "string" && "xml" in cell)
    return `<c r="${reference}" ${cell.attributes}>${cell.xml}</c>`;
  if (typeof cell !== "string") return `<c r="${reference}"><v>${cell.number}</v></c>`;
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
}

/** A part of a workbook, in pieces, because the whole text may be larger than the memory. */
export type Part = readonly [name: string, pieces: Iterable<string>];

/**
 * Packs a spreadsheet whose first sheet is this XML (the content of `<sheetData>`). Other parts are added unchanged.
 * The workbook refers to `xl/sharedStrings.xml` for texts and to `xl/styles.xml` for styles.
 */
export async function packSpreadsheet(rows: Iterable<string>, ...more: Part[]): Promise<Buffer> {
  const related = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
  const parts: Part[] = [
    ["[Content_Types].xml", [`<Types xmlns="${packages}/content-types"/>`]],
    [
      "xl/workbook.xml",
      [
        `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="T1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ],
    ],
    [
      "xl/_rels/workbook.xml.rels",
      [
        `<Relationships xmlns="${packages}/relationships">`,
        related("rId1", "worksheet", "worksheets/sheet1.xml"),
        related("rId2", "sharedStrings", "sharedStrings.xml"),
        related("rId3", "styles", "styles.xml"),
        "</Relationships>",
      ],
    ],
    ["xl/worksheets/sheet1.xml", sheetPieces(rows)],
    ...more,
  ];
  const packed: PackedPart[] = [];
  for (const [name, pieces] of parts) packed.push(await pack(name, pieces));
  return archive(packed);
}

function* sheetPieces(rows: Iterable<string>): Generator<string, void> {
  yield `${declaration}<worksheet xmlns="${main}"><sheetData>`;
  yield* rows;
  yield "</sheetData></worksheet>";
}

interface PackedPart {
  name: string;
  /** 0: stored, 8: deflated. */
  method: number;
  bytes: Buffer;
  length: number;
  crc: number;
}

async function pack(name: string, pieces: Iterable<string>): Promise<PackedPart> {
  let crc = 0;
  let length = 0;
  async function* measured(): AsyncGenerator<Buffer, void> {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece);
      crc = crc32(bytes, crc);
      length += bytes.length;
      yield bytes;
    }
  }
  const chunks: Buffer[] = [];
  await pipeline(measured, createDeflateRaw({ level: 9 }), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk);
  });
  return { name, method: 8, bytes: Buffer.concat(chunks), length, crc };
}

function archive(files: PackedPart[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, method, bytes, length, crc } of files) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(length, 18);
    fields.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(offset, 12);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), fields, entry.subarray(2), Buffer.from(name));
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), bytes]);
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
