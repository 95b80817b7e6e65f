import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFormula, neutralizeCell, restoreCell } from "../../src/base/formulas.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const formulas = [
  "=1+1",
  "+1+1",
  "-2+3",
  "@SUM(A1)",
  '=HYPERLINK("http://evil.example")',
  "＝1+1",
  "- nichts",
  "'=1+1",
  "''+x",
];

async function somebody() {
  const emulator = await openSeededEmulator({ seed: "empty" });
  const shell = commandLine({
    overrides: connectedTo(emulator),
    env: { VOXCTL_PROFILE: "offline", LC_ALL: "C" },
  });
  const { run, home } = shell;
  const define = async (term: string, definition: string) => {
    const words = [
      "glossary",
      "create",
      "--group",
      "Default",
      `--term=${term}`,
      `--set=definition=${JSON.stringify(definition)}`,
    ];
    expect((await run(...words)).code).toBe(0);
  };
  const file = (name: string) => readFileSync(join(home, name));
  const changes = async (name: string) => {
    const { json } = await run("glossary", "import", name, "--group", "Default", "--dry-run");
    const { created, updated, unchanged, invalid } = json;
    return { created, updated, unchanged, invalid };
  };
  return { ...shell, define, file, changes };
}

describe("flags of `list` that are set for an export", () => {
  test.each([
    [["glossary", "export", "g.csv", "--fields", "term"], "voxctl glossary list --all --fields term -o csv"],
    [["glossary", "export", "g.csv", "--jq", ".[]"], "voxctl glossary list --all --jq"],
    [["glossary", "export", "-o", "json"], "use `voxctl glossary list --all -o json`"],
    [["glossary", "export", "-o", "csv", "--format", "jsonl"], "expected csv, jsonl, xlsx"],
    [["calls", "export", "c.csv", "--from", "7d", "--fields", "id"], "voxctl calls list --all --fields id"],
    [["knowledge", "export", "folder", "--fields", "name"], "voxctl knowledge list --all --fields name"],
    [["orgs", "export", "-o", "csv"], "expected yaml or json"],
  ])("an export refuses flags of `list` before it creates a file: %j", async (argv, message) => {
    const { run, home } = await somebody();
    const { code, stdout, stderr } = await run(...argv);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
    expect(readdirSync(home).filter((name) => /^(g|c|folder)/.test(name) && name !== "config")).toEqual([]);
  });

  test("an export without a file name accepts -o ndjson and -o csv", async () => {
    const { run, define } = await somebody();
    await define("PZR", "Zahnreinigung");
    expect((await run("glossary", "export", "-o", "ndjson")).json).toMatchObject({ term: "PZR" });
    expect((await run("glossary", "export", "-o", "csv")).stdout).toMatch(/^term,/);
    expect((await run("glossary", "export", "g.csv", "-o", "json")).json).toMatchObject({ rows: 1 });
  });
});

describe("the file of an export", () => {
  test("an export to CSV warns about cells that look like formulas, but doesn't change them", async () => {
    const { run, define, file, changes } = await somebody();
    for (const [index, text] of formulas.entries()) await define(`term ${index}`, text);
    await define("number", "+4930123456");
    const exported = await run("glossary", "export", "g.csv");
    expect(exported.code).toBe(0);
    for (const text of formulas) expect(file("g.csv").toString()).toContain(text.replaceAll('"', '""'));
    expect(file("g.csv").subarray(0, 4).toString()).toBe("term");
    // The two texts that start with an apostrophe are not counted, because spreadsheets don't run them.
    expect(exported.stderr).toContain("warning: a spreadsheet would run 7 cells as formulas");
    expect(exported.stderr).toContain("--excel");
    expect(await changes("g.csv")).toEqual({ created: 0, updated: 0, unchanged: 10, invalid: 0 });
  });

  test("an export does not warn if no cell looks like a formula", async () => {
    const { run, define } = await somebody();
    for (const text of ["a = b", "+4930123456", "+4930123456; +49151234567", "-1.5", "-", "", "12:00"])
      await define(`term of ${text}`, text);
    expect((await run("glossary", "export", "g.csv")).stderr).not.toContain("warning");
  });

  test.each([
    ["de_DE.UTF-8", ";"],
    ["fr_FR", ";"],
    ["en_US.UTF-8", ","],
    ["C", ","],
    ["zz_ZZ", ","],
    ["", ","],
  ])(
    "with --excel and locale %s, the CSV has a byte order mark and the delimiter %j",
    async (LC_ALL, delimiter) => {
      const { runWith, define, file, changes } = await somebody();
      for (const [index, text] of formulas.entries()) await define(`term ${index}`, text);
      const exported = await runWith({ env: { LC_ALL } }, "glossary", "export", "g.csv", "--excel");
      expect([exported.code, exported.stderr]).toEqual([0, "Exported 9 glossary entries to g.csv\n"]);
      const text = file("g.csv").toString();
      expect(text.startsWith(`\ufeffterm${delimiter}definition\n`)).toBe(true);
      for (const line of text.trim().split("\n").slice(1))
        expect(line).toMatch(new RegExp(`^term \\d${delimiter}"?'`));
      expect(await changes("g.csv")).toEqual({ created: 0, updated: 0, unchanged: 9, invalid: 0 });
    },
  );

  test("an exported spreadsheet contains only text", async () => {
    const { run, define, file, changes } = await somebody();
    const awkward = [
      ...formulas,
      "a & b <c>",
      "_x0041_",
      "\u0007\u001b[31m",
      "zwei\nZeilen",
      "  Rand",
      "😀",
      "1.50",
    ];
    for (const [index, text] of awkward.entries()) await define(`term ${index}`, text);
    const exported = await run("glossary", "export", "g.xlsx");
    expect(exported.json).toEqual({ file: "g.xlsx", format: "xlsx", rows: awkward.length });
    expect(exported.stderr).not.toContain("warning");
    expect(file("g.xlsx").subarray(0, 2).toString()).toBe("PK");
    expect(await changes("g.xlsx")).toEqual({
      created: 0,
      updated: 0,
      unchanged: awkward.length,
      invalid: 0,
    });
    expect((await run("glossary", "export", "other.dat", "--format", "xlsx")).code).toBe(0);
    expect(file("other.dat")).toEqual(file("g.xlsx"));
  });

  test("an exported spreadsheet of contacts keeps numbers and lists", async () => {
    const { run, home } = await somebody();
    writeFileSync(
      join(home, "in.csv"),
      "first_name,last_name,phone_numbers,emails\nAnna,=1+1,+4930123456; +4915112345678,a@example.org; b@example.org\n",
    );
    await run("contacts", "import", "in.csv", "--group", "Default");
    for (const name of ["c.xlsx", "c.csv"]) {
      const flags = name === "c.csv" ? ["--excel"] : [];
      expect((await run("contacts", "export", name, ...flags)).code).toBe(0);
      const { json } = await run("contacts", "import", name, "--group", "Default", "--dry-run");
      expect(json).toMatchObject({ created: 0, updated: 0, unchanged: 1, invalid: 0 });
    }
  });

  test("no spreadsheet is created if text is too long for a cell", async () => {
    const { run, define, home } = await somebody();
    await define("long", "x".repeat(32_768));
    const refused = await run("glossary", "export", "g.xlsx");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("text with 32768 characters in B2"),
    ]);
    expect(readdirSync(home).filter((name) => name.startsWith("g."))).toEqual([]);
  });

  test.each([
    [["--format", "xlsx"], "pass a file name"],
    [["g.xlsx", "--excel"], "--excel requires the format csv"],
    [["g.jsonl", "--excel"], "--excel requires the format csv"],
    [["g.ods"], 'unsupported file extension ".ods": expected .csv, .xlsx or .jsonl'],
  ])(
    "an export with an invalid format or file name is refused before any prompt: %j",
    async (words, reason) => {
      const { run, home } = await somebody();
      const refused = await run("glossary", "export", ...words);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(reason)]);
      expect(readdirSync(home).filter((name) => name.startsWith("g."))).toEqual([]);
    },
  );

  test.each(["csv", "jsonl"])(
    "an export as %s escapes control sequences on a terminal, but not in a pipe",
    async (format) => {
      const { run, runWith, define } = await somebody();
      await define("bell", "\u001b]0;owned\u0007\u009b31m\u202e");
      const words = ["glossary", "export", "--format", format];
      const shown = await runWith({ terminal: 80 }, ...words);
      expect(shown.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(shown.stdout).toContain("owned");
      expect((await run(...words)).stdout).toContain(
        format === "csv" ? "\u001b]0;owned\u0007" : "\\u001b]0;owned",
      );
    },
  );
});

test("an apostrophe added to a cell prevents a formula, and an import removes it", () => {
  const piece = fc.constantFrom(
    "'",
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "＝",
    "1",
    "a",
    " ",
    ";",
    '"',
    "ä",
  );
  const cells = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(cells, (cell) => {
      expect(restoreCell(neutralizeCell(cell))).toBe(cell);
      expect(isFormula(neutralizeCell(cell))).toBe(false);
    }),
  );
});

test.each(["=1", "@a", "+a", "-1+1", "\t=1", "＋1+1", "+1;=1", "- keine"])(
  "the check for formulas reports the cell %j",
  (cell) => {
    expect(isFormula(cell)).toBe(true);
  },
);

test("an import removes a protecting apostrophe that another program added", async () => {
  const { run, home } = await somebody();
  const rows = "Vorname;Telefon\n'=Anna;'+4930123456\n'Ole;030 123\n";
  writeFileSync(join(home, "crm.csv"), rows);
  const imported = await run("contacts", "import", "crm.csv", "--group", "Default", "--country", "DE");
  expect(imported.json).toMatchObject({ created: 2, invalid: 0 });
  const { json } = await run("contacts", "list", "--all");
  expect(json.map(({ first_name }: { first_name: string }) => first_name).sort()).toEqual(["'Ole", "=Anna"]);
});
