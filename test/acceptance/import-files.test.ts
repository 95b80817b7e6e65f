import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { encodeByTable } from "../../src/features/import/sources/code-pages.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { readLines } from "../helpers/import.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { createSpreadsheet } from "../helpers/xlsx.js";

interface Contact {
  first_name: string;
  last_name: string;
  phone_numbers: string[];
  emails: string[];
}

async function setUp() {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const { home, run } = shell;
  const pathOf = (name: string) => join(home, name);
  const importFile = (name: string, ...flags: string[]) =>
    run(
      ...["contacts", "import", name, "--group", "Kunden", "--create-group", "--country", "DE"],
      ...["-o", "json", ...flags],
    );
  const importText = (content: string | Buffer, ...flags: string[]) => {
    writeFileSync(pathOf("list.csv"), content);
    return importFile("list.csv", ...flags);
  };
  const contacts = async (): Promise<Contact[]> => {
    const listed = await run("contacts", "list", "--group", "Kunden", "--all", "-o", "json");
    return listed.json
      .map(({ first_name, last_name, phone_numbers, emails }: Contact) => ({
        first_name,
        last_name,
        phone_numbers,
        emails,
      }))
      .sort((left: Contact, right: Contact) => (left.first_name < right.first_name ? -1 : 1));
  };
  return { ...shell, place: pathOf, importFile, importText, contacts };
}

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error;

describe("the location of a table in its file", () => {
  test("an import selects the sheet and header row with the most known columns", async () => {
    const { importFile, place: pathOf, contacts } = await setUp();
    const file = createSpreadsheet(
      [["Auswertung 2026"], ["Umsatz", "Name"]],
      [["Kunden"], ["Vorname", "Nachname", "Telefon"], ["Anna", "Weiß", "0151 12345670"]],
      [
        ["Vorname", "Telefon"],
        ["Bert", "0151 12345671"],
      ],
    );
    writeFileSync(pathOf("list.xlsx"), file);
    const guessed = await importFile("list.xlsx");
    expect(guessed.stderr).toContain('sheet "T2", header in row 2');
    expect(guessed.json).toMatchObject({ rows: 1, created: 1 });
    expect((await importFile("list.xlsx", "--sheet", "T3")).json).toMatchObject({ rows: 1, created: 1 });
    expect((await importFile("list.xlsx", "--sheet", "3")).json).toMatchObject({ rows: 1, unchanged: 1 });
    expect((await contacts()).map(({ first_name }) => first_name)).toEqual(["Anna", "Bert"]);
    const none = await importFile("list.xlsx", "--sheet", "Kunden");
    expect(none.code).toBe(2);
    expect(errorOf(none.stderr)).toMatchObject({
      message: expect.stringContaining("--sheet"),
      hint: expect.stringContaining('"T2"'),
    });
  });

  test("an import accepts a title, notes below the header and an unusual delimiter", async () => {
    const { importText, contacts } = await setUp();
    const text = "Liste\nVorname#Telefon\nText#Zahl\nAnna#0151 12345670\n";
    expect((await importText(text, "--delimiter", "#", "--skip-rows", "3", "--header-row", "2")).code).toBe(
      0,
    );
    expect(await contacts()).toMatchObject([{ first_name: "Anna", phone_numbers: ["+4915112345670"] }]);
  });

  test("an import does not treat a data row with known words as the header", async () => {
    const { importText } = await setUp();
    const ran = await importText("Vorname;Telefon\nName;Mobil\nAnna;0151 12345670\n");
    expect(ran.json).toMatchObject({ rows: 2, invalid: 1, created: 1 });
  });
});

describe("the encoding of a file", () => {
  const macRoman = (text: string) =>
    Buffer.from(
      Array.from(text, (letter) => ({ ä: 0x8a, ö: 0x9a, ü: 0x9f, ß: 0xa7 })[letter] ?? letter.charCodeAt(0)),
    );
  const dos = (text: string) =>
    Buffer.from(
      Array.from(text, (letter) => ({ ä: 0x84, ö: 0x94, ü: 0x81, ß: 0xe1 })[letter] ?? letter.charCodeAt(0)),
    );
  const latin2 = (text: string) =>
    Buffer.from(
      Array.from(text, (letter) => ({ Ł: 0xa3, Ż: 0xaf, ą: 0xb9, ó: 0xf3 })[letter] ?? letter.charCodeAt(0)),
    );
  const turkish = (text: string) =>
    Buffer.from(
      Array.from(text, (letter) => ({ ğ: 0xf0, ı: 0xfd, ş: 0xfe })[letter] ?? letter.charCodeAt(0)),
    );
  const text = "Vorname;Nachname;Telefon\nJürgen;Großmäuler;0151 12345670\n";

  test("an import detects Mac Roman, and UTF-16 without a byte order mark", async () => {
    for (const bytes of [
      macRoman(text),
      Buffer.from(text, "utf16le"),
      Buffer.from(text, "utf16le").swap16(),
    ]) {
      const { importText, contacts } = await setUp();
      expect((await importText(bytes)).code).toBe(0);
      expect(await contacts()).toMatchObject([{ first_name: "Jürgen", last_name: "Großmäuler" }]);
    }
  });

  test("an import refuses garbled names unless --encoding is set", async () => {
    const { importText, contacts } = await setUp();
    const refused = await importText(dos(text));
    expect(refused.code).toBe(2);
    expect(errorOf(refused.stderr)).toMatchObject({
      code: "encoding_doubtful",
      message: expect.stringContaining("line 2: Vorname"),
      hint: expect.stringContaining("--encoding"),
    });
    expect((await importText(dos(text), "--encoding", "cp850")).code).toBe(0);
    expect(await contacts()).toMatchObject([{ first_name: "Jürgen", last_name: "Großmäuler" }]);
  });

  test("an import reads Turkish names with --encoding windows-1254", async () => {
    const { importText, contacts } = await setUp();
    const bytes = turkish("Vorname;Nachname\nYıldız;Çağlar\n");
    expect((await importText(bytes, "--encoding", "windows-1254")).code).toBe(0);
    expect(await contacts()).toMatchObject([{ first_name: "Yıldız", last_name: "Çağlar" }]);
  });

  test("an import does not mistake DOS encodings for Mac Roman", async () => {
    const { importText } = await setUp();
    const names = ["Jörg", "Möller", "Käthe", "Löwe", "Größe", "Müller"];
    const rows = names.map((name, n) => `${name};Weiß;0151 1234567${n}\n`).join("");
    expect((await importText(dos(`Vorname;Nachname;Telefon\n${rows}`))).code).toBe(2);
  });

  test.each([
    ["DOS with capitals outside its letters", dos("Vorname;Nachname\r\nJörg;Müller\r\nAnna;Größ\r\n")],
    ["DOS with a single letter", dos("Vorname;Nachname\r\nJörg;König\r\n")],
    ["Windows-1250", latin2("Vorname;Nachname\r\nŁucja;Wójcik\r\nŻenia;Dąbrowska\r\n")],
    ["Windows-1254", turkish("Vorname;Nachname\r\nAyşe;Demir\r\n")],
    ["UTF-8 read as Windows-1252", Buffer.from("Vorname;Nachname\nJÃ¼rgen;Au\n")],
  ])("an import refuses a short list whose encoding is ambiguous: %s", async (_, bytes) => {
    const refused = await (await setUp()).importText(bytes);
    expect([refused.code, errorOf(refused.stderr).code]).toEqual([2, "encoding_doubtful"]);
  });

  test("an import detects Mac Roman by the line endings if the letters are ambiguous", async () => {
    const { importText, contacts } = await setUp();
    expect((await importText(macRoman("Vorname;Nachname\rJörg;König\r"))).code).toBe(0);
    expect(await contacts()).toMatchObject([{ first_name: "Jörg", last_name: "König" }]);
  });

  test("an import does not treat names with special characters as garbled", async () => {
    const names = [
      "McDonald",
      "O’Neill",
      "MÜLLER",
      "GROß",
      "Mª José",
      "Gal·la",
      "Müller·Partner",
      "Åse",
      "LŒWE",
    ];
    const otherNames = [
      "Hans „Hansi“",
      "O´Brien",
      "Nº 5",
      "† Anna",
      "Žaneta",
      "AÏCHA",
      "JOÃO",
      "Guðrún",
      "Þórður",
    ];
    const lines = [...names, ...otherNames].map((name, n) => `${name};0151 123456${n + 10}\n`).join("");
    const { importText } = await setUp();
    const bytes = encodeByTable(`Vorname;Telefon\n${lines}`, "windows-1252");
    const ran = await importText(bytes);
    expect(ran.json, ran.stderr).toMatchObject({ created: 18 });
  });

  test("an import refuses garbled names in a spreadsheet unless --encoding utf-8 is set", async () => {
    const { importFile, place: pathOf } = await setUp();
    writeFileSync(pathOf("list.xlsx"), createSpreadsheet([["Vorname"], ["O‘Brien"]]));
    const refused = await importFile("list.xlsx");
    expect(refused.code).toBe(2);
    expect(errorOf(refused.stderr).hint).toContain("--encoding utf-8");
    expect((await importFile("list.xlsx", "--encoding", "cp850")).code).toBe(2);
    expect((await importFile("list.xlsx", "--encoding", "utf-8")).json).toMatchObject({ created: 1 });
  });

  test("an import refuses names such as O‘Brien unless --encoding is set", async () => {
    const { importText } = await setUp();
    const quoted = "Vorname;Telefon\nSeán O‘Brien;0151 12345670\n";
    expect((await importText(quoted)).code).toBe(2);
    expect((await importText(quoted, "--encoding", "utf-8")).json).toMatchObject({ created: 1 });
  });
});

describe("columns of an imported file", () => {
  test("the header or --map determines the order of two names in a cell", async () => {
    const { importText, contacts } = await setUp();
    await importText('"Name, Vorname";Telefon\n"Weiß, Anna";0151 12345670\n"von Au, Bert";0151 12345671\n');
    await importText(
      'Wer;Tel1\n"Köhler, Cleo Maria";0151 12345672\nDoll Dora;0151 12345673\n',
      ...["--map", "last_name+first_name=Wer", "--map", "phone_numbers=Tel1"],
    );
    expect((await contacts()).map(({ first_name, last_name }) => [first_name, last_name])).toEqual([
      ["Anna", "Weiß"],
      ["Bert", "von Au"],
      ["Cleo Maria", "Köhler"],
      ["Dora", "Doll"],
    ]);
  });

  test("an import reads two phone numbers at the end of a cell with several fields", async () => {
    const { importText, contacts } = await setUp();
    const text = 'Kontakt\n"Huber, Anna, 030 23181234, 030 23181235"\n"Lot, Ben, 089 1234, 089 5678"\n';
    const ran = await importText(text, "--map", "last_name+first_name+phone_numbers=Kontakt");
    expect(ran.json).toMatchObject({ created: 1, invalid: 1 });
    expect(await contacts()).toMatchObject([
      { first_name: "Anna", last_name: "Huber", phone_numbers: ["+493023181234", "+493023181235"] },
    ]);
  });

  test("[I1] a dry run shows how each column is used and what the first rows contain", async () => {
    const { importText } = await setUp();
    const { stderr } = await importText(
      "Vorname;Umsatz;Telefon\nAnna;12;0151 12345670\nBert;13;x\n",
      "--dry-run",
    );
    expect(stderr).toContain("Columns: Vorname → first_name, Telefon → phone_numbers\n");
    expect(stderr.match(/Umsatz/g)).toHaveLength(1);
    expect(stderr).toContain("Columns without a contact field: Umsatz\n");
    expect(stderr).toContain('Row 1: first_name "Anna"');
    expect(stderr).toContain(
      'Row 2: phone_numbers (column "Telefon", value "x"): is not a valid phone number',
    );
    expect(stderr).not.toContain("no phone or email column found");
  });

  test("an import warns if no phone or email column is found, unless the file has only names", async () => {
    const { importText } = await setUp();
    const odd = await importText("Vorname;Tel X\nAnna;0151 12345670\n", "--dry-run");
    expect(odd.stderr).toContain(
      "no phone or email column found; to select one, use --map phone_numbers=COLUMN",
    );
    const names = await importText("Vorname;Nachname\nAnna;Weiß\n", "--dry-run");
    expect(names.stderr).not.toContain("no phone or email column found");
  });
});

describe("cells of an imported file", () => {
  test("an import splits several numbers or emails in a cell", async () => {
    const { importText, contacts } = await setUp();
    const ran = await importText(
      "Vorname;Telefon;E-Mail\nAnna;0151 12345670 ::: 030 23181234;a@b.de / c@d.de\nBert;0151 12345671 (Praxis);\n",
    );
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('ignored text after a phone number in 1 row, such as "Praxis"');
    expect(await contacts()).toMatchObject([
      { phone_numbers: ["+4915112345670", "+493023181234"], emails: ["a@b.de", "c@d.de"] },
      { phone_numbers: ["+4915112345671"] },
    ]);
  });

  test("a zero after the calling code is dropped, but kept for Italy", async () => {
    const { importText, contacts, run } = await setUp();
    await importText(
      "Vorname;Telefon\nAnna;+49 030 1234591\nBea;0049 (0171) 1234592\nCarla;+39 06 12345678\n",
    );
    await run(
      "contacts",
      "create",
      "--group",
      "Kunden",
      "--first-name",
      "Dora",
      "--phone-number",
      "+43 0664 1234567",
    );
    expect((await contacts()).map(({ phone_numbers }) => phone_numbers)).toEqual([
      ["+49301234591"],
      ["+491711234592"],
      ["+390612345678"],
      ["+436641234567"],
    ]);
  });

  test("an import rejects a cell if its digits could be one phone number or two", async () => {
    const { importText } = await setUp();
    const ran = await importText("Vorname;Telefon\nAnna;0306660070 / 6660071\nBert;030 66600-15\n");
    expect([ran.code, ran.json.invalid, ran.json.created]).toEqual([68, 1, 1]);
    expect(readFileSync(ran.json.report, "utf8")).toContain("looks like several numbers");
  });

  test("an import prints its advice for rejected rows only once", async () => {
    const { importText } = await setUp();
    const ran = await importText("Vorname;Telefon\nAnna;491701234567\nBert;0151 12345671\n");
    expect(ran.code).toBe(68);
    expect(ran.stderr.split("to add the plus, use --trust-calling-code")).toHaveLength(2);
  });

  test("an import prints each of its notes on a separate line", async () => {
    const { importText } = await setUp();
    const ran = await importText(
      "Vorname;Nachname;Telefon\n;Alt;030 1234567\nBert;;30123456\nCleo;Neu;\nDora;Neu;030 1234568\n",
    );
    const lines = ran.stderr.split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^1 row has no first name, .* use --map '[^;]*'$/));
    expect(lines).toContain(
      '1 row has a phone number without + or 0 at the start: "30123456" (row 2, line 3) was read as +4930123456; if the area code is missing, add it',
    );
    expect(lines).toContain("accepting 1 row without a phone number or email (row 3, line 4)");
  });

  test("an import rejects a calendar date in a column of phone numbers", async () => {
    const { importText, contacts } = await setUp();
    const days = [
      ...["2023-03-15", "15.03.2023", "3/15/2023", "2023-03-15 00:00:00", "1980/02/01", "1-2-1980"],
      ...["01.02.80", "12.1980", "44197.5", "44197,52083333", "-3055123456"],
    ];
    const numbers = ["030 1234591", "0301.2.3456", "06.12.34.56.78", "030.1234592", "30.1234593"];
    const rows = [...days, ...numbers].map((cell, index) => `Anna${index};${cell}`);
    const ran = await importText(`Vorname;Telefon\n${rows.join("\n")}\n`);
    expect(ran.json).toMatchObject({ invalid: days.length, created: numbers.length });
    const report = readFileSync(ran.json.report, "utf8");
    expect(report.match(/is a date, not a phone number/g)).toHaveLength(7);
    expect(report).toContain("is a decimal number, not a phone number");
    expect((await contacts()).map(({ phone_numbers: [number] }) => number)).toContain("+49301234591");
  });

  test("a number with a calling code but no plus requires --trust-calling-code", async () => {
    const { importText, contacts } = await setUp();
    const text = "Vorname;Telefon\nAnna;4915112345670\n";
    const refused = await importText(text);
    expect(refused.json).toMatchObject({ invalid: 1 });
    expect((await importText(text, "--trust-calling-code")).json).toMatchObject({ created: 1 });
    expect(await contacts()).toMatchObject([{ phone_numbers: ["+4915112345670"] }]);
  });

  test('an import treats a cell with a word for "none" as empty and reports it', async () => {
    const { importText, contacts } = await setUp();
    const nothing = ["-", "k. A.", "keine", "--", "unbekannt", "(none)", "?", "N.N."];
    const rows = nothing.map((text, index) => `Anna${index};${text};${text}`);
    const ran = await importText(`Vorname;Telefon;E-Mail\n${rows.join("\n")}\nBert;keines hier;\n`);
    expect(ran.json).toMatchObject({ created: nothing.length, invalid: 1 });
    expect(ran.stderr).toContain('treating "-" as an empty phone number or email in 8 rows');
    const values = (await contacts()).flatMap(({ phone_numbers, emails }) => [...phone_numbers, ...emails]);
    expect(values).toEqual([]);
  });

  test("an import reports a file that contains only one page of an API response", async () => {
    const { run, place: pathOf, contacts, importFile } = await setUp();
    const people = Array.from({ length: 4 }, (_, index) => ({ first_name: `Anna${index}` }));
    writeFileSync(pathOf("all.json"), JSON.stringify({ data: people, meta: { has_more: false } }));
    expect((await importFile("all.json")).json).toMatchObject({ created: 4, invalid: 0 });
    for (const page of [
      { data: people.slice(0, 2), meta: { has_more: true, next_cursor: "x" } },
      { meta: { hasMore: true }, data: people.slice(0, 2) },
      { count: 4, next: "https://example.org/?page=2", previous: null, results: people.slice(0, 2) },
      { d: { results: people.slice(0, 2), __next: "https://example.org/?$skip=2" } },
    ]) {
      writeFileSync(pathOf("page.json"), JSON.stringify(page, null, 2));
      const imported = await importFile("page.json");
      expect([imported.code, imported.json]).toMatchObject([68, { unchanged: 2, invalid: 1 }]);
      const synced = await run(
        ...[
          "contacts",
          "sync",
          "page.json",
          "--group",
          "Kunden",
          "--delete",
          "--max-delete",
          "100%",
          "--yes",
        ],
      );
      expect([synced.code, synced.stderr]).toEqual([
        12,
        expect.stringContaining("the file contains only one of several pages"),
      ]);
    }
    expect(await contacts()).toHaveLength(4);
  });

  test("`contacts sync` refuses a --protect file that contains only one of several pages", async () => {
    const { run, place: pathOf, contacts, importFile } = await setUp();
    const people = ["Anna", "Bert"].map((name) => ({ first_name: name }));
    writeFileSync(pathOf("all.json"), JSON.stringify(people));
    await importFile("all.json");
    writeFileSync(pathOf("kept.json"), JSON.stringify({ data: people.slice(0, 1), total: 2 }));
    writeFileSync(pathOf("new.json"), JSON.stringify([{ first_name: "Cleo" }]));
    const flags = ["--group", "Kunden", "--protect", "kept.json", "--delete", "--max-delete", "9", "--yes"];
    const synced = await run("contacts", "sync", "new.json", ...flags);
    expect([synced.code, synced.stderr]).toEqual([
      12,
      expect.stringContaining("--protect: kept.json is incomplete"),
    ]);
    expect(await contacts()).toHaveLength(2);
  });

  test.each(["contacts", "results", "data"])(
    "an import finds the list in a JSON object of this form: %s",
    async (name) => {
      const { place: pathOf, importFile, contacts } = await setUp();
      const object = { count: 2, [name]: [{ first_name: "Anna" }, { first_name: "Bert" }] };
      writeFileSync(pathOf("list.json"), JSON.stringify(object));
      expect((await importFile("list.json")).json).toMatchObject({ created: 2 });
      writeFileSync(pathOf("list.json"), JSON.stringify(object, null, 2));
      expect((await importFile("list.json")).json).toMatchObject({ created: 0, rows: 2 });
      expect(await contacts()).toHaveLength(2);
    },
  );

  test("a header that is repeated among the rows is not imported as a contact", async () => {
    const { importText, contacts } = await setUp();
    const ran = await importText(
      "Vorname;Nachname\nAnna;Weiß\nVorname;Nachname\nBert;Blau\n",
      "--keep-valid",
    );
    expect(ran.json).toMatchObject({ created: 2, invalid: 1 });
    expect(readFileSync(ran.json.report, "utf8")).toContain("repeats the header");
    expect(await contacts()).toHaveLength(2);
  });

  test.each(["AT", "DE", undefined])(
    'an import treats digits before "(0)" as a calling code: --country %s',
    async (country) => {
      const { run, place: pathOf, contacts } = await setUp();
      writeFileSync(pathOf("list.csv"), "Vorname;Telefon\nAnna;49 (0) 170 1234567\n");
      const flags = country === undefined ? [] : ["--country", country];
      const into = ["--group", "Kunden", "--create-group", "-o", "json"];
      const ran = await run("contacts", "import", "list.csv", ...into, ...flags);
      expect(ran.json).toMatchObject({ created: 1 });
      expect((await contacts()).map(({ phone_numbers }) => phone_numbers[0])).toContain("+491701234567");
    },
  );

  test("an import prepends an area code from a separate column", async () => {
    const { importText, contacts } = await setUp();
    const rows = [
      "Hans;030;23181234;",
      "Ilse;89;5556660;0171 1234567",
      "Otto;030;+43 1 234567;",
      "Pia;;040 23181234;",
    ];
    const text = `Vorname;Vorwahl;Rufnummer;Mobil\n${rows.join("\n")}\n`;
    const ran = await importText(text, "--dry-run");
    expect(ran.stderr).toContain("Vorwahl → area code of Rufnummer");
    expect((await importText(text)).json).toMatchObject({ created: 4 });
    expect((await contacts()).map(({ phone_numbers }) => phone_numbers)).toEqual([
      ["+493023181234"],
      ["+49895556660", "+491711234567"],
      ["+431234567"],
      ["+494023181234"],
    ]);
  });

  test.each([
    ["089", "4567890.0"],
    ["89.0", "4567890"],
    ["'089", "'4567890"],
    ["089", "/ 4567890"],
    ["089", "\u200e4567890"],
    ["089", "Tel. 4567890"],
  ])("an import prepends the area code %s to the number %s", async (code, number) => {
    const { importText, contacts } = await setUp();
    await importText(`Vorname;Vorwahl;Telefon\nAnna;${code};${number}\n`);
    expect(await contacts()).toMatchObject([{ phone_numbers: ["+49894567890"] }]);
  });

  test("an import prepends the area code to every number of a cell", async () => {
    const { importText, contacts } = await setUp();
    await importText('Vorname;Vorwahl;Telefon\nAnna;089;"4567890; 4567891; 0171 1234567"\n');
    const numbers = ["+49894567890", "+49894567891", "+491711234567"];
    expect(await contacts()).toMatchObject([{ phone_numbers: numbers }]);
  });

  test('an import reads the cell ="0001" as the text 0001', async () => {
    const { importText, contacts } = await setUp();
    const quoted = '"=""0001""";="An""na";="030 4000001"\n="0002";="Bernd";030 4000002\n';
    const keyed = ["--key", "Nr"];
    expect((await importText(`Nr;Vorname;Telefon\n${quoted}`, ...keyed)).json).toMatchObject({ created: 2 });
    expect((await contacts()).map(({ first_name }) => first_name)).toEqual(['An"na', "Bernd"]);
    const plain = 'Nr;Vorname;Telefon\n0001;"An""na";030 4000001\n0002;Bernd;030 4000009\n';
    const again = await importText(plain, ...keyed, "--on-match", "update");
    expect(again.json).toMatchObject({ created: 0, updated: 1 });
  });

  test("an import adds the country code to a number without a leading zero", async () => {
    const { importText, contacts } = await setUp();
    const ran = await importText("Vorname;Telefon\nAnna;030 1234567\nBert;30123456\nCarla;170 1234567\n");
    expect(ran.json).toMatchObject({ created: 3 });
    expect(ran.stderr).toContain(
      '2 rows have phone numbers without + or 0 at the start: "30123456" (row 2, line 3) was read as +4930123456; if the area code is missing, add it',
    );
    const numbers = (await contacts()).flatMap(({ phone_numbers }) => phone_numbers);
    expect(numbers).toEqual(["+49301234567", "+4930123456", "+491701234567"]);
    expect((await importText("Vorname;Telefon\nAnna;030 1234567\n")).stderr).not.toContain("area code");
  });

  test("--keep-valid shows the invalid cell, imports the rest of the row and exits with code 68", async () => {
    const { importText, contacts } = await setUp();
    const ran = await importText(
      "Vorname;Telefon;E-Mail\nAnna;folgt;a@b.de\n;0151 12345671;b@b.de\nCleo;0151 12345672;\n",
      "--keep-valid",
    );
    expect(ran.code).toBe(68);
    expect(ran.stderr).toMatch(/1 +2 +Telefon +folgt +is not .*; the rest of the row is used\n/);
    expect(ran.json).toMatchObject({ created: 2, invalid: 1, partly: 1 });
    expect(readLines(ran.json.report).map(({ row, outcome }) => [row, outcome])).toEqual([
      [1, "partly"],
      [2, "invalid"],
    ]);
    expect(await contacts()).toMatchObject([
      { first_name: "Anna", phone_numbers: [], emails: ["a@b.de"] },
      { first_name: "Cleo" },
    ]);
  });
});

test("the --rejects file names the column and the shortened value of each error, in one line", async () => {
  const { importText, importFile, place: pathOf } = await setUp();
  const long = `"${"folgt ".repeat(10)}\nbald"`;
  const text = `Vorname;Telefon "A";Mail\nAnna;;kein\n;0151 12345670;\nBen;${long};\nCleo;0151 12345672;\n`;
  await importText(text, "--map", 'phone_numbers=Telefon "A"', "--rejects", "r.csv");
  const expected = [
    'emails (column "Mail", value "kein"): is not a valid email address',
    'first_name (column "Vorname"): is missing',
    `phone_numbers (column "Telefon \\"A\\"", value "${"folgt ".repeat(6)}fol…"): is not a valid phone number`,
  ];
  const errorsIn = (name: string) => readFileSync(pathOf(name), "utf8").replaceAll('""', '"');
  for (const error of expected) expect(errorsIn("r.csv")).toContain(error);
  await importFile("r.csv", "--map", 'phone_numbers=Telefon "A"', "--rejects", "again.csv");
  expect(errorsIn("again.csv")).toBe(errorsIn("r.csv"));
});

test("--keep-valid creates no duplicate of a row that was already corrected and imported", async () => {
  const { importText, importFile, place: pathOf, contacts } = await setUp();
  const text = "Vorname;Nachname;Telefon\nAnna;Weiß;folgt\nBo;Au;folgt\nCleo;Kern;0151 12345672\n";
  expect((await importText(text, "--rejects", "r.csv")).json).toMatchObject({ created: 1, invalid: 2 });
  const rejects = readFileSync(pathOf("r.csv"), "utf8").split("\r\n").slice(0, 2).join("\r\n");
  writeFileSync(pathOf("mended.csv"), `${rejects.replace("folgt", "0151 12345670")}\r\n`);
  expect((await importFile("mended.csv")).json).toMatchObject({ created: 1, invalid: 0 });
  const kept = await importText(text, "--keep-valid", "--rejects", "again.csv");
  expect(kept.json).toMatchObject({ created: 1, unchanged: 1, invalid: 1, partly: 1 });
  expect(kept.stderr).toContain("has no valid phone number or email, and a contact with this name exists");
  expect(readFileSync(pathOf("again.csv"), "utf8")).toMatch(/Anna;Weiß;folgt;.*is not a valid phone number/);
  expect((await contacts()).map(({ first_name }) => first_name).sort()).toEqual(["Anna", "Bo", "Cleo"]);
  const again = await importText(text, "--keep-valid");
  expect(again.json).toMatchObject({ created: 0, unchanged: 2, invalid: 1 });
});

describe("contacts import --on-match replace --dry-run", () => {
  test("--on-match replace --dry-run shows the changes of at most ten contacts", async () => {
    const { importText, home, run } = await setUp();
    const text = (name: string) =>
      `Vorname,Nachname,Telefon\n${Array.from({ length: 12 }, (_, row) => `Anna${row},${name},030 23181${200 + row}`).join("\n")}\n`;
    expect((await importText(text("Alt"))).code).toBe(0);
    writeFileSync(join(home, "list.csv"), text("Neu"));
    const given = [
      "--group",
      "Kunden",
      "--country",
      "DE",
      "--on-match",
      "replace",
      "--dry-run",
      "-o",
      "table",
    ];
    const { code, stderr } = await run("contacts", "import", "list.csv", ...given);
    expect(code).toBe(0);
    expect(stderr).toMatch(/Anna0 Alt +last_name: Alt → Neu/);
    expect(stderr).toContain("… and 2 more rows with changes");
  });
});

describe("the file of --rejects", () => {
  test.each([
    [
      "a CSV file with semicolons in Windows-1252",
      "list.csv",
      Buffer.from("Vorname;Nachname;Telefon\nJ\xfcrgen;Wei\xdf;x\nAnna;Au;0151 12345670\n", "latin1"),
      ";x;",
      ";0151 12345671;",
    ],
    [
      "JSONL",
      "list.jsonl",
      Buffer.from(
        '{"first_name":"Jürgen","last_name":"Weiß","phone_numbers":["x"]}\n{"first_name":"Anna","phone_numbers":["0151 12345670"]}\n',
      ),
      '["x"]',
      '["0151 12345671"]',
    ],
    [
      "JSON",
      "list.json",
      Buffer.from(
        '[{"first_name":"Jürgen","last_name":"Weiß","phone_numbers":["x"]},{"first_name":"Anna","phone_numbers":["0151 12345670"]}]',
      ),
      '["x"]',
      '["0151 12345671"]',
    ],
  ])(
    "rejected rows can be corrected in the --rejects file and imported: %s",
    async (_, name, bytes, bad, good) => {
      const { importFile, place: pathOf, contacts } = await setUp();
      writeFileSync(pathOf(name), bytes);
      const rejects = `mended-${name}`;
      expect((await importFile(name, "--rejects", rejects)).json).toMatchObject({ created: 1, invalid: 1 });
      const written = readFileSync(pathOf(rejects), "latin1");
      expect(written).toContain("voxctl_error");
      expect(written).toContain("is not a valid phone number");
      writeFileSync(pathOf(rejects), Buffer.from(written.replace(bad, good), "latin1"));
      expect((await importFile(rejects)).json).toMatchObject({ rows: 1, created: 1 });
      expect(await contacts()).toMatchObject([
        { first_name: "Anna" },
        { first_name: "Jürgen", last_name: "Weiß", phone_numbers: ["+4915112345671"] },
      ]);
    },
  );

  test("the --rejects file is a spreadsheet if the input is a spreadsheet", async () => {
    const { importFile, place: pathOf } = await setUp();
    writeFileSync(
      pathOf("list.xlsx"),
      createSpreadsheet([
        ["Vorname", "Telefon"],
        ["Anna", "x"],
      ]),
    );
    expect((await importFile("list.xlsx", "--rejects", "mended.xlsx")).json).toMatchObject({ invalid: 1 });
    expect((await importFile("mended.xlsx")).json).toMatchObject({ rows: 1, invalid: 1 });
  });

  test("a --rejects file can be imported with the --encoding of its input file", async () => {
    const { importText, importFile, place: pathOf, contacts } = await setUp();
    const text = Buffer.from("Nr;Vorname;Telefon\n1;\xafaneta;x\n", "latin1");
    const flags = ["--encoding", "windows-1250"];
    expect((await importText(text, ...flags, "--rejects", "rejects.csv")).json).toMatchObject({ invalid: 1 });
    const written = readFileSync(pathOf("rejects.csv"), "utf8");
    writeFileSync(pathOf("rejects.csv"), written.replace(";x;", ";+48 601 234 568;"));
    expect((await importFile("rejects.csv", ...flags)).json).toMatchObject({ created: 1 });
    expect(await contacts()).toMatchObject([{ first_name: "Żaneta" }]);
  });

  test("importing an unchanged --rejects file refuses unreadable cells again", async () => {
    const { importFile, place: pathOf } = await setUp();
    const cells = [
      { attributes: 't="b"', xml: "<v>1</v>" },
      { attributes: "", xml: '<f>A1&amp;"x"</f>' },
      { number: "4915112345678901234" },
      { attributes: 't="e"', xml: "<v>#REF!</v>" },
      { attributes: 't="b"', xml: "<v>TRUE</v>" },
      { attributes: 't="b"', xml: "<v>yes</v>" },
      { number: "12,5" },
    ];
    const invalid = cells.length;
    const rows = cells.map((cell, index) => ["Anna", cell, `0151 1234567${index}`]);
    writeFileSync(pathOf("list.xlsx"), createSpreadsheet([["Vorname", "Nachname", "Telefon"], ...rows]));
    expect((await importFile("list.xlsx", "--rejects", "first.xlsx")).json).toMatchObject({ invalid });
    expect((await importFile("first.xlsx", "--rejects", "second.xlsx")).json).toMatchObject({ invalid });
    expect((await importFile("second.xlsx")).json).toMatchObject({ created: 0, invalid });
  });

  test.each([
    ["with a quote that is never closed", 'Ben;"Lot;+491711234568'],
    ["with a quote that is never closed in its first cell", '"Ben, Dr.;Lot;+491711234568'],
    ["with a quote that is not doubled", 'Ben;"Lot" x";"030 1234567"'],
    ["with text after a quoted cell", '"Ben" x;"Lot";"030 1234567"'],
    ["with an unmatched quote in a cell", 'Ben;Lo"t;030 1234567'],
    ["whose cell contains two rows", 'Ben;"Lot;030 1234567\nCleo;Au";030 1234568'],
    ["whose cell contains many rows", '"Ben;Lot;030 1\nCleo;Au;030 1234568\nDora;Ey;030 2"'],
    ["that ends too early", "Ben;Lot"],
  ])("a CSV row %s is refused again by an import of the --rejects file", async (_, row) => {
    const { importText, importFile, place: pathOf } = await setUp();
    const text = `Vorname;Nachname;Telefon\nAnna;Au;0151 12345670\nEva;Li;x\n${row}`;
    const rejected = { created: 0, invalid: 2 };
    expect((await importText(text, "--rejects", "1.csv")).json).toMatchObject({ created: 1, invalid: 2 });
    expect((await importFile("1.csv", "--rejects", "2.csv")).json).toMatchObject(rejected);
    expect((await importFile("2.csv", "--rejects", "3.csv")).json).toMatchObject(rejected);
    const [first, third] = ["1.csv", "3.csv"].map((name) => readFileSync(pathOf(name), "utf8"));
    expect(first).toContain(row);
    expect(third?.replaceAll(/\d+ to \d+/g, "")).toBe(first?.replaceAll(/\d+ to \d+/g, ""));
  });

  test.each([
    [".", 2, "it is a directory"],
    ["nowhere/rejects.csv", 2, "can't be written"],
    ["precious.csv", 12, '"hint":"choose another file name"'],
    ["report.csv", 2, "can't be the same file"],
    ["rejects.xlsx", 2, '"hint":"choose a file name that ends in .csv"'],
  ])(
    "the --rejects path %s is refused with exit code %i before any request",
    async (rejects, exit, message) => {
      const { importText, place: pathOf, run } = await setUp();
      writeFileSync(pathOf("precious.csv"), "precious\n");
      const given = ["--rejects", rejects, ...(rejects === "report.csv" ? ["--report", rejects] : [])];
      const { code, stderr } = await importText("Vorname,Telefon\nAnna,030 1234567\n,x\n", ...given);
      expect([code, stderr]).toEqual([exit, expect.stringContaining(message)]);
      expect((await run("contacts", "list", "--all", "-o", "json")).json).toEqual([]);
      expect(readFileSync(pathOf("precious.csv"), "utf8")).toBe("precious\n");
    },
  );

  test("an import replaces the --rejects file of an earlier run", async () => {
    const { importText, place: pathOf } = await setUp();
    const text = "Vorname,Telefon\nAnna,030 1234567\n,x\n";
    for (const _ of [1, 2]) expect((await importText(text, "--rejects", "rejects.csv")).code).toBe(68);
    expect(readFileSync(pathOf("rejects.csv"), "utf8")).toContain("voxctl_error");
  });

  test("an import without rejected rows deletes the --rejects file of an earlier run", async () => {
    const { importText, place: pathOf } = await setUp();
    const rejected = await importText("Vorname,Telefon\n,x\n", "--rejects", "rejects.csv");
    expect([rejected.json.rejects, existsSync(pathOf("rejects.csv"))]).toEqual(["rejects.csv", true]);
    const mended = await importText("Vorname,Telefon\nAnna,030 1234567\n", "--rejects", "rejects.csv");
    expect([mended.code, mended.json.rejects, existsSync(pathOf("rejects.csv"))]).toEqual([
      0,
      undefined,
      false,
    ]);
  });

  test.each(["csv", "xlsx"])(
    "an import never replaces a --rejects file (%s) that was edited after the run",
    async (type) => {
      const { importFile, place: pathOf } = await setUp();
      const rows = [
        ["Vorname", "Telefon"],
        ["Anna", "x"],
      ];
      const bytes =
        type === "csv" ? rows.map((cells) => `${cells.join(",")}\n`).join("") : createSpreadsheet(rows);
      writeFileSync(pathOf(`list.${type}`), bytes);
      const importAgain = () => importFile(`list.${type}`, "--rejects", `rejects.${type}`);
      expect((await importAgain()).code).toBe(68);
      const edited = Buffer.concat([readFileSync(pathOf(`rejects.${type}`)), Buffer.from("edited")]);
      writeFileSync(pathOf(`rejects.${type}`), edited);
      const again = await importAgain();
      expect([again.code, again.stderr]).toEqual([
        12,
        expect.stringContaining("was edited after voxctl wrote it"),
      ]);
      expect(readFileSync(pathOf(`rejects.${type}`))).toEqual(edited);
    },
  );

  test("importing a --rejects file reports unused columns, except voxctl_error", async () => {
    const { importText, importFile } = await setUp();
    const first = await importText("Vorname,Telefon,Anrede\n,x,Frau\n", "--rejects", "first.csv");
    expect(first.stderr).toContain("Columns without a contact field: Anrede\n");
    expect((await importFile("first.csv")).stderr).toContain("Columns without a contact field: Anrede\n");
  });

  test.each([
    ["list.jsonl", '{"first_name":"Eva" "x"}\n'],
    ["list.json", '[{"first_name":"Eva" "x"}]'],
  ])("invalid JSON can be corrected in the --rejects file of %s and imported", async (name, text) => {
    const { importFile, place: pathOf, contacts } = await setUp();
    writeFileSync(pathOf(name), text);
    expect((await importFile(name, "--rejects", `1-${name}`)).json).toMatchObject({ invalid: 1 });
    expect((await importFile(`1-${name}`, "--rejects", `2-${name}`)).json).toMatchObject({ invalid: 1 });
    const rejects = readFileSync(pathOf(`2-${name}`), "utf8");
    expect(rejects).toBe(readFileSync(pathOf(`1-${name}`), "utf8"));
    writeFileSync(pathOf(name), rejects.replace('\\"Eva\\" \\"x\\"', '\\"Eva\\"'));
    expect((await importFile(name)).json).toMatchObject({ created: 1, invalid: 0 });
    expect(await contacts()).toMatchObject([{ first_name: "Eva" }]);
  });

  test("the value of an invalid row doesn't contain the error of an earlier import", async () => {
    const { importText } = await setUp();
    const ran = await importText('Vorname,Telefon,voxctl_error\nAnna,"030 1,a quote is never closed\n');
    expect(readLines(ran.json.report)).toMatchObject([
      { field: "row", value: expect.stringMatching(/^Anna/) },
    ]);
    const again = await importText(
      "Vorname,Telefon,voxctl_error\nAnna,030 1234567,\nSumme,7,is no contact\n",
    );
    expect(readLines(again.json.report)).toMatchObject([{ field: "row", value: "Summe | 7" }]);
  });

  test("a --rejects file keeps a multi-line cell in one row even if its lines look like rows", async () => {
    const { importText, importFile, place: pathOf, contacts } = await setUp();
    const row = '"Anna","030 x","Ulm\nBen,030 1234568,Bonn\nKiel"';
    await importText(`Vorname,Telefon,Nachname\n${row}\n`, "--rejects", "first.csv");
    writeFileSync(
      pathOf("first.csv"),
      readFileSync(pathOf("first.csv"), "utf8").replace("030 x", "030 1234567"),
    );
    expect((await importFile("first.csv")).json).toMatchObject({ rows: 1, created: 1, invalid: 0 });
    expect(await contacts()).toMatchObject([{ first_name: "Anna", phone_numbers: ["+49301234567"] }]);
  });

  test("the --rejects file shows one error per row, after the row's last cell", async () => {
    const { importText, importFile, place: pathOf } = await setUp();
    await importText("Vorname,Telefon\nAnna,030 1234567,3\n", "--rejects", "first.csv");
    await importFile("first.csv", "--rejects", "second.csv");
    expect(readFileSync(pathOf("second.csv"), "utf8")).toMatch(
      /^Vorname,Telefon,voxctl_error\r\nAnna,030 1234567,3,[^",]+\r\n$/,
    );
  });

  test.each(["csv", "xlsx"])(
    "a row (%s) with too many cells can be imported once the extra cell is empty",
    async (type) => {
      const { importFile, place: pathOf, contacts } = await setUp();
      const save = (name: string, rows: string[][]) =>
        writeFileSync(
          pathOf(name),
          type === "csv" ? rows.map((cells) => `${cells.join(",")}\n`).join("") : createSpreadsheet(rows),
        );
      const error = "has a value in cell 3 but the header has only 2 columns";
      const rejects = (surplus: string) => [
        ["Vorname", "Telefon", "voxctl_error"],
        ["Anna", "030 1234567", surplus, `${error}: quote any cell that contains the delimiter`],
      ];
      save(`rejects.${type}`, rejects("Notiz"));
      const kept = await importFile(`rejects.${type}`);
      expect([kept.code, kept.stderr]).toEqual([68, expect.stringContaining(error)]);
      save(`rejects.${type}`, rejects(""));
      expect((await importFile(`rejects.${type}`)).json).toMatchObject({ rows: 1, created: 1, invalid: 0 });
      expect(await contacts()).toMatchObject([{ first_name: "Anna", phone_numbers: ["+49301234567"] }]);
    },
  );

  test.each([
    ["--sheet", "2"],
    ["--sheet", "Adressen"],
  ])("`contacts import` refuses %s %s for a CSV file", async (flag, value) => {
    const { importText, run } = await setUp();
    const { code, stderr } = await importText("Vorname,Telefon\nAnna,030 1234567\n", flag, value);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--sheet")]);
    expect((await run("contacts", "list", "--all", "-o", "json")).json).toEqual([]);
  });

  test("an import refuses to write rejected rows into its input file", async () => {
    const { importText } = await setUp();
    expect((await importText("Vorname\nAnna\n", "--rejects", "list.csv")).code).toBe(2);
  });
});

describe("contacts import --on-match replace", () => {
  const header = "Vorname;Nachname;Telefon;Mobil;E-Mail\n";
  const anna = "Anna;Weiß;0151 12345670;030 23181234;a@b.de\n";
  const otherRows = Array.from({ length: 3 }, (_, n) => `P${n};Q${n};0151 9999990${n};;p${n}@b.de\n`).join(
    "",
  );

  test("[S0] --on-match replace changes only fields for which the file has a column", async () => {
    const { importText, contacts } = await setUp();
    await importText(`${header}${anna}`);
    const changed = "Vorname;Nachname;Telefon\nAnne;Weiss;0151 12345670\n";
    const ran = await importText(changed, "--on-match", "replace");
    expect(ran.json).toMatchObject({ updated: 1 });
    expect(await contacts()).toEqual([
      { first_name: "Anne", last_name: "Weiss", phone_numbers: ["+4915112345670"], emails: ["a@b.de"] },
    ]);
    const again = await importText(changed, "--on-match", "replace", "--new-run");
    expect(again.json).toMatchObject({ updated: 0, unchanged: 1, requests: expect.any(Number) });
  });

  test("[S0] --on-match replace overwrites a contact's old number with the number in the file", async () => {
    const { importText, contacts } = await setUp();
    await importText(`${header}${anna}`);
    await importText(`${header}Anna;Weiß;0151 12345670;030 55555555;a@b.de\n`, ...["--on-match", "replace"]);
    expect((await contacts())[0]?.phone_numbers).toEqual(["+4915112345670", "+493055555555"]);
  });

  test("[S0] an empty cell clears its field only if at least half of the column is filled", async () => {
    const { importText, contacts } = await setUp();
    await importText(`${header}${anna}${otherRows}`);
    // Mobil is empty in all rows, and E-Mail in one of four.
    const text = `${header}Anna;;0151 12345670;;\n${otherRows}`;
    const ran = await importText(text, "--on-match", "replace", "--clear-empty", "E-Mail");
    expect(ran.stderr).toContain('most cells in "Mobil" are empty, so voxctl ignores the empty cells');
    expect((await contacts())[0]).toEqual({
      first_name: "Anna",
      last_name: "",
      phone_numbers: ["+4915112345670", "+493023181234"],
      emails: [],
    });
  });

  test("[S0] only --clear-empty removes a contact's last email", async () => {
    const { importText, contacts } = await setUp();
    await importText(`${header}${anna}${otherRows}`);
    const text = `${header}Anna;Weiß;0151 12345670;030 23181234;\n${otherRows}`;
    await importText(text, "--on-match", "replace");
    expect((await contacts())[0]?.emails).toEqual(["a@b.de"]);
    await importText(text, "--on-match", "replace", "--clear-empty", "E-Mail");
    expect((await contacts())[0]?.emails).toEqual([]);
  });

  test("[S0] --keep-valid keeps a contact's numbers if the number in the file is invalid", async () => {
    const { importText, contacts } = await setUp();
    await importText(`${header}${anna}`);
    await importText(
      `${header}Anna;Wild;folgt;;a@b.de\n`,
      ...["--on-match", "replace", "--match", "phone,email", "--keep-valid"],
    );
    expect(await contacts()).toEqual([
      {
        first_name: "Anna",
        last_name: "Wild",
        phone_numbers: ["+4915112345670", "+493023181234"],
        emails: ["a@b.de"],
      },
    ]);
  });

  const crowd = (last: (n: number) => string) =>
    `Vorname;Nachname;Telefon\n${Array.from({ length: 30 }, (_, n) => `P${n};${last(n)};0151 9999${1000 + n}\n`).join("")}`;

  test("[S0] an import that would change or clear too many values exits with code 12", async () => {
    const { importText, contacts } = await setUp();
    await importText(crowd(() => "Weiß"));
    const updates = await importText(
      crowd(() => "Schwarz"),
      "--on-match",
      "replace",
    );
    expect(updates.code).toBe(12);
    expect(errorOf(updates.stderr)).toMatchObject({
      code: "too_many_updates",
      outcome: "none",
      hint: expect.stringContaining("--max-update 30"),
    });
    const clears = await importText(
      crowd((n) => (n < 4 ? "" : "Weiß")),
      "--on-match",
      "replace",
    );
    expect(clears.code).toBe(12);
    expect(errorOf(clears.stderr)).toMatchObject({ code: "too_many_clears" });
    expect((await contacts()).every(({ last_name }) => last_name === "Weiß")).toBe(true);
    const confirmed = await importText(
      crowd(() => "Schwarz"),
      "--on-match",
      "replace",
      "--max-update",
      "100%",
    );
    expect(confirmed.json).toMatchObject({ updated: 30 });
  });
});

test("[I5] with --on-match update, the summary counts old values that contacts keep", async () => {
  const { importText } = await setUp();
  await importText("Vorname;E-Mail;Telefon\nAnna;a@b.de;0151 12345670\n");
  const ran = await importText(
    "Vorname;E-Mail;Telefon\nAnna;a@b.de;0151 12345671\n",
    ...["--match", "email", "--on-match", "update"],
  );
  expect(ran.json).toMatchObject({ updated: 1, kept: { phone_numbers: 1, emails: 0 } });
  expect(ran.stderr).toContain("1 old phone number kept; to remove them, use --on-match replace");
});

test.each([
  ["matched", []],
  ["known by a key", ["--key", "Nr"]],
])("[S0] --on-match=replace removes a value that --on-match=update had kept: %s", async (_, key) => {
  const { importText, importFile, contacts, run } = await setUp();
  const people = (email: string) =>
    `Nr;Vorname;Telefon;E-Mail\n1;Anna;030 1000001;a@b.de\n2;Clara;030 1000003;${email}\n`;
  await importText(people("c@b.de"), ...key);
  expect((await importText(people("neu@b.de"), "--on-match", "update", ...key)).json).toMatchObject({
    updated: 1,
  });
  const clara = async () => (await contacts()).find(({ first_name }) => first_name === "Clara");
  expect((await clara())?.emails).toEqual(["c@b.de", "neu@b.de"]);
  const syncing = ["contacts", "sync", "list.csv", "--group", "Kunden", "--country", "DE", ...key];
  expect((await run(...syncing, "--check", "--dry-run")).code).toBe(10);
  expect((await importFile("list.csv", "--on-match", "replace", ...key)).json).toMatchObject({
    updated: 1,
  });
  expect((await clara())?.emails).toEqual(["neu@b.de"]);
  expect((await run(...syncing, "--check", "--dry-run")).code).toBe(0);
});

test.each(["--quiet", "-q"])(
  "with %s, a successful `contacts import` does not write to stderr",
  async (quiet) => {
    const { importText } = await setUp();
    const ran = await importText("Vorname\nAnna\n", quiet);
    expect(ran.stderr).toBe("");
    expect(ran.json).toMatchObject({ created: 1 });
  },
);

describe("a row with fewer cells than the header", () => {
  const header = "Vorname;Nachname;Telefon;Notiz\n";
  const short =
    "treating missing cells as empty in 1 row that has fewer cells than the header (row 2, line 3)";

  test.each([
    ["the only short row", "Anna;A;030 1234567;x\nBert;B\nCleo;C;030 1234569;x\n"],
    ["other rows have empty last cells", "Anna;A;030 1234567;\nBert;B\nCleo;C;030 1234569;x\n"],
  ])("a row with fewer cells than the header is reported with its line: %s", async (_, rows) => {
    const { importText } = await setUp();
    const ran = await importText(header + rows);
    expect([ran.json.created, ran.stderr]).toEqual([3, expect.stringContaining(short)]);
  });

  test("a short row is not reported if the file omits empty cells at the end of every row", async () => {
    const { importText } = await setUp();
    const ran = await importText(`${header}Anna;A;030 1234567\nBert;B\nCleo;C;030 1234569;x\nDora;D\n`);
    expect([ran.json.created, ran.stderr]).toEqual([4, expect.not.stringContaining("fewer cells")]);
  });
});

describe("a truncated file", () => {
  test.each([
    ["within a quoted cell", '"Bert'],
    ["within its last row", "Bert;Kl"],
  ])(
    "if a file is truncated %s, its last row is invalid with every --on-match value",
    async (_, lastLine) => {
      const { importText, contacts } = await setUp();
      const whole = "Vorname;Nachname;Telefon\nAnna;Weiß;0151 12345670\n";
      for (const how of ["skip", "update", "replace", "create"]) {
        const ran = await importText(whole + lastLine, "--on-match", how);
        expect([how, ran.code, ran.json.invalid]).toEqual([how, 68, 1]);
        expect(readLines(ran.json.report)).toContainEqual(
          expect.objectContaining({ row: 2, outcome: "invalid", field: "row" }),
        );
      }
      expect((await contacts()).map(({ first_name }) => first_name)).not.toContain("Bert");
    },
  );
});

describe("duplicate rows of a file", () => {
  const header = "Vorname;Nachname;Telefon;Mobil;E-Mail\n";

  test("two rows with one number but different names cause one warning, until both are imported", async () => {
    const { importText } = await setUp();
    const text = `${header}Anna;Weiß;030 1234567;;\nBen;Weiß;030 1234567;;b@b.de\n`;
    const first = await importText(text);
    expect(first.stderr).toMatch(/different name: row 2 .*use --match phone,name/);
    expect(first.stderr).not.toContain("additional numbers");
    expect((await importText(text, "--match", "phone,name")).json).toMatchObject({ created: 1 });
    expect((await importText(text)).stderr).not.toMatch(/--match phone,name|additional numbers/);
  });

  test.each(["skip", "update", "replace"])(
    "with --on-match %s, an import reports values that are only in a skipped row",
    async (how) => {
      const { importText } = await setUp();
      const ran = await importText(
        `${header}Anna;Weiß;030 1234567;;\nAnna;Weiß;030 1234567;0151 23456780;a@b.de\nAnna;Weiß;030/1234567;;\n`,
        ...["--on-match", how],
      );
      expect([ran.code, ran.json.created, ran.json.duplicates]).toEqual([0, 1, 2]);
      expect(ran.stderr).toContain("1 duplicate row has additional numbers or emails that are not imported");
      expect(ran.stderr).toContain("row 2;");
      const [second, third] = readLines(ran.json.report).filter(({ outcome }) => outcome === "duplicate");
      expect(second).toMatchObject({
        row: 2,
        of: 1,
        left_out: { phone_numbers: ["+4915123456780"], emails: ["a@b.de"] },
      });
      expect(third).not.toHaveProperty("left_out");
    },
  );

  test("a row creates a contact even if a skipped row has the same number", async () => {
    const { importText, contacts } = await setUp();
    const people = `${header}Anna;Weiß;030 1234567;;\nAnna;Weiß;030 1234567;0151 23456780;\nAnna;Weiß;;0151 23456780;\n`;
    const first = await importText(people, "--on-match", "update");
    expect(first.json).toMatchObject({ created: 2, duplicates: 1 });
    expect((await contacts()).flatMap(({ phone_numbers }) => phone_numbers).sort()).toEqual([
      "+4915123456780",
      "+49301234567",
    ]);
    const again = await importText(people, "--on-match", "update");
    expect(again.json).toMatchObject({ created: 0, updated: 0, unchanged: 2, duplicates: 1 });
  });

  test("[S4] `contacts sync` keeps a contact if only a skipped row has its number", async () => {
    const { importText, place: pathOf, run, contacts } = await setUp();
    await importText(`${header}Anna;Weiß;0151 23456780;;\n`);
    writeFileSync(
      pathOf("list.csv"),
      `${header}Anna;Weiß;030 1234567;;\nAnna;Weiß;030 1234567;0151 23456780;\n`,
    );
    const synced = await run(
      ...["contacts", "sync", "list.csv", "--group", "Kunden", "--country", "DE", "--delete", "--yes"],
      ...["--max-delete", "100%", "-o", "json"],
    );
    expect(synced.json).toMatchObject({ created: 1, deleted: 0 });
    expect((await contacts()).flatMap(({ phone_numbers }) => phone_numbers)).toContain("+4915123456780");
  });
});

describe("spreadsheet errors in a text file", () => {
  const errors = ["#NV", "#BEZUG!", "#NAME?", "#WERT!", "#DIV/0!", "#N/A", "#ÜBERLAUF!", "#####", "Err:502"];

  test.each(["skip", "update", "replace"])(
    "--on-match %s rejects rows with a spreadsheet error such as #NV as a name",
    async (how) => {
      const { importText, contacts } = await setUp();
      const rows = (last: (index: number) => string) =>
        `Vorname;Nachname;Telefon\n${errors.map((_, index) => `P${index};${last(index)};0151 123456${70 + index}\n`).join("")}`;
      await importText(rows(() => "Weiß"));
      const ran = await importText(
        rows((index) => errors[index] ?? ""),
        "--on-match",
        how,
      );
      expect([ran.code, ran.json.invalid, ran.json.updated]).toEqual([68, errors.length, 0]);
      expect(readLines(ran.json.report)[0]).toMatchObject({
        field: "last_name",
        value: "#NV",
        reason: "is a spreadsheet formula error",
      });
      expect((await contacts()).every(({ last_name }) => last_name === "Weiß")).toBe(true);
    },
  );

  test("an import rejects spreadsheet errors such as #NV as keys", async () => {
    const { importText } = await setUp();
    const ran = await importText(
      "Nr;Vorname;Telefon;Bemerkung\n1;Anna;0151 12345670;#NV\n#NV;Bert;0151 12345671;\n#NV;Cem;0151 12345672;\n",
      "--key",
      "Nr",
    );
    expect(ran.json).toMatchObject({ created: 1, invalid: 2 });
  });

  test("names that start with a number sign are valid", async () => {
    const { importText } = await setUp();
    const ran = await importText(
      "Vorname;Telefon\n#Team;0151 12345670\n#1;0151 12345671\nErr;0151 12345672\n",
    );
    expect(ran.json).toMatchObject({ created: 3, invalid: 0 });
  });
});

test("empty cells after the last column don't prevent an import of the --rejects file", async () => {
  const { importText, importFile, place: pathOf } = await setUp();
  const ran = await importText(
    "Vorname;Nachname;Telefon\nJan;Öhm;abc;;\nEva;Uhl;0171 6000078;;\n",
    "--rejects",
    "left.csv",
  );
  expect(ran.json).toMatchObject({ created: 1, invalid: 1 });
  const left = readFileSync(pathOf("left.csv"), "utf8");
  expect(left).toMatch(/^Vorname;Nachname;Telefon;voxctl_error\r?\nJan;Öhm;abc;[^;]+\r?\n$/);
  writeFileSync(pathOf("left.csv"), left.replace("abc", "0171 6000077"));
  expect((await importFile("left.csv")).json).toMatchObject({ created: 1, invalid: 0 });
});

describe("rows without a first name", () => {
  const file = [
    "Vorname;Nachname;Firma;Telefon",
    "Jan;Öhm;Öhm GmbH;0151 12345670",
    ";Kurz;;0151 12345671",
    ";;Lang & Co;0151 12345672",
    ";Mai;Mai KG;0151 12345673",
    ";;;0151 12345674",
    "",
  ].join("\n");

  test("an import suggests a --map flag for rows without a first name", async () => {
    const { importText } = await setUp();
    const ran = await importText(file);
    expect(ran.json).toMatchObject({ created: 1, invalid: 4 });
    expect(ran.stderr).toContain("4 rows have no first name, which a contact requires");
    expect(ran.stderr).toContain("--map 'first_name=Vorname||Nachname||Firma'");
  });

  test("the --map hint suggests a column of company names", async () => {
    const { importText } = await setUp();
    const header =
      "First Name,Last Name,Organization 1 - Type,Organization Name,Organization Title,Phone 1 - Value";
    const ran = await importText(`${header}\n,Meier,Work,ACME,CEO,030 1234567\n`);
    expect(ran.stderr).toContain("--map 'first_name=First Name||Last Name||Organization Name'");
  });

  test("--map first_name=A||B uses the first column that is filled", async () => {
    const { importText, contacts } = await setUp();
    const preview = await importText(file, "--map", "first_name=Vorname||Firma||Nachname", "--dry-run");
    expect(preview.stderr).toContain("Firma → first_name in rows without a first name");
    const ran = await importText(file, "--map", "first_name=Vorname||Firma||Nachname");
    expect(ran.json).toMatchObject({ created: 4, invalid: 1 });
    expect((await contacts()).map(({ first_name, last_name }) => [first_name, last_name])).toEqual([
      ["Jan", "Öhm"],
      ["Kurz", ""],
      ["Lang & Co", ""],
      ["Mai KG", "Mai"],
    ]);
    const again = await importText(
      file,
      "--map",
      "first_name=Vorname||Firma||Nachname",
      "--on-match",
      "replace",
    );
    expect(again.json).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
  });

  test.each([
    ["last_name=Nachname||Firma", "only supported for first_name"],
    ["first_name=Vorname||Firma|Nachname", "write first_name=Vorname||Firma||Nachname"],
    ["first_name=Vorname||Branche", 'no column \\"Branche'],
  ])("an import refuses --map %s", async (map, message) => {
    const { importText } = await setUp();
    const ran = await importText(file, "--map", map);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("a number that several contacts of the group share", () => {
  const header = "Vorname;Nachname;Telefon;E-Mail\n";
  const family = ["Anna", "Paul"].map((name) => `${name};Berger;030 24991001;${name.toLowerCase()}@b.de\n`);

  async function withFamily() {
    const setup = await setUp();
    await setup.importText(header + family.join(""), "--match", "phone,name");
    return setup;
  }

  test.each(["skip", "update", "replace"])(
    "--on-match %s distinguishes contacts with the same number by their names",
    async (how) => {
      const { importText, contacts } = await withFamily();
      const before = await contacts();
      for (const rows of [family.slice(1), family.toReversed()]) {
        const ran = await importText(header + rows.join(""), "--on-match", how);
        expect([ran.json.created, ran.json.updated, ran.json.unchanged]).toEqual([0, 0, 1]);
      }
      expect(await contacts()).toEqual(before);
    },
  );

  test("a row with a shared number updates only the contact with the same name", async () => {
    const { importText, contacts } = await withFamily();
    await importText(`${header}Paul;Berger;030 24991001;paul.neu@b.de\n`, "--on-match", "replace");
    expect((await contacts()).map(({ first_name, emails }) => [first_name, emails])).toEqual([
      ["Anna", ["anna@b.de"]],
      ["Paul", ["paul.neu@b.de"]],
    ]);
  });

  test("[S4] a sync deletes a contact without a row, even if others share its number", async () => {
    const { place: pathOf, run, contacts, importText } = await withFamily();
    await importText(header + family.join(""), "--match", "phone,name");
    writeFileSync(pathOf("paul.csv"), header + family[1]);
    const synced = await run(
      ...["contacts", "sync", "paul.csv", "--group", "Kunden", "--country", "DE", "--yes", "-o", "json"],
      ...["--delete", "--delete-duplicates", "--delete-newer", "--max-delete", "100%"],
    );
    expect(synced.json).toMatchObject({ updated: 0, deleted: 1 });
    expect((await contacts()).map(({ first_name }) => first_name)).toEqual(["Paul"]);
  });
});
