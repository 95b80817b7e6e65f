import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { createSpreadsheet } from "../helpers/xlsx.js";

const flags = ["--group", "Kunden", "--create-group", "--country", "DE", "--profile", "offline"];

function office(content: Buffer, name = "kunden.xlsx") {
  const shell = commandLine();
  writeFileSync(join(shell.home, name), content);
  const run = (...more: string[]) =>
    shell.run("contacts", "import", name, ...flags, "--report", "report.ndjson", "-o", "json", ...more);
  const report = (): Record<string, unknown>[] =>
    readFileSync(join(shell.home, "report.ndjson"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  const contacts = async () =>
    (await shell.run("contacts", "list", "--group", "Kunden", "--all", "--profile", "offline", "-o", "json"))
      .json;
  return { ...shell, import: run, report, contacts };
}

describe("importing a spreadsheet", () => {
  test("the sheet with known columns is imported like a CSV file", async () => {
    const { import: run, contacts } = office(
      createSpreadsheet(
        [
          [null],
          ["Vorname", "Nachname", "Telefon", "E-Mail"],
          ["Jürgen", "Müller &amp; Söhne", "0151 12345678", "j@example.org"],
          [null, null, null],
          [" Ada ", null, "+493023181234"],
        ],
        [["Vorname"], ["Nobody"]],
      ),
    );
    const first = await run();
    expect(first.code).toBe(0);
    expect(first.json).toMatchObject({ rows: 2, created: 2 });
    expect(first.stderr).toContain('kunden.xlsx (sheet "T1", header in row 2)');
    const names = (await contacts()).map(({ first_name, last_name }: Record<string, string>) => [
      first_name,
      last_name,
    ]);
    expect(names).toContainEqual(["Jürgen", "Müller & Söhne"]);
    expect(names.map(([first]: string[]) => first)).toContain("Ada");
    expect((await run("--new-run")).json).toMatchObject({ created: 0, unchanged: 2 });
  });

  test("the header row below a title is detected and reported", async () => {
    const { import: run, contacts } = office(
      createSpreadsheet([
        ["Kundenliste"],
        ["Stand 2026", null, "intern"],
        [null],
        ["Vorname", "Nachname", "Telefon"],
        ["Anna", "Weiß", "0151 12345670"],
      ]),
    );
    const ran = await run();
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("header in row 4");
    expect(await contacts()).toMatchObject([{ first_name: "Anna", last_name: "Weiß" }]);
  });

  test("cells that contain numbers keep all digits", async () => {
    const { import: run, contacts } = office(
      createSpreadsheet([
        ["Vorname", "Telefon"],
        ["Anna", { number: "15112345670" }],
        ["Bo", { number: "1.5112345671E10" }],
        ["Cy", { number: "1.511234567E+10" }],
        [{ number: "7" }, "0151 12345679"],
      ]),
    );
    expect((await run()).json).toMatchObject({ created: 3, duplicates: 1 });
    const contactValues = (await contacts()).map(({ first_name, phone_numbers }: Record<string, unknown>) => [
      first_name,
      phone_numbers,
    ]);
    expect(contactValues).toContainEqual(["Anna", ["+4915112345670"]]);
    expect(contactValues).toContainEqual(["Bo", ["+4915112345671"]]);
    expect(contactValues).toContainEqual(["7", ["+4915112345679"]]);
  });

  test("a number that lost digits is reported with its row and cell", async () => {
    const { import: run, report } = office(
      createSpreadsheet([
        ["Vorname", "Telefon"],
        ["Anna", { number: "12345678901234568" }],
        ["Bo", { number: "1.2345678901234567E+30" }],
      ]),
    );
    const { code, json } = await run();
    expect([code, json.invalid]).toEqual([68, 2]);
    expect(report().map(({ line, reason }) => [line, reason])).toEqual([
      [2, expect.stringMatching(/^Telefon \(B2\) is stored as the number 12345678901234568, .* 15 digits/)],
      [3, expect.stringContaining("Telefon (B3)")],
    ]);
  });

  test("a number that lost digits is ignored in a column that isn't read", async () => {
    const { import: run } = office(
      createSpreadsheet([
        ["Vorname", "Telefon", "Umsatz"],
        ["Anna", "0151 12345670", { number: "0.30000000000000004" }],
      ]),
    );
    expect((await run()).json).toMatchObject({ created: 1, invalid: 0 });
  });

  test("a boolean cell makes its row invalid if the column is read", async () => {
    const yes = { attributes: 't="b"', xml: "<v>1</v>" };
    const { import: run, report } = office(
      createSpreadsheet([
        ["Vorname", "Telefon", "Newsletter"],
        [yes, "0151 12345670", null],
        ["Anna", "0151 12345671", yes],
      ]),
    );
    expect((await run()).json).toMatchObject({ created: 1, invalid: 1 });
    expect(report()).toMatchObject([
      { field: "first_name", reason: expect.stringContaining("Vorname (A2) is stored as the boolean true") },
    ]);
  });

  test("the text of a formula error makes a row invalid", async () => {
    const { import: run, report } = office(
      createSpreadsheet([
        ["Vorname", "Telefon"],
        ["Anna", "#N/A"],
      ]),
    );
    expect((await run()).json).toMatchObject({ invalid: 1 });
    expect(report()).toMatchObject([{ reason: "is text that looks like a spreadsheet formula error" }]);
  });

  test("a formula without a result is reported only if the import needs the cell", async () => {
    const error = (text: string) => ({
      attributes: 't="e" s="1"',
      xml: `<f>VLOOKUP(A1,B:C,2)</f><v>${text}</v>`,
    });
    const formula = (attributes: string, xml: string) => ({ attributes, xml });
    const file = createSpreadsheet([
      ["Vorname", "Telefon", "Umsatz"],
      ["Anna", error("#REF!"), null],
      ["Bo", error("#N/A"), null],
      ["Cy", formula("", '<f>"0151"&amp;A1</f>'), null],
      ["Di", formula("", '<f t="shared" si="0"/><v></v>'), null],
      [formula('t="str"', "<f>A2</f>"), "0151 12345670", null],
      ["Ed", formula('t="str"', '<f>""</f><v></v>'), error("#DIV/0!")],
      ["Flo", formula('t="str"', "<f>A9</f><v>0151 12345671</v>"), formula("", "<f>1+1</f>")],
      ["Gil", formula("", "<f>A9</f><v>15112345672</v>"), null],
    ]);
    const { import: run, report, contacts } = office(file);
    const { code, json } = await run();
    expect(json).toMatchObject({ rows: 8, created: 3, invalid: 5 });
    expect(code).toBe(68);
    const never = expect.stringMatching(/formula without a result/);
    const failed = expect.stringMatching(/spreadsheet formula error/);
    expect(report().map(({ line, field, value, reason }) => [line, field, value, reason])).toEqual([
      [2, "phone_numbers", "#REF!", failed],
      [3, "phone_numbers", "#N/A", failed],
      [4, "phone_numbers", '="0151"&A1', never],
      [5, "phone_numbers", "=", never],
      [6, "first_name", "=A2", never],
    ]);
    expect(
      (await contacts()).map(({ first_name, phone_numbers }: Record<string, unknown>) => [
        first_name,
        phone_numbers,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["Ed", []],
        ["Flo", ["+4915112345671"]],
        ["Gil", ["+4915112345672"]],
      ]),
    );
    const glossary = office(
      createSpreadsheet([
        ["Begriff", "Erklärung"],
        ["SLA", error("#NAME?")],
        ["EDV", "Elektronische Datenverarbeitung"],
      ]),
    );
    const items = await glossary.run(
      ...["glossary", "import", "kunden.xlsx", "--group", "Begriffe", "--create-group", "-o", "json"],
      ...["--profile", "offline"],
    );
    expect(items.json).toMatchObject({ created: 1, invalid: 1 });
  });

  test("a damaged or invalid spreadsheet is refused with a hint", async () => {
    const whole = createSpreadsheet([
      ["Vorname", "Telefon"],
      ["Anna", "+493023181234"],
    ]);
    for (const [content, name, message] of [
      [whole.subarray(0, 300), "kunden.xlsx", "CSV UTF-8"],
      [whole, "kunden.zip", "is a ZIP archive"],
      [whole, "kunden.ods", "OpenDocument"],
      [createSpreadsheet([["Anna", "Schmidt"]]), "kunden.xlsx", "no column found for the first name"],
      [createSpreadsheet([[null]]), "leer.xlsx", "the first sheet in leer.xlsx is empty"],
    ] as const) {
      const { code, stderr } = await office(content, name).import();
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
  });

  test("a spreadsheet can be read from standard input", async () => {
    const shell = commandLine();
    const content = createSpreadsheet([
      ["Vorname", "Telefon"],
      ["Anna", "+493023181234"],
    ]);
    const { json } = await shell.runWith(
      { stdin: content },
      ...["contacts", "import", "-", ...flags, "-o", "json"],
    );
    expect(json).toMatchObject({ rows: 1, created: 1 });
  });
});
