import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSource } from "../../src/features/import/sources/open.js";
import type { SourceRow } from "../../src/features/import/sources/types.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "voxctl-quoting-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function read(content: string): Promise<SourceRow[]> {
  const path = join(folder, "list.csv");
  writeFileSync(path, content);
  const source = await openSource({ path }, { name: "list.csv", temporaryFolder: folder });
  try {
    const rows: SourceRow[] = [];
    for await (const row of source.rows()) rows.push(row);
    return rows;
  } finally {
    await source.close();
  }
}

const cells = async (content: string) => {
  const rows = await read(content);
  expect(rows.flatMap(({ problem, unreadable }) => [problem, unreadable].filter(Boolean))).toEqual([]);
  return rows.map(({ values }) => values.map((value) => String(value).trim()));
};
const delimiters = [",", ";", "\t", "|"];

describe.each(delimiters)("CSV with %j between cells", (delimiter) => {
  const table = (...lines: string[]) =>
    `${lines.map((line) => line.replaceAll("¦", delimiter)).join("\n")}\n`;

  test("a backslash makes the next quote, delimiter or line ending part of the cell", async () => {
    const text = table(
      "Vorname¦Nachname¦Telefon",
      '"Anna \\"Anni\\""¦"Schmidt"¦"030 1"',
      '"Ben"¦"Kr\\¦ug"¦"030 2"',
      "Cleo¦Mei\\¦er¦030 3",
      "Dora¦am Ende\\\nder Zeile¦030 4",
      '"Eva \\\\"¦"Au"¦"030 5"',
    );
    expect(await cells(text)).toEqual([
      ['Anna "Anni"', "Schmidt", "030 1"],
      ["Ben", `Kr${delimiter}ug`, "030 2"],
      ["Cleo", `Mei${delimiter}er`, "030 3"],
      ["Dora", "am Ende\nder Zeile", "030 4"],
      ["Eva \\", "Au", "030 5"],
    ]);
  });

  test("in a file without backslash escapes, a backslash is an ordinary character", async () => {
    const text = table("Name¦Ordner¦Ort", '"Anna"¦"C:\\"¦"Ulm"', '"B ""x"""¦C:\\temp\\¦"Köln"');
    expect(await cells(text)).toEqual([
      ["Anna", "C:\\", "Ulm"],
      ['B "x"', "C:\\temp\\", "Köln"],
    ]);
  });

  test("the whole file is read to decide whether a backslash is an escape", async () => {
    const plain = Array.from({ length: 4_000 }, (_, n) => `"Vor${n}"¦"Nach${n}"¦"030 ${n}00000"`);
    const text = table("Vorname¦Nachname¦Telefon", ...plain, '"Z \\"Zet\\""¦"Zorn"¦"030 1"');
    expect((await cells(text)).at(-1)).toEqual(['Z "Zet"', "Zorn", "030 1"]);
  });

  test("spaces outside the quotes of a cell are not part of the cell", async () => {
    const text = table('"Vorname"¦ "Nachname"¦ "Telefon"', '"Anna" ¦ "Schmidt¦ geb. Au"  ¦ "030 1"');
    expect(await cells(text)).toEqual([["Anna", `Schmidt${delimiter} geb. Au`, "030 1"]]);
  });

  test("single quotes around a cell are removed, but an apostrophe in a name is kept", async () => {
    const text = table("'Vorname'¦'Nachname'¦'Telefon'", "'Anna'¦'O''Neil'¦030", "'Ben'¦'Krug¦ jun.'¦1");
    expect(await cells(text)).toEqual([
      ["Anna", "O'Neil", "030"],
      ["Ben", `Krug${delimiter} jun.`, "1"],
    ]);
    const names = table("Vorname¦Nachname¦Telefon", "'t¦Hooft¦1", "Pat¦O'Neil¦2", 'Al¦"d\'Or"¦3');
    expect((await cells(names)).map(([first, last]) => [first, last])).toEqual([
      ["'t", "Hooft"],
      ["Pat", "O'Neil"],
      ["Al", "d'Or"],
    ]);
  });

  test.each([
    ["text after a quoted cell", '"Anna" x¦"Schmidt"¦"030 1"'],
    ["an undoubled quote at a delimiter", '"Anna "Anni""¦"Schmidt"¦"030 1"'],
    ["an undoubled quote on each side of a delimiter", '"A "b"¦ c"¦"Schmidt"¦"030 1"'],
    ["one quote too many", '"Anna""¦"Schmidt"¦"030 1"'],
  ])("%s makes only its own row invalid", async (_, line) => {
    const rows = await read(table("Vorname¦Nachname¦Telefon", line, '"Ben"¦"Krug"¦"030 2"'));
    const sound = rows.filter(({ problem, unreadable }) => problem === undefined && unreadable === undefined);
    expect(sound.map(({ values }) => values)).toEqual([["Ben", "Krug", "030 2"]]);
    expect(rows[0]?.problem).toMatch(/quote/);
  });

  test("an unmatched quote is invalid next to a word, but not as an inch sign", async () => {
    const rows = await read(
      table("Vorname¦Nachname¦Notiz", 'Anna¦Schm"idt¦x', 'Ben¦Krug¦5" Rohr', 'Cleo¦"Au"¦y'),
    );
    expect(rows.map(({ unreadable }) => [...(unreadable?.keys() ?? [])])).toEqual([[1], [], []]);
  });

  test.each([
    ["two rows", ['Anna¦"Schmidt¦030 1', 'Ben¦Krug"¦030 2']],
    ["many rows", ['"Anna¦Schmidt¦030 1', "Ben¦Krug¦030 2", "Cleo¦Meier¦030 3", 'Dora¦Distel¦030 4"']],
    ["two rows and an empty line", ['Anna¦"Schmidt¦030 1', "", 'Ben¦Krug"¦030 2']],
    ["rows from the last column onward", ['Anna¦Schmidt¦"030 1', 'Ben¦Krug¦030 2"']],
    ["rows up to the first column", ['Anna¦Schmidt¦"030 1', 'Ben"¦Krug¦030 2']],
  ])("the error for a quoted cell that contains %s shows its lines", async (_, lines) => {
    const rows = await read(table("Vorname¦Nachname¦Telefon", ...lines, "Eva¦Esche¦030 5"));
    expect(rows.map(({ line, hidesRows }) => [line, hidesRows])).toEqual([
      [2, true],
      [2 + lines.length, undefined],
    ]);
    expect(rows[0]?.problem).toContain(`lines 2 to ${1 + lines.length}`);
  });

  test("lines that look like rows are part of a cell if every cell of the row is quoted", async () => {
    const text = table("Vorname¦Telefon¦Notiz", '"Anna"¦"030 1"¦"a\nBen¦Ulm¦030 2\nb"', "Eva¦030 5¦c");
    expect((await cells(text)).map((row) => row[2])).toEqual([
      `a\nBen${delimiter}Ulm${delimiter}030 2\nb`,
      "c",
    ]);
  });

  test("a row with as many cells as the header is read, although several cells have line breaks", async () => {
    const rows = [
      '"Weg 1\n50667 Köln"¦Eva¦Groß¦"a\nb"',
      'Ulm¦"Ben\nBo"¦Krug¦"x\n1¦2¦3¦4\ny"',
      "Bonn¦Cleo¦Au¦c",
    ];
    expect(await cells(table("Adresse¦Vorname¦Nachname¦Notiz", ...rows))).toEqual([
      ["Weg 1\n50667 Köln", "Eva", "Groß", "a\nb"],
      ["Ulm", "Ben\nBo", "Krug", `x\n${[1, 2, 3, 4].join(delimiter)}\ny`],
      ["Bonn", "Cleo", "Au", "c"],
    ]);
  });

  test("a row of a --rejects file with a line break in its middle cell is read", async () => {
    const text = table("Vorname¦Telefon¦voxctl_error", 'Eva¦"030 1\n030 2"¦x', "Ben¦030 3¦x");
    expect((await cells(text)).map((row) => row[1])).toEqual(["030 1\n030 2", "030 3"]);
  });

  test("a header that contains whole rows is refused", async () => {
    const text = table('Vorname¦"Nachname¦Telefon', 'Anna¦Schmidt"¦030 1');
    await expect(read(text)).rejects.toThrow("lines 1 to 2");
  });

  test("multi-line notes and prose with commas are read unchanged", async () => {
    const note = "Bitte anrufen, aber spät, ja\n\nSonst; naja; dann, eben\nDanke, bis bald, Tschüss";
    const text = table("Vorname¦Telefon¦Notiz", `Anna¦030 1¦"${note}"`, 'Ben¦030 2¦"a\nb"');
    expect((await cells(text)).map((row) => row[2])).toEqual([note, "a\nb"]);
  });
});
