import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSource } from "../../src/features/import/sources/open.js";
import type { Encoding, Format, SourceRow } from "../../src/features/import/sources/types.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "voxctl-sources-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface ReadFile {
  format: Format;
  encoding: Encoding;
  rows: SourceRow[];
  values: (readonly unknown[])[];
}

async function read(content: string | Uint8Array, name = "list.csv"): Promise<ReadFile> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const source = await openSource({ path }, { name, temporaryFolder: folder });
  try {
    const rows: SourceRow[] = [];
    for await (const row of source.rows()) rows.push(row);
    return { format: source.format, encoding: source.encoding, rows, values: rows.map((row) => row.values) };
  } finally {
    await source.close();
  }
}

const refusal = (content: string | Uint8Array, name?: string) =>
  read(content, name).then(
    () => "read",
    (error: Error & { code?: string; hint?: string }) =>
      `${error.code}: ${error.message} (${error.hint ?? ""})`,
  );

const windows1252 = (text: string) =>
  Buffer.from(text.replaceAll("€", "\x80").replaceAll("–", "\x96"), "latin1");

describe("the encoding of a source", () => {
  const text = "Vorname;Ort\r\nJörg;Köln\r\nÄnne;Fürth\r\n";
  const utf16 = (order: "le" | "be") => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return order === "le" ? bytes : bytes.swap16();
  };
  test.each<[string, Uint8Array, Encoding]>([
    ["UTF-8", Buffer.from(text), "utf-8"],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${text}`), "utf-8"],
    ["UTF-16 little endian", utf16("le"), "utf-16le"],
    ["UTF-16 big endian", utf16("be"), "utf-16be"],
    ["Windows-1252", windows1252(text), "windows-1252"],
  ])("the encoding of a file is detected as %s", async (_, bytes, encoding) => {
    const file = await read(bytes);
    expect(file.encoding).toBe(encoding);
    expect(file.rows[0]?.names).toEqual(["Vorname", "Ort"]);
    expect(file.values).toEqual([
      ["Jörg", "Köln"],
      ["Änne", "Fürth"],
    ]);
  });

  test("Windows-1252 is detected even if the first umlaut is at the end of the file", async () => {
    const { encoding, rows } = await read(windows1252(`name\n${"Anna\n".repeat(60_000)}Jörg 5 € –`));
    expect(encoding).toBe("windows-1252");
    expect(rows.at(-1)?.values).toEqual(["Jörg 5 € –"]);
  });

  test("the error for an invalid byte in a UTF-8 file shows the line", async () => {
    const broken = Buffer.concat([
      Buffer.from("name\nJörg\nÄnne\nZoë\n"),
      Buffer.from([0x4a, 0xf6, 0x72, 0x67, 10]),
    ]);
    expect(await refusal(broken)).toMatch(/^encoding_broken: .*line 5/);
  });

  test("a character that is split across two chunks is decoded", async () => {
    const rows = "ä".repeat(99_999);
    expect((await read(`name\nx${rows}\n`)).values).toEqual([[`x${rows}`]]);
  });
});

describe("CSV and TSV", () => {
  test.each([";", ",", "\t", "|"])("the delimiter %j is detected", async (delimiter) => {
    const lines = [
      ["Vorname", "Telefon", "Notiz"],
      ["Anna", "030 1", "x"],
      ["Bert", "030 2", '"a; b, c"'],
    ];
    const { values } = await read(lines.map((cells) => cells.join(delimiter)).join("\n"));
    expect(values[0]).toEqual(["Anna", "030 1", "x"]);
    expect(values[1]?.[2]).toBe("a; b, c");
  });

  test("names with commas don't change the detected delimiter of a semicolon file", async () => {
    const { values } = await read(
      "Vorname;Nachname\nAnna;Schmidt, geb. Köhler\nBert;Weiß, jun.\nCleo;Ahr, sen.\n",
    );
    expect(values[0]).toEqual(["Anna", "Schmidt, geb. Köhler"]);
  });

  test('the delimiter in Excel\'s "sep=" line is used', async () => {
    const { values, rows } = await read("sep=|\na|b\n1,5|2\n");
    expect(values).toEqual([["1,5", "2"]]);
    expect(rows[0]?.line).toBe(3);
  });

  test("quoted cells can contain delimiters, quotes and line breaks, with any line endings", async () => {
    const { values, rows } = await read('a;b\r\n"x;1";"say ""hi"""\r\n"two\r\nlines";3\n');
    expect(values).toEqual([
      ["x;1", 'say "hi"'],
      ["two\nlines", "3"],
    ]);
    expect(rows.map(({ number, line }) => [number, line])).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  test("empty lines and empty rows are skipped, but count in line numbers", async () => {
    const { rows } = await read("a;b\n\n1;2\n;;\n  \n3;4\n\n");
    expect(rows.map(({ number, line }) => [number, line])).toEqual([
      [1, 3],
      [2, 6],
    ]);
  });

  test("a row with too many filled cells is reported", async () => {
    const { rows } = await read("a;b;c\n1;2;3;4\n1;2;3;;\n1\n1;2;3\n");
    expect(rows.map(({ problem }) => problem !== undefined)).toEqual([true, false, false, false]);
    expect(rows[0]?.problem).toContain("has a value in cell 4 but the header has only 3 columns");
  });

  test("the error for too many cells names the last cell with a value", async () => {
    const { rows } = await read("a;b;c\n1;2;3;4;;\n1;2;3;;5;\n");
    expect(rows.map(({ problem }) => /cell \d/.exec(problem ?? "")?.[0])).toEqual(["cell 4", "cell 5"]);
  });

  test("a quote within a quoted cell doesn't have to be doubled", async () => {
    const { rows } = await read('a;b\nx;"Dr. "Doc" Huber"\n');
    expect(rows[0]).toMatchObject({ values: ["x", 'Dr. "Doc" Huber'] });
    expect(rows[0]?.problem).toBeUndefined();
  });

  test("an unclosed quote makes one row invalid, but not the rows before it", async () => {
    const { rows } = await read('a;b\n1;2\n"open;3\n4;5\n');
    expect(rows.map(({ problem }) => problem)).toEqual([undefined, "a quote is never closed"]);
  });

  test.each([
    ["shorter than all others", "1;2;3\n4;5\n", true],
    ["shorter like others, without a line ending", "1;2\n4;5", true],
    ["shorter like others", "1;2\n4;5\n", false],
    ["complete, without a line ending", "1;2;3\n4;5;6", false],
  ])("the last row shows whether a file was truncated: %s", async (_, text, isCut) => {
    for (const rows of [1, 20_000]) {
      const read_ = await read(`a;b;c\n${"7;8;9\n".repeat(rows - 1)}${text}`);
      expect(read_.rows.slice(0, -1).every(({ problem }) => problem === undefined)).toBe(true);
      expect(read_.rows.at(-1)?.problem?.includes("the file looks truncated") ?? false).toBe(isCut);
    }
  });

  test("a file with one column needs no delimiter", async () => {
    expect((await read("Name\nAnna\nBert\n")).values).toEqual([["Anna"], ["Bert"]]);
  });

  test("a file with only a header is a table without rows", async () => {
    expect((await read("a;b\n")).rows).toEqual([]);
  });
});

describe("JSON and JSONL", () => {
  test("an invalid line of JSONL makes only its own row invalid", async () => {
    const { format, rows } = await read('{"a":1}\n\n{"a":\n[1]\n{"a":2}\n', "list.jsonl");
    expect(format).toBe("jsonl");
    expect(rows.map(({ number, line, problem }) => [number, line, problem === undefined])).toEqual([
      [1, 1, true],
      [2, 3, false],
      [3, 4, false],
      [4, 5, true],
    ]);
  });

  test("a JSON array is read element by element", async () => {
    const content = '[ {"a":"]},{\\"[", "b":[1,{"c":[]}]},\n 5,\n\n {"a":null}\n]\n';
    const { format, rows } = await read(content, "list.json");
    expect(format).toBe("json");
    expect(rows[0]).toMatchObject({ names: ["a", "b"], values: [']},{"[', [1, { c: [] }]] });
    expect(rows[1]?.problem).toBe("is not a JSON object");
    expect(rows[2]).toMatchObject({ number: 3, line: 4, values: [null] });
  });

  test("a JSON array that is incomplete or followed by other text is refused", async () => {
    expect(await refusal('[{"a":1},', "list.json")).toContain("ends inside its JSON array");
    expect(await refusal('[{"a":1}] x', "list.json")).toContain("outside the JSON array");
  });

  test("the type of a file without a known extension is detected by its first character", async () => {
    expect((await read(' [{"a":1}]', "list")).format).toBe("json");
    expect((await read('{"a":1}', "list")).format).toBe("jsonl");
    expect((await read("a;b\n1;2", "list")).format).toBe("csv");
  });
});

describe("files that are not text", () => {
  test.each<[string, number[], string, RegExp]>([
    ["an .xlsx", [0x50, 0x4b, 3, 4, 0], "list.xlsx", /spreadsheet.*CSV UTF-8/],
    ["an .xlsx file with another extension", [0x50, 0x4b, 3, 4, 0], "list.csv", /spreadsheet.*CSV UTF-8/],
    ["an old .xls", [0xd0, 0xcf, 0x11, 0xe0], "list.xls", /spreadsheet/],
    ["gzip", [0x1f, 0x8b, 8], "list.csv.gz", /gunzip -c list\.csv\.gz/],
    ["a PDF", [0x25, 0x50, 0x44, 0x46], "list.pdf", /PDF/],
    ["zero bytes", [0x61, 0, 0x62, 0], "list.csv", /NUL bytes/],
  ])("a file that is not text is refused with a hint: %s", async (_, bytes, name, message) => {
    expect(await refusal(Uint8Array.from(bytes), name)).toMatch(message);
  });

  test("an empty file, a missing file and a directory are refused with a hint", async () => {
    expect(await refusal("")).toContain("is empty");
    const open = (path: string) => openSource({ path }, { name: path, temporaryFolder: folder });
    await expect(open(join(folder, "missing.csv"))).rejects.toThrow("no such file");
    await expect(open(folder)).rejects.toThrow("is a directory");
  });
});

test("standard input can be read repeatedly, like a file", async () => {
  const chunks = [Buffer.from("na"), Buffer.from("me\nJ"), Buffer.from([0xf6]), Buffer.from("rg\n")];
  const source = await openSource({ stream: Readable.from(chunks) }, { name: "-", temporaryFolder: folder });
  for (let time = 0; time < 2; time += 1) {
    const names: unknown[] = [];
    for await (const row of source.rows()) names.push(row.values[0]);
    expect(names).toEqual(["Jörg"]);
  }
  await source.close();
  expect(readdirSync(folder)).toEqual([]);
});

test("a file that changes while it is read is refused", async () => {
  const path = join(folder, "list.csv");
  writeFileSync(path, "name\nAnna\n");
  const source = await openSource({ path }, { name: path, temporaryFolder: folder });
  writeFileSync(path, "name\nAnna\nBert\n");
  const reading = (async () => {
    for await (const _ of source.rows());
  })();
  await expect(reading).rejects.toThrow("changed while it was being read");
  await source.close();
});

test("a small file is read only once, so later changes have no effect", async () => {
  const path = join(folder, "list.csv");
  writeFileSync(path, "name\nAnna\nBert\n");
  const source = await openSource({ path }, { name: path, temporaryFolder: folder });
  const whole = async () => {
    const rows: SourceRow[] = [];
    for await (const row of source.rows()) rows.push(row);
    return rows;
  };
  for await (const _ of source.rows()) break;
  const first = await whole();
  writeFileSync(path, "name\nAnna\n");
  expect(await whole()).toEqual(first);
  expect(first.map(({ values }) => values[0])).toEqual(["Anna", "Bert"]);
  await source.close();
});
