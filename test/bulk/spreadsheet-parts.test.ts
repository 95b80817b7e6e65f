import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openSource } from "../../src/features/import/sources/open.js";
import {
  attributesOf,
  createXmlReader,
  decodeEntities,
} from "../../src/features/import/sources/spreadsheet/xml.js";
import { temporaryFolder } from "../helpers/cli.js";
import { packSpreadsheet } from "../helpers/xlsx.js";

const data = (name: string) => fileURLToPath(new URL(`../data/${name}`, import.meta.url));

async function rowsOf(name: string): Promise<[line: number, values: readonly unknown[]][]> {
  const source = await openSource({ path: data(name) }, { name, temporaryFolder: "unused" });
  try {
    const rows: [number, readonly unknown[]][] = [];
    for await (const { line, values } of source.rows()) rows.push([line, values]);
    return rows;
  } finally {
    await source.close();
  }
}

describe("spreadsheets from other programs", () => {
  test("a spreadsheet from openpyxl is read correctly, including dates and rich text", async () => {
    expect(await rowsOf("openpyxl.xlsx")).toEqual([
      [2, ["Jürgen & <Söhne>", "2024-02-29T13:30:00.000Z", "4915112345678", "true", "a\r\nbA", "=1+1"]],
      [3, ["   x ", "1999-12-31", "0.1", "false", "", "=A1"]],
      [5, ["fett und mager"]],
      [6, ["", "1904-01-01T12:00:00.000Z", "1e+21"]],
      [7, ["", "0.5", "2027-03-16", "2027-03-16T06:00:00.000Z", "12", "1904-01-02T06:00:00.000Z"]],
      [8, [...Array<string>(25).fill(""), "fern"]],
    ]);
  });

  test("a spreadsheet from XlsxWriter is read correctly, including formula results and links", async () => {
    expect(await rowsOf("xlsxwriter.xlsx")).toEqual([
      [2, ["Ü", "+49 151", "2020-01-01"]],
      [3, ["NameTel"]],
      [4, ["#DIV/0!"]],
      [5, ["abc"]],
      [6, ["https://example.org"]],
      [7, ["true"]],
      [8, ["\u0001ctl"]],
    ]);
  });
});

describe("number formats", () => {
  type Format = [id: number, code?: string | undefined];

  async function readNumber(number: string, [id, code]: Format, more = ""): Promise<unknown> {
    const defined =
      code === undefined ? "" : `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', "&quot;")}"/>`;
    const styles = `<styleSheet><numFmts>${defined}</numFmts><cellXfs><xf numFmtId="${id}"/></cellXfs>${more}</styleSheet>`;
    const rows = [
      '<row r="1"><c r="A1" t="inlineStr"><is><t>Telefon</t></is></c></row>',
      `<row r="2"><c r="A2" s="0"><v>${number}</v></c></row>`,
    ];
    const folder = temporaryFolder();
    const path = join(folder, "a.xlsx");
    writeFileSync(path, await packSpreadsheet(rows, ["xl/styles.xml", [styles]]));
    const source = await openSource({ path }, { name: "a.xlsx", temporaryFolder: folder });
    try {
      for await (const { values } of source.rows()) return values[0];
    } finally {
      await source.close();
    }
  }

  test.each<Format>([
    [14, undefined],
    [57, undefined],
    [5, "dd.mm.yyyy"],
    [41, "yyyy-mm-dd"],
    [50, "d/m/yy"],
    [100, "mm/dd/yy"],
    [164, "yyyymmdd"],
    [176, '[$-411]ggge"年"m"月"d"日";@'],
    [165, 'yyyy"_"mm_-dd'],
  ])("a number with format ID %j and format code %j is read as a date", async (id, code) => {
    expect(await readNumber("45352", [id, code])).toBe("2024-03-01");
  });

  test.each<Format>([
    [41, undefined],
    [99, undefined],
    [163, undefined],
    [14, "0"],
    [42, '_-* #,##0\\ _D_M_-;\\-* #,##0\\ _D_M_-;_-* "-"\\ _D_M_-;_-@_-'],
    [50, "#####"],
    [164, '0 "days"'],
    [165, '0;-0;"d"_d'],
  ])("a number with format ID %j and format code %j is not read as a date", async (id, code) => {
    expect(await readNumber("45352", [id, code])).toBe("45352");
  });

  test("a number format with a plus sign is recognized regardless of its ID", async () => {
    expect(await readNumber("436641234567", [50, '"+"0'])).toBe("+436641234567");
  });

  test("conditional formatting does not change the number format of cells", async () => {
    const dxfs = '<dxfs><dxf><numFmt numFmtId="30" formatCode="@"/></dxf></dxfs>';
    expect(await readNumber("45352", [30], dxfs)).toBe("2024-03-01");
  });
});

describe("XML in chunks", () => {
  /** Joins consecutive texts, because chunks may split them. */
  function events(pieces: readonly string[]): string[] {
    const seen: string[] = [];
    let text = "";
    const record = (event: string) => {
      if (text !== "") seen.push(`text ${decodeEntities(text)}`);
      text = "";
      seen.push(event);
    };
    const reader = createXmlReader({
      open: (name, attributes) => record(`open ${name} ${JSON.stringify([...attributesOf(attributes)])}`),
      close: (name) => record(`close ${name}`),
      text: (piece) => {
        text += piece;
      },
    });
    for (const piece of pieces) reader.write(piece);
    reader.end();
    return seen;
  }

  const document =
    `<?xml version="1.0"?><x:a xmlns:x='u' r = "1>2 &lt; 3"><!-- <b> -- > --><b/>` +
    `f&#252;r &amp; &uuml; &#x1F600;<![CDATA[<c> & ]] ]]><d\n r:id="7"\n/></x:a >`;

  test("the parsed XML does not depend on the chunks in which it arrives", () => {
    const whole = events([document]);
    expect(whole).toEqual([
      'open a [["x","u"],["r","1>2 < 3"]]',
      "open b []",
      "close b",
      "text für & &uuml; 😀<c> & ]] ",
      'open d [["id","7"]]',
      "close d",
      "close a",
    ]);
    fc.assert(
      fc.property(fc.array(fc.nat(document.length), { maxLength: 12 }), (cuts) => {
        const bounds = [0, ...cuts.toSorted((a, b) => a - b), document.length];
        const pieces = bounds.slice(1).map((end, index) => document.slice(bounds[index], end));
        expect(events(pieces)).toEqual(whole);
      }),
    );
    expect(events([...document])).toEqual(whole);
  });
});
