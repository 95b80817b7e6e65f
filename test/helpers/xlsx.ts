import { crc32 } from "node:zlib";

/** A text, a number as the file is to hold it, or a cell's attributes and content as they are. */
type Cell = string | { number: string } | { attributes: string; xml: string } | null;

const declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`;
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";

/** A spreadsheet of one sheet per table, as a file. */
export function spreadsheet(...tables: readonly (readonly Cell[])[][]): Buffer {
  const numbers = tables.map((_, index) => index + 1);
  const parts: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${numbers.map((number) => `<sheet name="T${number}" sheetId="${number}" r:id="rId${number}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packages}/relationships">${numbers.map((number) => `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`).join("")}</Relationships>`,
  };
  for (const [index, table] of tables.entries()) {
    const rows = table.map(
      (row, line) =>
        `<row r="${line + 1}">${row.map((cell, column) => cellXml(cell, column, line)).join("")}</row>`,
    );
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="${main}"><sheetData>${rows.join("")}</sheetData></worksheet>`;
  }
  return archive(Object.entries(parts).map(([name, text]) => [name, Buffer.from(declaration + text)]));
}

function cellXml(cell: Cell, column: number, line: number): string {
  if (cell === null) return "";
  const place = `${String.fromCharCode(65 + column)}${line + 1}`;
  if (typeof cell !== "string" && "xml" in cell) return `<c r="${place}" ${cell.attributes}>${cell.xml}</c>`;
  if (typeof cell !== "string") return `<c r="${place}"><v>${cell.number}</v></c>`;
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
}

/** A ZIP archive whose files are not compressed. */
function archive(files: [string, Buffer][]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(offset, 12);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), fields, entry.subarray(2), Buffer.from(name));
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), content]);
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
