import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countWrites, setUpSync } from "../helpers/sync.js";
import { createSpreadsheet } from "../helpers/xlsx.js";

const header = ["Kd-Nr", "Name", "Vorname", "Telefon", "Mobil", "Geburtstag", "Umsatz"];

const customers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    number: 417 + 3 * index,
    last: `Nach${index}`,
    first: `Vor${index}`,
    // Numeric cells lose the leading zero of landline numbers and the plus of mobile numbers.
    phone: 302_300_000 + 137 * index,
    mobile: 4_915_110_000_000 + 7_919 * index,
    born: 30_000 + index,
    turnover: 100 + 0.37 * index,
  }));
type Customer = ReturnType<typeof customers>[number];

/** Three sheets: a cover, the list between a title and a total, and former customers. */
function workbook(rows: readonly Customer[]): Buffer {
  const number = (value: number) => ({ number: String(value) });
  const list = rows.map((row) => [
    number(row.number),
    row.last,
    row.first,
    number(row.phone),
    number(row.mobile),
    number(row.born),
    number(row.turnover),
  ]);
  const total = [null, null, null, null, null, "Summe", number(1234.5)];
  return createSpreadsheet(
    [["Praxis Dr. Krüger, Wochenexport"], ["Stand", number(46_000)]],
    [["Kundenliste (vertraulich)"], [null], header, ...list, [null], total],
    [
      ["Kd-Nr", "Name", "Vorname"],
      ["00001", "Alt", "Alma"],
    ],
  );
}

/** The customer numbers have leading zeros. */
function text(rows: readonly Customer[]): string {
  const lines = rows.map((row) =>
    [
      ...[`00${row.number}`, row.last, row.first, `0${row.phone}`, `+${row.mobile}`],
      ...["01.02.1982", row.turnover.toFixed(2).replace(".", ",")],
    ].join(";"),
  );
  return `${[header.join(";"), ...lines, ";;;;;Summe;1234,50"].join("\r\n")}\r\n`;
}

test("a sync from a spreadsheet of any format can be planned, checked and applied", async () => {
  const { run, home, contacts, emulator } = await setUpSync();
  const rows = customers(22);
  writeFileSync(join(home, "kunden.xlsx"), workbook(rows));
  writeFileSync(join(home, "kunden.csv"), text(rows));
  const common = ["--group", "Kunden", "--country", "DE", "--key", "Kd-Nr", "-o", "json"];
  const sync = (file: string, ...more: string[]) => run("contacts", "sync", file, ...common, ...more);

  const preview = await sync("kunden.xlsx", "--dry-run");
  expect(preview.json).toMatchObject({ rows: 22, invalid: 22 });
  expect(preview.stderr).toContain("22 phone numbers have the country's calling code");
  expect(preview.stderr).toContain("skipped line 27 below the list: all its mapped columns are empty");

  const sealed = await sync("kunden.xlsx", "--trust-calling-code", "--plan", "kunden.plan");
  expect([sealed.code, sealed.json]).toMatchObject([0, { rows: 22, created: 22, invalid: 0 }]);
  expect(sealed.stderr).toContain('sheet "T2", header in row 3');
  expect((await run("plan", "show", "kunden.plan", "--format", "text")).stdout).toContain("Vor3 Nach3");
  expect((await run("plan", "check", "kunden.plan")).code).toBe(0);
  const applied = await run("apply", "kunden.plan", "--yes", "-o", "json");
  expect(applied.json).toMatchObject({ created: 22 });
  expect((await contacts())[1]).toMatchObject({
    first_name: "Vor1",
    phone_numbers: ["+49302300137", "+4915110007919"],
  });

  const written = await countWrites(emulator);
  const again = async (file: string, ...more: string[]) => {
    const ran = await sync(file, "--delete", "--yes", "--trust-calling-code", ...more);
    expect([ran.code, ran.json], ran.stderr).toMatchObject([
      0,
      { rows: 22, created: 0, updated: 0, deleted: 0, unchanged: 22, invalid: 0 },
    ]);
  };
  await again("kunden.xlsx", "--sheet", "T2");
  await again("kunden.xlsx", "--sheet", "T2", "--header-row", "3");
  await again("kunden.csv");
  await again("kunden.xlsx", "--sheet", "T2");
  for (const file of ["kunden.xlsx", "kunden.csv"]) {
    const flags = ["--on-match", "replace", "--trust-calling-code"];
    const imported = await run("contacts", "import", file, ...common, ...flags);
    expect([imported.code, imported.json]).toMatchObject([0, { created: 0, updated: 0, unchanged: 22 }]);
  }
  expect(await countWrites(emulator)).toBe(written);

  // The last row has a key, so it and all rows above it belong to the list.
  writeFileSync(join(home, "key.csv"), `${text(rows)}00500;;;;;;\r\n`);
  expect((await sync("key.csv")).json).toMatchObject({ rows: 24, invalid: 2, unchanged: 22 });

  // Sheet T3 contains former customers and is much shorter than the list.
  const wrong = await sync("kunden.xlsx", "--sheet", "T3", "--delete", "--yes");
  expect([wrong.code, await countWrites(emulator)]).toEqual([12, written]);
});
