import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSource } from "../../src/features/import/sources/open.js";
import {
  type SpreadsheetLimits,
  spreadsheetLimits,
} from "../../src/features/import/sources/spreadsheet/limits.js";
import { type Ended, runBuilt } from "../helpers/processes.js";
import { type Part, packSpreadsheet } from "../helpers/xlsx.js";

const whole = process.env["PROOF"] !== undefined;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "voxctl-limits-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Options {
  limits?: Partial<SpreadsheetLimits>;
  signal?: AbortSignal;
}

async function read(content: Buffer, { limits, signal }: Options = {}): Promise<unknown[] | string> {
  const path = join(folder, "list.xlsx");
  writeFileSync(path, content);
  const options = {
    name: "list.xlsx",
    temporaryFolder: folder,
    spreadsheet: { ...spreadsheetLimits, ...limits },
    ...(signal ? { signal } : {}),
  };
  try {
    const source = await openSource({ path }, options);
    try {
      const values: unknown[] = [];
      for await (const { values: cells } of source.rows()) values.push(cells);
      return values;
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof Error && error.name === "BulkError") return error.message;
    throw error;
  }
}

const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (number: number, ...cells: string[]) => `<row r="${number}">${cells.join("")}</row>`;
const header = row(1, text("A1", "Vorname"), text("B1", "Telefon"));
const shared = (...pieces: string[]): Part => ["xl/sharedStrings.xml", ["<sst>", ...pieces, "</sst>"]];

function* repeated(piece: string, times: number): Generator<string, void> {
  for (let count = 0; count < times; count += 1) yield piece;
}

describe("a spreadsheet is read within limits", () => {
  test("the error for content beyond column 1,000 names the cell", async () => {
    const content = await packSpreadsheet([header, row(1_048_576, text("XFD1048576", "x"))]);
    expect(content.length).toBeLessThan(1_600);
    expect(await read(content)).toBe(
      "list.xlsx has content in cell XFD1048576, but the limit is 1,000 columns",
    );
  });

  test("a spreadsheet may have at most 1,000 columns and 1,048,576 rows", async () => {
    const last = await packSpreadsheet([header, row(1_048_576, text("A1048576", "Anna"))]);
    expect(await read(last)).toEqual([["Anna"]]);
    const below = await packSpreadsheet([header, row(1_048_577, text("A1048577", "Anna"))]);
    expect(await read(below)).toBe("list.xlsx has content in row 1048577, but the limit is 1,048,576 rows");
    const wide = await packSpreadsheet([row(1, text("ALL1", "Vorname")), row(2, text("ALL2", "Anna"))]);
    expect(await read(wide)).toEqual([[...Array<string>(999).fill(""), "Anna"]]);
  });

  test("cells that are formatted but empty do not count as content", async () => {
    const content = await packSpreadsheet([
      header,
      row(2, text("A2", "Anna"), '<c r="XFD2" s="1"/>', '<c r="XFE2" t="s"><v></v></c>'),
      row(2_000_000, '<c r="A2000000" s="1"/>'),
    ]);
    expect(await read(content)).toEqual([["Anna"]]);
  });

  test("unneeded parts of a spreadsheet are not unpacked", async () => {
    const content = await packSpreadsheet(
      [header, row(2, text("A2", "Anna"))],
      ["xl/worksheets/sheet2.xml", repeated(" ".repeat(10_000), 100)],
      ["xl/media/picture.png", repeated(" ".repeat(10_000), 100)],
    );
    expect(await read(content, { limits: { unpackedBytes: 10_000 } })).toEqual([["Anna"]]);
  });

  test("a spreadsheet is refused as soon as its unpacked content exceeds the limit", async () => {
    for (const part of [
      { rows: [header, "<row/>".repeat(10_000)], more: [] },
      { rows: [header], more: [shared("<si><t>Anna</t></si>".repeat(5_000))] },
      { rows: [header], more: [["xl/styles.xml", ["<xf/>".repeat(20_000)]] satisfies Part] },
    ]) {
      const content = await packSpreadsheet(part.rows, ...part.more);
      expect(content.length).toBeLessThan(2_500);
      expect(await read(content, { limits: { unpackedBytes: 50_000 } })).toMatch(
        /^list\.xlsx is too large .* when unpacked$/,
      );
    }
  });

  test("the number, total size and uses of a spreadsheet's shared strings are limited", async () => {
    const texts = shared(...repeated("<si><t>Anna</t></si>", 100));
    const cells = Array.from({ length: 100 }, (_, index) => row(index + 2, '<c t="s"><v>7</v></c>'));
    const content = await packSpreadsheet([header, ...cells], texts);
    expect(await read(content)).toHaveLength(100);
    expect(await read(content, { limits: { sharedTexts: 99 } })).toMatch(
      /more than 99 distinct text values$/,
    );
    expect(await read(content, { limits: { sharedTextBytes: 399 } })).toMatch(/of distinct text values$/);
    const long = shared(`<si><t>${"Anna ".repeat(1_000)}</t></si>`);
    const often = await packSpreadsheet([header, ...repeated('<row><c t="s"><v>0</v></c></row>', 100)], long);
    expect(await read(often, { limits: { characters: 99_999 } })).toMatch(/more than 99,999 characters$/);
  });

  test("the length of a row's text is limited, wherever the spreadsheet stores the text", async () => {
    const letters = "a".repeat(600);
    const sheet = [header, row(2, text("A2", letters), text("B2", letters))];
    const limits = { rowCharacters: 1_000 };
    expect(await read(await packSpreadsheet(sheet), { limits })).toMatch(
      /a row with more than 1,000 characters$/,
    );
    const uses = row(2, ...Array<string>(2).fill('<c t="s"><v>0</v></c>'));
    const twice = await packSpreadsheet([header, uses], shared(`<si><t>${letters}</t></si>`));
    expect(await read(twice, { limits })).toMatch(/a row with more than 1,000 characters$/);
    const endless = await packSpreadsheet([header, row(2, text("A2", "a".repeat(20_000)))]);
    expect(await read(endless, { limits })).toMatch(/a row with more than 1,000 characters$/);
  });

  test("a number with a huge exponent or 40,000 zeros is read as the text in the file", async () => {
    const numbers = ["1E999999999", "1E-999999999", `1${"0".repeat(40_000)}1`, `${"0".repeat(40_000)}x`];
    const rows = numbers.map((number, index) => row(index + 2, `<c><v>${number}</v></c>`));
    expect(await read(await packSpreadsheet([header, ...rows]))).toEqual(numbers.map((number) => [number]));
    const dates: Part = ["xl/styles.xml", ['<cellXfs><xf numFmtId="14"/></cellXfs>']];
    const far = await packSpreadsheet([header, row(2, '<c s="0"><v>1E300</v></c>')], dates);
    expect(await read(far)).toEqual([["1E300"]]);
  });

  test("the error for a malformed spreadsheet names the mistake", async () => {
    for (const [rows, message] of [
      [
        ['<!DOCTYPE a [<!ENTITY b "bbb">]>', header],
        "the file contains a document type declaration, which spreadsheets never have",
      ],
      [[header, `<row ${"a".repeat(100_000)}`], "one of its tags is too long"],
      [[header, `<row a${"=".repeat(60_000)}>`], "an attribute value is not quoted"],
      [[header, row(3), row(2)], "row 2 comes after row 3"],
      [[header, row(2, text("B2", "b"), text("A2", "a"))], "cell A2 is in the wrong position"],
      [[header, row(2, text("ÄÖ2", "b"))], "invalid cell address ÄÖ2"],
      [[header, row(2, '<c t="s"><v>7</v></c>')], "cell A2 refers to a string that doesn't exist"],
      [[header, "<!-- never ended"], "one of its parts is truncated"],
    ] satisfies [string[], string][])
      expect(await read(await packSpreadsheet(rows))).toBe(
        `list.xlsx can't be read as a spreadsheet: ${message}`,
      );
  });

  test("an archive with a damaged byte is refused, or its content is unaffected", async () => {
    const content = await packSpreadsheet([header, row(2, text("A2", "Anna"))]);
    const good = await read(content);
    for (let at = 0; at < content.length; at += whole ? 1 : 7) {
      const wrong = Buffer.from(content);
      wrong.writeUInt8((content.readUInt8(at) + 1 + (at % 254)) % 256, at);
      const result = await read(wrong);
      // Some bytes don't affect the content, such as those of a part's date.
      if (typeof result !== "string") expect(result).toEqual(good);
    }
  });

  test("a signal stops the reading of a spreadsheet, even in a file of empty rows", async () => {
    const content = await packSpreadsheet([header, ...repeated("<row/>".repeat(1_000), 500)]);
    const abort = new AbortController();
    setImmediate(() => abort.abort(new Error("stop")));
    await expect(read(content, { signal: abort.signal })).rejects.toThrow("stop");
  });

  test("a signal stops the search for the header row", async () => {
    const content = await packSpreadsheet([header, ...repeated("<row/>".repeat(1_000), 500)]);
    const path = join(folder, "list.xlsx");
    writeFileSync(path, content);
    const abort = new AbortController();
    // Abort after the unpacking has started.
    setTimeout(() => abort.abort(new Error("stop")), 5);
    const options = { name: "list.xlsx", temporaryFolder: folder, signal: abort.signal };
    await expect(openSource({ path }, options)).rejects.toThrow("stop");
  });
});

// Files of full size take minutes, so only `npm run proof -- spreadsheets` runs them.
describe.runIf(whole)("the built command with spreadsheets of maximum size", () => {
  const memory =
    'import{writeFileSync}from"node:fs";process.on("exit",()=>writeFileSync(process.env.MEMORY_FILE,String(process.resourceUsage().maxRSS)))';

  async function importing(
    content: Buffer,
    kill?: { after: number; signal: NodeJS.Signals },
  ): Promise<Ended & { megabytes: number }> {
    writeFileSync(join(folder, "list.xlsx"), content);
    const env = {
      HOME: folder,
      VOXCTL_DATA_DIR: join(folder, "data"),
      VOXCTL_CONFIG_DIR: join(folder, "config"),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(memory)}`,
      MEMORY_FILE: join(folder, "memory"),
    };
    const flags = ["--group", "Kunden", "--create-group", "--country", "DE", "--profile", "offline"];
    const ended = await runBuilt(["contacts", "import", "list.xlsx", ...flags, "--dry-run"], {
      env,
      cwd: folder,
      ...(kill ? { kill } : {}),
    });
    return { ...ended, megabytes: Number(readFileSync(join(folder, "memory"), "utf8")) / 1024 };
  }

  const empty = "<row/>".repeat(100_000);
  test.each([
    ["a far cell", [header, row(1_048_576, text("XFD1048576", "x"))], [], "XFD1048576"],
    ["400 kB that unpack to 400 MB", [header, ...repeated(empty, 667)], [], "more than 200 MB when unpacked"],
    [
      "190 MB of shared texts",
      [header],
      [
        [
          "xl/sharedStrings.xml",
          ["<sst>", ...repeated("<si><t>a</t></si>".repeat(58_824), 190), "</sst>"],
        ] satisfies Part,
      ],
      "more than 10,000,000 distinct text values",
    ],
    [
      "long texts that are used often",
      [header, ...repeated('<row><c t="s"><v>1</v></c></row>', 100_000)],
      [
        [
          "xl/sharedStrings.xml",
          ["<sst>", ...repeated(`<si><t>${"ä€".repeat(20_000)}</t></si>`, 1_000), "</sst>"],
        ] satisfies Part,
      ],
      "more than 100,000,000 characters",
    ],
  ] satisfies [string, string[], Part[], string][])(
    "an import refuses %s with exit code 2, in less than 500 MB of memory",
    async (_, rows, more, message) => {
      const { code, stderr, megabytes } = await importing(await packSpreadsheet(rows, ...more));
      expect(stderr).toContain(message);
      expect(code).toBe(2);
      expect(megabytes).toBeLessThan(500);
    },
  );

  test("an import plans a sheet of 1,048,575 contacts in less than 500 MB of memory", async () => {
    const contact = (_: unknown, index: number) =>
      row(
        index + 2,
        text(`A${index + 2}`, `Anna ${index}`),
        `<c r="B${index + 2}" t="inlineStr"><is><t>0151 ${10_000_000 + index}</t></is></c>`,
      );
    const content = await packSpreadsheet([header, ...Array.from({ length: 1_048_575 }, contact)]);
    const { code, stderr, megabytes } = await importing(content);
    expect([code, stderr.includes("error:")]).toEqual([0, false]);
    expect(megabytes).toBeLessThan(500);
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s stops the reading of 190 MB of empty rows within a second",
    async (signal) => {
      const content = await packSpreadsheet([header, ...repeated(empty, 316)]);
      const began = performance.now();
      const { code } = await importing(content, { after: 3_000, signal });
      expect(code).toBe(signal === "SIGTERM" ? 143 : 130);
      expect(performance.now() - began).toBeLessThan(4_000);
    },
  );
});
