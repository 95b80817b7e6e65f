import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { createWorkbook, type SheetView } from "../helpers/xlsx.js";

interface Contact {
  first_name: string;
  last_name: string;
  phone_numbers: string[];
}

async function office(...sheets: SheetView[]) {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const write = (...changed: SheetView[]) =>
    writeFileSync(join(shell.home, "list.xlsx"), createWorkbook(...changed));
  write(...sheets);
  const importFile = (...flags: string[]) =>
    shell.run(
      ...["contacts", "import", "list.xlsx", "--group", "Kunden", "--create-group", "--country", "DE"],
      ...["-o", "json", ...flags],
    );
  const syncFile = (...flags: string[]) =>
    shell.run(
      ...["contacts", "sync", "list.xlsx", "--group", "Kunden", "--country", "DE"],
      ...["--delete", "--max-delete", "100%", "--yes", ...flags],
    );
  const contacts = async (): Promise<Contact[]> =>
    (await shell.run("contacts", "list", "--group", "Kunden", "--all", "-o", "json")).json;
  const names = async () => (await contacts()).map(({ first_name }) => first_name).sort();
  return { ...shell, write, importFile, syncFile, contacts, names };
}

const header = ["Vorname", "Nachname", "Telefon"];
const anna = ["Anna", "Neu", "030 23181234"];
const bert = ["Bert", "Neu", "030 23181235"];
const cleo = ["Cleo", "Neu", "030 23181236"];
const otto = ["Otto", "Alt", "030 23181299", "o@example.org"];
const old = { name: "Alt", rows: [[...header, "E-Mail"], otto] };
const current = { name: "Aktuell", rows: [header, anna] };

describe("sheets of a spreadsheet", () => {
  test.each([
    ["hidden", "after", "hidden" as const, false],
    ["very hidden", "after", "veryHidden" as const, false],
    ["hidden", "before", "hidden" as const, true],
  ])(
    "an import reports but does not read a sheet that is %s and %s the visible sheet",
    async (_, __, state, isFirst) => {
      const hidden = { ...old, state };
      const { importFile, names } = await office(...(isFirst ? [hidden, current] : [current, hidden]));
      const ran = await importFile();
      expect(ran.code).toBe(0);
      expect(ran.stderr).toContain('ignoring 1 other sheet with similar columns: "Alt" (hidden)');
      expect(await names()).toEqual(["Anna"]);
    },
  );

  test("an import reads a hidden sheet if --sheet selects it", async () => {
    const { importFile, names } = await office(current, { ...old, state: "hidden" });
    const ran = await importFile("--sheet", "Alt");
    expect(ran.stderr).not.toContain("warning");
    expect(await names()).toEqual(["Otto"]);
  });

  test("an import does not read a hidden sheet even if the visible sheet has no contacts", async () => {
    const cover = { name: "Start", rows: [["Willkommen"], ["Stand 2026"]] };
    const { importFile } = await office(cover, { ...old, state: "hidden" });
    const ran = await importFile();
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('"Alt" (hidden)')]);
  });

  test("an import reports other sheets only if their columns are similar, in any language", async () => {
    const english = {
      name: "South",
      rows: [
        ["First Name", "Mobile"],
        ["Bert", "030 23181235"],
      ],
    };
    const sales = {
      name: "Umsatz",
      rows: [
        ["Jahr", "Umsatz"],
        ["2026", "100"],
      ],
    };
    const { importFile, names } = await office(current, sales, english);
    const ran = await importFile();
    expect(ran.stderr).toContain('ignoring 1 other sheet with similar columns: "South"; to read it');
    expect(await names()).toEqual(["Anna"]);
  });

  test("`contacts sync --delete` fails if the spreadsheet has several visible sheets", async () => {
    const { importFile, syncFile, write, names } = await office({ rows: [header, anna, bert] });
    await importFile();
    const [north, south] = [
      { name: "Nord", rows: [header, anna] },
      { name: "Süd", rows: [header, bert] },
    ];
    write(north, south);
    const refused = await syncFile();
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining('"Nord", "Süd"')]);
    expect(await names()).toEqual(["Anna", "Bert"]);
    expect((await syncFile("--sheet", "Nord")).code).toBe(0);
    expect(await names()).toEqual(["Anna"]);
  });
});

describe("a spreadsheet of glossary items", () => {
  test("`glossary import` warns about other sheets and hidden rows of the spreadsheet", async () => {
    const { run, home } = await office();
    const words = (term: string) => [
      ["Term", "Definition"],
      [term, "Text"],
      ["Zwei", "Text"],
    ];
    const sheets = [
      { name: "Aktuell", rows: words("Eins"), hiddenRows: [3] },
      { name: "Alt", rows: words("Drei"), state: "hidden" as const },
      { name: "Umsatz", rows: [["Jahr"], ["2026"]] },
    ];
    writeFileSync(join(home, "words.xlsx"), createWorkbook(...sheets));
    const imported = await run("glossary", "import", "words.xlsx", "--group", "G", "--create-group");
    expect(imported.code).toBe(0);
    expect(imported.stderr).toContain(
      'ignoring 1 other sheet with similar columns: "Alt" (hidden); to read it, save it as a separate file',
    );
    expect(imported.stderr).toContain("reading 1 hidden row (3)");
  });
});

describe("hidden rows and columns", () => {
  test("an import reads hidden rows and columns, with a warning", async () => {
    const columns = '<cols><col min="2" max="3" hidden="1"/></cols>';
    const { importFile, syncFile, names } = await office({
      rows: [header, anna, bert, cleo],
      hiddenRows: [3, 4],
      before: columns,
    });
    const ran = await importFile();
    expect(ran.stderr).toContain("reading 2 hidden rows (3, 4)");
    expect(ran.stderr).toContain('reading 2 hidden columns ("Nachname", "Telefon")');
    expect(await names()).toEqual(["Anna", "Bert", "Cleo"]);
    expect((await syncFile()).code).toBe(0);
    expect(await names()).toEqual(["Anna", "Bert", "Cleo"]);
  });

  test("an import does not mention hidden rows and columns that are empty", async () => {
    const { importFile } = await office({
      rows: [["Liste"], header, anna, [null]],
      hiddenRows: [1, 4],
      before: '<cols><col min="9" max="20" hidden="1"/></cols>',
    });
    expect((await importFile()).stderr).not.toContain("hidden");
  });
});

describe("merged cells", () => {
  test("a merged cell's value applies to all its rows, except for a phone number", async () => {
    const { importFile, contacts } = await office({
      rows: [
        header,
        ["Anna", "Weiß", "030 23181234"],
        ["Bert", null, null],
        ["Cleo", null, "030 23181236"],
        ["Dora", null, "030 23181237"],
      ],
      merged: ["B2:B4", "C2:C3"],
    });
    const ran = await importFile();
    expect(ran.stderr).toContain("merged cells B2:B4: using their value for each row");
    expect(ran.stderr).toContain("merged cells C2:C3: using their value only for the first row");
    const contactTexts = (await contacts()).map(({ first_name, last_name, phone_numbers }) =>
      [first_name, last_name, ...phone_numbers].join(" "),
    );
    expect(contactTexts.sort()).toEqual([
      "Anna Weiß +493023181234",
      "Bert Weiß",
      "Cleo Weiß +493023181236",
      "Dora  +493023181237",
    ]);
  });

  test("merged cells in a title or in empty rows have no effect", async () => {
    const { importFile, names } = await office({
      rows: [["Liste"], header, anna, [null], [null], bert],
      merged: ["A1:C1", "B3:B5"],
    });
    const ran = await importFile();
    expect(ran.json).toMatchObject({ rows: 2, created: 2 });
    expect(ran.stderr).not.toContain("A1:C1");
    expect(await names()).toEqual(["Anna", "Bert"]);
  });
});
