import { CliError, exits } from "../errors/errors.js";
import { zipped } from "./zip.js";

const declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`;
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Limits of spreadsheets. Spreadsheet programs report larger files as damaged, or truncate them. */
const mostRows = 1_048_576;
const longestCell = 32_767;

/** Style 1 is text, so that an edited cell does not become a formula. */
const styles = [
  `<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>`,
  `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>`,
  `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>`,
  `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>`,
  `<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>`,
  `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/></cellXfs>`,
  // Some readers warn about a workbook without a normal style.
  `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
].join("");

/** A text, or a boolean (`b`), error value (`e`) or number (`n`) as a spreadsheet stores it. */
export type SheetCell = string | { type: "b" | "e" | "n"; value: string };

/** @throws usage error (2) for more rows or longer text than a spreadsheet supports */
export function buildSpreadsheet(
  header: readonly string[],
  rows: AsyncIterable<readonly SheetCell[]>,
): AsyncGenerator<Uint8Array, void> {
  return zipped([
    buildPart(
      "[Content_Types].xml",
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
    ),
    buildPart(
      "_rels/.rels",
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    buildPart(
      "xl/workbook.xml",
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    buildPart(
      "xl/_rels/workbook.xml.rels",
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ),
    buildPart("xl/styles.xml", styles),
    { name: "xl/worksheets/sheet1.xml", text: generateSheet(header, rows) },
  ]);
}

function buildPart(name: string, xml: string): { name: string; text: string[] } {
  return { name, text: [declaration, xml] };
}

async function* generateSheet(
  header: readonly string[],
  rows: AsyncIterable<readonly SheetCell[]>,
): AsyncGenerator<string, void> {
  yield `${declaration}<worksheet xmlns="${main}"><cols><col min="1" max="${header.length}" width="24" customWidth="1"/></cols><sheetData>`;
  yield formatRow(header, 1);
  let number = 1;
  for await (const row of rows) {
    number += 1;
    if (number > mostRows) throw createLimitError(`more than ${mostRows - 1} rows`);
    yield formatRow(row, number);
  }
  yield "</sheetData></worksheet>";
}

function formatRow(cells: readonly SheetCell[], number: number): string {
  const written = cells.map((cell, column) => {
    if (cell === "") return "";
    const cellAddress = `${toColumnName(column)}${number}`;
    if (typeof cell !== "string") return `<c r="${cellAddress}" t="${cell.type}"><v>${cell.value}</v></c>`;
    const text = cell;
    if (text.length > longestCell)
      throw createLimitError(`text with ${text.length} characters in ${cellAddress}`);
    return `<c r="${cellAddress}" s="1" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
  });
  return `<row r="${number}">${written.join("")}</row>`;
}

function createLimitError(what: string): CliError {
  return new CliError({
    exit: exits.usage,
    code: "too_large",
    message: `a spreadsheet can't contain ${what}; nothing was written`,
    hint: "use --format csv or --format jsonl",
  });
}

function toColumnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : toColumnName(Math.floor(index / 26) - 1) + letter;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * A character that XML can't represent becomes a sequence such as `_x0007_`; the underscore of such a
 * sequence in the text is escaped (ECMA-376, ST_Xstring).
 */
function escapeXml(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}_`,
    )
    .replace(/[&<>]/g, (character) => entities[character] ?? character);
}
