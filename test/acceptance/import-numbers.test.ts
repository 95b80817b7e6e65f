import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { readLines } from "../helpers/import.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { createSpreadsheet, packSpreadsheet } from "../helpers/xlsx.js";

interface Contact {
  first_name: string;
  phone_numbers: string[];
}

async function office() {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const { home, run } = shell;
  const importFile = async (content: string | Buffer, ...flags: string[]) => {
    const name = typeof content === "string" ? "list.csv" : "list.xlsx";
    writeFileSync(join(home, name), content);
    const into = ["--group", "Kunden", "--create-group", "-o", "json"];
    const ran = await run("contacts", "import", name, ...into, ...flags);
    const listed = await run("contacts", "list", "--group", "Kunden", "--all", "-o", "json");
    const contacts: Contact[] = ran.json.created > 0 && !flags.includes("--dry-run") ? listed.json : [];
    const numbers = Object.fromEntries(
      contacts.map((contact) => [contact.first_name, contact.phone_numbers]),
    );
    const reasons =
      ran.json.invalid === 0 ? [] : readLines(ran.json.report).map(({ reason }) => String(reason));
    return { ...ran, json: ran.json, numbers, reasons };
  };
  const importNumbers = (numbers: readonly string[], ...flags: string[]) => {
    const rows = numbers.map((number, index) => `${String.fromCharCode(97 + index)};Weiß;"${number}"\n`);
    return importFile(`Vorname;Nachname;Telefon\n${rows.join("")}`, ...flags);
  };
  return { ...shell, importFile, importNumbers };
}

describe("a number without its plus", () => {
  const lost = ["436641234567", "33612345678", "12125550123", "393331234567", "905321234567"];

  test("an import rejects numbers without a plus if all of them start with a calling code", async () => {
    const { importNumbers } = await office();
    const ran = await importNumbers(lost, "--country", "DE");
    expect([ran.code, ran.json.created, ran.json.invalid]).toEqual([68, 0, 5]);
    expect(ran.reasons.every((reason) => reason.includes("--trust-calling-code"))).toBe(true);
    expect(ran.stderr).toContain("5 phone numbers have another country's calling code");
  });

  test.each([
    ["the leading zero", ["15112345678", "302101234567"], ["--trust-calling-code"]],
    ["the plus sign", ["+4915112345678", "4915112345679", "302101234567"], []],
  ])(
    "an import of a --rejects file rejects ambiguous numbers again if the column lacks %s",
    async (_, numbers, flags) => {
      const { importNumbers, run, home } = await office();
      const all = [...flags, "--country", "DE"];
      const { reasons } = await importNumbers(numbers, ...all, "--rejects", "rejects.csv");
      expect(reasons.at(-1)).toContain("could be +49302101234567 or +302101234567, because other numbers");
      const rejects = readFileSync(join(home, "rejects.csv"), "utf8");
      writeFileSync(join(home, "rejects.csv"), rejects.replace(";4915112345679", ";+4915112345679"));
      const again = await run("contacts", "import", "rejects.csv", "--group", "Kunden", ...all, "-o", "json");
      expect(readLines(again.json.report).map(({ reason }) => reason)).toEqual([reasons.at(-1)]);
    },
  );

  test("an import of a vCard --rejects file rejects ambiguous numbers again", async () => {
    const { run, home } = await office();
    const card = (name: string, number: string) =>
      `BEGIN:VCARD\nVERSION:3.0\nN:;${name};;;\nTEL:${number}\nEND:VCARD\n`;
    writeFileSync(join(home, "list.vcf"), card("Anna", "15112345678") + card("Bert", "302101234567"));
    const into = ["--group", "Kunden", "--create-group", "--country", "DE", "--trust-calling-code"];
    const more = ["--rejects", "rejects.vcf", "-o", "json"];
    expect((await run("contacts", "import", "list.vcf", ...into, ...more)).json.invalid).toBe(1);
    expect((await run("contacts", "import", "rejects.vcf", ...into, "-o", "json")).json.invalid).toBe(1);
  });

  test.each([
    ["48601234567", "PL"],
    ["4930123456", "DE"],
  ])(
    "an import warns about a number with its country's calling code but no plus: %s in %s",
    async (number, country) => {
      const { importNumbers } = await office();
      const { stderr } = await importNumbers([number], "--country", country);
      expect(stderr).toContain("1 phone number has the country's calling code but no plus");
    },
  );

  test("--trust-calling-code reads a number without a plus as if it had a plus", async () => {
    const { importNumbers } = await office();
    const ran = await importNumbers(lost, "--country", "DE", "--trust-calling-code");
    expect(Object.values(ran.numbers).flat().sort()).toEqual(lost.map((number) => `+${number}`).sort());
    expect(ran.stderr).toContain(
      '3 rows have phone numbers that are valid with and without a plus: "436641234567"',
    );
  });

  test("a number without a plus is read as national if the column has national numbers", async () => {
    const { importNumbers } = await office();
    const ran = await importNumbers(["436641234567", "0171 3920011"], "--country", "DE");
    expect(ran.numbers).toEqual({ a: ["+49436641234567"], b: ["+491713920011"] });
    expect(ran.stderr).toContain(
      '1 row has a phone number that is valid with and without a plus: "436641234567" (row 1, line 2) was read as +49436641234567, not as +436641234567',
    );
  });

  test("dry runs, --plan and imports from stdin also reject numbers that lost their plus", async () => {
    const { importNumbers, runWith } = await office();
    const numbers = ["436641234567", "905321234567"];
    expect((await importNumbers(numbers, "--country", "DE", "--dry-run")).json.invalid).toBe(2);
    expect((await importNumbers(numbers, "--country", "DE", "--plan", "k.plan")).json.invalid).toBe(2);
    const stdin = "Vorname;Telefon\na;436641234567\nb;905321234567\n";
    const piped = await runWith(
      { stdin },
      ...["contacts", "import", "-", "--group", "Kunden", "--create-group", "--country", "DE", "-o", "json"],
    );
    expect(piped.json.invalid).toBe(2);
  });

  test("--trust-calling-code rejects a number without a plus if its column lacks leading zeros", async () => {
    const { importNumbers } = await office();
    const numbers = ["436641234567", "1713920011"];
    const ran = await importNumbers(numbers, "--country", "DE", "--trust-calling-code");
    expect([ran.json.created, ran.json.invalid]).toEqual([1, 1]);
  });

  test.each([
    ["US", "436641234567"],
    ["GB", "491713920011"],
    ["FR", "491713920011"],
    ["IT", "393331234567"],
    ["AT", "491713920011"],
    ["CH", "41791234567"],
    ["ES", "34612345678"],
  ])("with --country %s, a spreadsheet number without its plus is invalid: %s", async (country, number) => {
    const { importFile } = await office();
    const file = createSpreadsheet([
      ["Vorname", "Telefon"],
      ["a", { number }],
    ]);
    const refused = await importFile(file, "--country", country);
    expect(refused.reasons).toEqual([expect.stringContaining("--trust-calling-code")]);
    const trusted = await importFile(file, "--country", country, "--trust-calling-code");
    expect(trusted.numbers).toEqual({ a: [`+${number}`] });
  });

  test("an import reads a plus or calling code that only the cell's number format adds", async () => {
    const { importFile } = await office();
    const formats = ["&quot;+&quot;#", "\\+0", "&quot;+49 &quot;0"];
    const styles = `<styleSheet><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`).join("")}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join("")}</cellXfs></styleSheet>`;
    const text = (reference: string, value: string) =>
      `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const cells = ["436641234567", "436641234568", "1713920011"];
    const rows = cells.map(
      (value, at) =>
        `<row r="${at + 2}">${text(`A${at + 2}`, `n${at}`)}<c r="B${at + 2}" s="${at + 1}"><v>${value}</v></c></row>`,
    );
    const header = `<row r="1">${text("A1", "Vorname")}${text("B1", "Telefon")}</row>`;
    const file = await packSpreadsheet([header, ...rows], ["xl/styles.xml", [styles]]);
    const ran = await importFile(file, "--country", "DE");
    expect(ran.numbers).toEqual({ n0: ["+436641234567"], n1: ["+436641234568"], n2: ["+491713920011"] });
  });
});

describe("adding the country code to a number", () => {
  test("an invalid number is rejected unless --accept-numbers possible is set", async () => {
    const { importNumbers } = await office();
    const refused = await importNumbers(["0151 2345678"], "--country", "DE");
    expect(refused.reasons).toEqual([
      expect.stringContaining(
        "is too short for a number in DE: check the digits; to import such numbers, use --accept-numbers possible",
      ),
    ]);
    const taken = await importNumbers(["0151 2345678"], "--country", "DE", "--accept-numbers", "possible");
    expect(taken.numbers).toEqual({ a: ["+491512345678"] });
  });

  test.each([
    ["GB", "01632 96", "is too short for a number in GB"],
    ["CH", "079 123456789", "is too long for a number in CH"],
    ["DE", "0199 12345678", "is not in an assigned number range of DE"],
    ["US", "234 567 89012", "is too long for a number in US"],
    ["US", "234567890", "is too short for a number in US"],
  ])("with --country %s, the error for %s states that the number %s", async (country, number, reason) => {
    const { importNumbers } = await office();
    const refused = await importNumbers([number], "--country", country);
    expect(refused.reasons).toEqual([expect.stringContaining(reason)]);
  });

  test.each([
    ["0911 / 12O4567"],
    ["0911 12o4567"],
    ["0911 1234O567"],
    ["0911 12O 4567 privat"],
    ["0911 1234567, 0911 12l4567"],
  ])("the error for a number with a letter in it shows the cell as written: %s", async (cell) => {
    const { importNumbers } = await office();
    for (const accepted of ["valid", "possible"]) {
      const ran = await importNumbers([cell], "--country", "DE", "--accept-numbers", accepted);
      expect(readLines(ran.json.report)).toMatchObject([
        { value: cell, reason: "is not a valid phone number" },
      ]);
    }
  });

  test("a number with a word between its digits is rejected with the whole cell", async () => {
    const { importNumbers } = await office();
    for (const cell of ["0911 123 no 4567", "0911 1234567 no 7654321"]) {
      const ran = await importNumbers([cell], "--country", "DE");
      expect(readLines(ran.json.report)).toMatchObject([
        { value: cell, reason: expect.stringMatching(/^has text between its digits: remove the text/) },
      ]);
    }
  });

  test("a number without an area code is rejected if the cell's first number has an area code", async () => {
    const { importNumbers } = await office();
    for (const cell of [
      "0911 1234567 privat 7654321",
      "0911 1234567 (privat), 7654321 (Büro)",
      "Tel.: (0911) 1234567 / privat: 7654321",
      "0911 1234567 (Fax), 7654321 (Büro)",
    ]) {
      const ran = await importNumbers([cell], "--country", "DE");
      expect(readLines(ran.json.report)).toMatchObject([
        { value: cell, reason: expect.stringContaining("write each number in full") },
      ]);
    }
  });

  test.each([
    ["Tel 4989 1234567 Mobil 49171 1234567", ["+49891234567", "+491711234567"]],
    ["4989 1234567 (Büro) 49171 1234567 (privat)", ["+49891234567", "+491711234567"]],
    ["911 1234567 (privat), 171 1234567 (mobil)", ["+499111234567", "+491711234567"]],
    ["911 1234567 (Anna), 171 1234567 (Bert)", ["+499111234567", "+491711234567"]],
    ["Tel. 0911 123456 privat 0171 2345678", ["+49911123456", "+491712345678"]],
    ["0911 123456 (Büro) 0171 2345678 (privat)", ["+49911123456", "+491712345678"]],
  ])("numbers that a label or comma separates are read as several numbers: %s", async (cell, expected) => {
    const { importNumbers } = await office();
    const ran = await importNumbers([cell], "--country", "DE", "--trust-calling-code");
    expect(ran.numbers, ran.stderr).toEqual({ a: expected });
  });

  test("the error for labeled numbers without a plus suggests --trust-calling-code", async () => {
    const { importNumbers } = await office();
    const ran = await importNumbers(["Tel 4989 1234567 Mobil 49171 1234567"], "--country", "DE");
    expect([ran.reasons, ran.stderr]).toEqual([
      [expect.stringContaining("or use --trust-calling-code")],
      expect.stringContaining("--trust-calling-code"),
    ]);
  });

  test("the error for a cell with several numbers contains the cell and the invalid number", async () => {
    const { importNumbers } = await office();
    const ran = await importNumbers(["0911 1234567; 0911 12"], "--country", "DE");
    expect(readLines(ran.json.report)).toMatchObject([
      { value: "0911 1234567; 0911 12", reason: expect.stringMatching(/^contains "0911 12", which is /) },
    ]);
  });

  test("a short number such as 112 is rejected with every value of --accept-numbers", async () => {
    const { importNumbers } = await office();
    for (const accepted of ["valid", "possible"]) {
      const numbers = ["110", "112", "116117", "0112"];
      const ran = await importNumbers(numbers, "--country", "DE", "--accept-numbers", accepted);
      expect(ran.reasons).toEqual(
        numbers.map(() => expect.stringContaining("is a short or emergency number")),
      );
    }
  });

  test("a phone cell with only zeros isn't called a short number", async () => {
    const { importNumbers } = await office();
    for (const flags of [["--country", "DE"], ["--country", "US"], []]) {
      const { reasons } = await importNumbers(["0", "000"], ...flags);
      expect(reasons).toEqual(["is not a valid phone number", "is not a valid phone number"]);
    }
  });

  test("a number with a country code is accepted even if it is invalid in that country", async () => {
    const { importNumbers } = await office();
    const ran = await importNumbers(["+49151234567", "0049 151 234567"], "--country", "DE");
    expect(ran.json).toMatchObject({ created: 1, duplicates: 1 });
  });

  test("an import removes a trunk prefix after a country code only if the country omits it", async () => {
    const { importNumbers } = await office();
    const numbers = ["+39 (0)2 12345678", "0039 (0)2 12345679", "+36 (06) 20 123 4567", "+49 (0)171 3920011"];
    const ran = await importNumbers(numbers, "--country", "DE");
    expect(Object.values(ran.numbers).flat()).toEqual([
      ...["+390212345678", "+390212345679", "+36201234567", "+491713920011"],
    ]);
  });

  test('--accept-numbers accepts only the values "valid" and "possible"', async () => {
    const { run } = await office();
    const sync = ["contacts", "sync", "x.csv", "--group", "Kunden"];
    const { code, stderr } = await run(...sync, "--accept-numbers", "all");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--accept-numbers")]);
  });
});

describe("a country in a separate column", () => {
  test.each([
    ["Ländervorwahl;Telefon", ["43;6641234567", "+41;79 123 45 67", "0049;0171 3920011", ";0171 3920012"]],
    ["Indicatif;Téléphone", ["43;6641234567", "+41;79 123 45 67", "0049;0171 3920011", ";0171 3920012"]],
    ["Country Code;Telefon", ["AT;6641234567", "CHE;79 123 45 67", "DE;0171 3920011", "49;0171 3920012"]],
    [
      "Telefon;Land",
      ["6641234567;Österreich", "079 123 45 67;Switzerland", "0171 3920011;D", "0171 3920012;Germany"],
    ],
    [
      "Telefon;Land",
      ["6641234567;Autriche", "079 123 45 67;Szwajcaria", "0171 3920011;Németország", "0171 3920012;Almanya"],
    ],
    [
      "Telefon;Phone Country Code",
      ["6641234567;'+43", "079 1234567;CH (+41)", "0171 3920011;49", "0171 3920012;"],
    ],
  ])("an import reads country codes from a separate column: %s", async (header, rows) => {
    const { importFile } = await office();
    const text = `Vorname;${header}\n${rows.map((row, at) => `n${at};${row}\n`).join("")}`;
    const ran = await importFile(text, "--country", "DE");
    expect(ran.numbers).toEqual({
      n0: ["+436641234567"],
      n1: ["+41791234567"],
      n2: ["+491713920011"],
      n3: ["+491713920012"],
    });
  });

  test("a country column adds country codes to cells, except to numbers with a plus", async () => {
    const { importFile } = await office();
    const file = createSpreadsheet([
      ["Vorname", "Ländervorwahl", "Telefon"],
      ["a", { number: "43" }, { number: "6641234567" }],
      ["b", { number: "43" }, "+41 79 123 45 67"],
    ]);
    expect((await importFile(file)).numbers).toEqual({ a: ["+436641234567"], b: ["+41791234567"] });
  });

  test("a row's numbers are rejected if its country is unknown", async () => {
    const { importFile } = await office();
    const text = "Vorname;Land;Telefon\na;Österreich;06641234567\nb;Atlantis;0171 3920011\n";
    const ran = await importFile(text, "--country", "DE");
    expect(ran.numbers).toEqual({ a: ["+436641234567"] });
    expect(ran.reasons).toEqual([expect.stringContaining('"Atlantis" in "Land" is not a known country')]);
  });

  test("importing a --rejects file rejects a row again if its country is still unknown", async () => {
    const { importFile, run, home } = await office();
    const text = "Vorname;Land;Telefon\na;Österreich;06641234567\nb;Österreih;0664 1234568\n";
    await importFile(text, "--country", "DE", "--rejects", "rejects.csv");
    const into = ["--group", "Kunden", "--country", "DE", "-o", "json"];
    const again = await run("contacts", "import", "rejects.csv", ...into);
    expect(again.json, again.stderr).toMatchObject({ rows: 1, created: 0, invalid: 1 });
    const rejects = readFileSync(join(home, "rejects.csv"), "utf8");
    writeFileSync(join(home, "rejects.csv"), rejects.replace(";Österreih;", ";Österreich;"));
    const corrected = await run("contacts", "import", "rejects.csv", ...into);
    expect(corrected.json, corrected.stderr).toMatchObject({ created: 1, invalid: 0 });
  });

  test("the error names both cells if the countries in a row contradict each other", async () => {
    const { importFile } = await office();
    const text = "Vorname;Land;Staat;Telefon\na;Deutschland;DE;030 1234567\nb;Österreich;DE;0664 1234567\n";
    const { reasons } = await importFile(text);
    expect(reasons).toEqual([expect.stringContaining('"DE" in "Staat" contradicts "Österreich" in "Land"')]);
  });

  test("a country column with mostly unknown values is ignored, with a warning", async () => {
    const { importFile } = await office();
    const text = "Vorname;Land;Telefon\na;Bremen;0171 3920011\nb;Bayern;0171 3920012\n";
    const ran = await importFile(text, "--country", "DE");
    expect(ran.json).toMatchObject({ created: 2 });
    expect(ran.stderr).toContain(
      'ignoring the column "Land" when reading phone numbers: "Bremen" is not a known country',
    );
  });

  test("a column of extensions neither adds phone numbers nor makes rows invalid", async () => {
    const { importFile } = await office();
    for (const header of ["Durchwahl", "Extension", "Tel. Durchwahl", "Nebenstelle"]) {
      const text = `Vorname;Telefon;${header}\na;030 23125012;231250\nb;030 23125013;12\n`;
      const ran = await importFile(text, "--country", "DE", "--new-run");
      expect(ran.json.invalid).toBe(0);
      expect(ran.json.created + ran.json.unchanged).toBe(2);
    }
  });
});

describe("phone numbers that programs changed when they wrote a cell", () => {
  test("zeros after a decimal point are removed from a phone number", async () => {
    const { importNumbers } = await office();
    const ran = await importNumbers(
      ["+491713920012.0", "01713920011.00", "00436641234567.0"],
      "--country",
      "DE",
    );
    expect(ran.numbers).toEqual({ a: ["+491713920012"], b: ["+491713920011"], c: ["+436641234567"] });
    const refused = await importNumbers(["0171 3920011.0", "+491713920012.5"], "--country", "DE");
    expect(refused.reasons).toEqual([1, 2].map(() => expect.stringContaining("is a decimal number")));
  });

  test.each(["+0171 3920015", "+(0)171 3920015", "+ 0049 171 3920015", "(+0)171 3920015", "+(0171) 3920015"])(
    "a plus before a zero is removed from a phone number: %s",
    async (number) => {
      const { importNumbers } = await office();
      expect((await importNumbers([number], "--country", "DE")).numbers).toEqual({ a: ["+491713920015"] });
    },
  );

  test.each(["'0171 3920015", "’+491713920015", "‘00491713920015", "´0171/3920015"])(
    "an apostrophe that marks a cell as text is removed from a phone number: %s",
    async (number) => {
      const { importNumbers } = await office();
      expect((await importNumbers([number], "--country", "DE")).numbers).toEqual({ a: ["+491713920015"] });
    },
  );

  test.each(["(0421) 1234/05678", "0421 1234 / 05678", "(0463) 1234/05678"])(
    "a number with a slash is rejected, not split, if only one part is valid: %s",
    async (number) => {
      const { importNumbers } = await office();
      const ran = await importNumbers([number], "--country", number.includes("0463") ? "AT" : "DE");
      expect([ran.json.created, ran.json.invalid]).toEqual([0, 1]);
    },
  );

  test.each([
    ["０１７１－３９２００１５", "+491713920015"],
    ["（０３０）２３１２５０１２", "+493023125012"],
    ["٠١٧١٣٩٢٠٠١٥", "+491713920015"],
    ["०१७१ ३९२००१५", "+491713920015"],
    ["tel:+49-171-3920015", "+491713920015"],
    ["tel:0171%203920015", "+491713920015"],
  ])("a phone number can be written in any script, or as a link: %s", async (written, number) => {
    const { importNumbers } = await office();
    expect((await importNumbers([written], "--country", "DE")).numbers).toEqual({ a: [number] });
  });

  test.each([
    "030 23125012 ext. 12",
    "030 23125-0 DW 12",
    "030 23125012x12",
    "tel:+49-30-23125012;ext=12",
    "+49 30 23125 #12",
  ])("a phone number with an extension is rejected: %s", async (number) => {
    const { importNumbers } = await office();
    const { reasons } = await importNumbers([number], "--country", "DE");
    expect(reasons).toEqual([expect.stringContaining("has an extension")]);
  });

  test.each(["4,91714E+11", "4.9E11", "+4E+11"])(
    "a phone number that the spreadsheet shortened is rejected: %s",
    async (number) => {
      const { importNumbers } = await office();
      const { reasons } = await importNumbers([number], "--country", "DE");
      expect(reasons).toEqual([expect.stringContaining("was shortened by a spreadsheet")]);
    },
  );
});

describe("skipping fax and pager numbers", () => {
  test.each(["030 23125099 (Fax)", "Fax: 030 23125099", "030 23125099 Telefax", "Pager 030 23125099"])(
    "an import skips a number if its cell marks the number as fax or pager: %s",
    async (cell) => {
      const { importNumbers } = await office();
      const ran = await importNumbers([cell], "--country", "DE");
      expect(ran.numbers).toEqual({ a: [] });
      expect(ran.stderr).toContain("skipped fax and pager numbers in 1 row");
    },
  );

  test.each([
    "Tel. 030 23125012, Fax 030 23125099",
    "Fax: 030 23125099 / Tel: 030 23125012",
    "030 23125012 / 030 23125099 (Fax)",
    "030 23125099 (Fax) ::: 030 23125012 (Praxis)",
    "Tel./Fax 030 23125012",
  ])("an import keeps the phone number if the same cell also contains a fax number: %s", async (cell) => {
    const { importNumbers } = await office();
    expect((await importNumbers([cell], "--country", "DE")).numbers).toEqual({ a: ["+493023125012"] });
  });

  test("an import skips a fax number between two numbers without a plus", async () => {
    const { importNumbers } = await office();
    const cell = "4989 1234567 (Büro) 4989 1234568 (Fax) 49171 1234567 (mobil)";
    const ran = await importNumbers([cell], "--country", "DE", "--trust-calling-code");
    expect(ran.numbers, ran.stderr).toEqual({ a: ["+49891234567", "+491711234567"] });
  });

  test.each([
    [
      "Phone 1 - Label;Phone 1 - Value;Phone 2 - Label;Phone 2 - Value",
      "Mobile;0171 3920011;* Work Fax;030 23125099",
    ],
    [
      "Phone 1 - Type;Phone 1 - Value;Phone 2 - Type;Phone 2 - Value",
      "Home Fax;030 23125099;Work;0171 3920011",
    ],
    ["Telefon 1;Telefon 1 Art;Telefon 2;Telefon 2 Art", "030 23125099;Fax geschäftlich;0171 3920011;Mobil"],
    ["Telefon;Typ;Mobil;Typ", "030 23125099;Pager;0171 3920011;"],
    ["Typ;Telefon", "Fax ::: Mobil;030 23125099 ::: 0171 3920011"],
    ["Telefon;Typ", "030 23125099 ::: 0171 3920011;Fax ::: Mobil"],
  ])(
    "an import skips a number if the neighboring column marks it as fax or pager: %s",
    async (header, row) => {
      const { importFile } = await office();
      const ran = await importFile(`Vorname;${header}\na;${row}\n`, "--country", "DE");
      expect(ran.numbers).toEqual({ a: ["+491713920011"] });
    },
  );

  test('a column such as "No Phone" is not read as phone numbers', async () => {
    const { importFile } = await office();
    const text = "Nr.;Vorname;No Phone;Telefon\n1;a;1;0171 3920011\n2;b;0;0171 3920012\n";
    const ran = await importFile(text, "--country", "DE");
    expect(ran.numbers).toEqual({ a: ["+491713920011"], b: ["+491713920012"] });
  });
});
