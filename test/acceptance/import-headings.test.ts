import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPeople, formatCsv, parseError, setUpSync } from "../helpers/sync.js";
import { createSpreadsheet } from "../helpers/xlsx.js";

const header = "KdNr;Vorname;Nachname;Telefon;Umsatz";
const list = [
  "1;Anna;Ahorn;0151 10000001;10",
  "2;Bert;Birke;0151 10000002;20",
  "3;Carla;Clausen;0151 10000003;30",
];
const textOf = (...lines: string[]) => `${[header, ...lines].join("\n")}\n`;
const flags = ["--group", "Kunden", "--country", "DE", "-o", "json"];
const reasons = {
  single: "is not a contact: its only filled cell is neither a phone number nor an email",
  total: "is not a contact: it contains only a label and figures, such as totals",
};

describe("a row that contains no contact", () => {
  test.each([
    ["a notice", ";Confidential Information;;;"],
    ["a source in another column", ";;;;Forrás: CRM"],
    ["a short page number", "2 / 3"],
    ["a date and its time", "11/20/2026 3:04"],
    ["a heading with dashes in other cells", "Stammkunden;-;-;-;-"],
    ["a total in a different format than the amounts", ";Összesen;;;1.234,50 €"],
    ["a label and a date under names", ";Stand:;12.11.2026;;"],
    ["a total under a name", "Summe;3;;;"],
  ])("%s between or after the rows is an invalid row", async (_, line) => {
    const { write, run, names } = await setUpSync();
    write(textOf(...list, line, "4;Dora;Distel;0151 10000004;40", line));
    const imported = await run("contacts", "import", "kunden.csv", ...flags);
    expect(imported.code).toBe(68);
    expect(imported.json).toMatchObject({ rows: 6, created: 4, invalid: 2 });
    expect(await names()).toEqual(expect.arrayContaining(["Anna", "Bert", "Carla", "Dora"]));
  });

  test.each([
    ["a sum", ";Összesen;;;60"],
    ["a sum with a currency sign", ";Razem;;;60,00 €"],
    ["a count", ";Antal;;;3"],
    ["subtotals and a total", ";Część;;;60\n4;Dora;Distel;0151 10000004;40\n;Część;;;40\n;Razem;;;100"],
  ])("an import rejects a row with %s below the list", async (_, lines) => {
    const { write, run, names } = await setUpSync();
    const count = lines.includes("Dora") ? 4 : 3;
    for (const columns of [header, "KdNr;Name;Abteilung;Telefon;Umsatz"]) {
      write([columns, ...list, lines, ""].join("\n"));
      const imported = await run("contacts", "import", "kunden.csv", ...flags, "--new-run");
      expect(imported.json, imported.stderr).toMatchObject({
        invalid: lines.split("\n").length - count + 3,
      });
    }
    expect(await names()).toHaveLength(count);
  });

  test("titles, totals and notes are reported with their line numbers", async () => {
    const { home, run, names } = await setUpSync();
    const rows = [header, "Stammkunden", ...list, "Summe;;;;60", "", "Quelle: CRM, Export"];
    writeFileSync(join(home, "liste.csv"), `${rows.join("\n")}\n`);
    const cells = rows.map((row) => row.split(";").map((cell) => (cell === "" ? null : cell)));
    writeFileSync(join(home, "liste.xlsx"), createSpreadsheet(cells));
    for (const file of ["liste.csv", "liste.xlsx"]) {
      const dry = await run("contacts", "import", file, ...flags, "--dry-run", "--report", "r.ndjson");
      expect(dry.json, dry.stderr).toMatchObject({ rows: 6, created: 3, invalid: 3 });
      for (const [line, reason] of [
        [2, reasons.single],
        [6, reasons.total],
        [8, reasons.single],
      ] as const)
        expect(dry.stderr).toMatch(new RegExp(`${line}  row .*${reason}`));
    }
    expect((await run("contacts", "import", "liste.xlsx", ...flags)).json).toMatchObject({ created: 3 });
    expect(await names()).toEqual(["Anna", "Bert", "Carla"]);
  });

  test("the error for an invalid row quotes a phone number that is too short", async () => {
    const { write, run } = await setUpSync();
    write(textOf(...list, ";Notruf;;112;"));
    const imported = await run("contacts", "import", "kunden.csv", ...flags);
    expect(imported.stderr).toContain('"112" is too short for a phone number');
  });

  test.each([
    ["two names", ";Dora;Distel;;", "Dora"],
    ["a form of address next to a name", "Frau;Dora;;;", "Dora"],
    ["a customer number before a name", "4;Dora;;;", "Dora"],
    ["a phone number and a name that resembles a total", ";Total;;0151 10000004;", "Total"],
    ["two names that resemble a footer", ";Stand;Otto;;", "Stand"],
    ["a phone number alone next to a name", ";Ende;;0151 10000004;", "Ende"],
    ["a name and a turnover that is not a total", ";Dora;;;45", "Dora"],
  ])("a row with %s is treated as a contact and imported", async (_, line, name) => {
    const { write, run, names } = await setUpSync();
    write(textOf(...list, line));
    const imported = await run("contacts", "import", "kunden.csv", ...flags);
    expect(imported.stderr).not.toContain("is not a contact");
    expect(await names()).toContain(name);
  });

  test("a row with only a first name is a contact, even if another row has the same name", async () => {
    const { write, run } = await setUpSync();
    write(textOf(...list, ";Anna;;;", "4;Anna;Distel;;40"));
    expect((await run("contacts", "import", "kunden.csv", ...flags)).json).toMatchObject({
      created: 5,
      invalid: 0,
    });
  });

  test("a contact without a number or email is imported and counted", async () => {
    const { write, run } = await setUpSync();
    write(textOf(...list, ";Dora;Distel;;", ";Eva;Esche;;"));
    const imported = await run("contacts", "import", "kunden.csv", ...flags);
    expect([imported.code, imported.json.created]).toEqual([0, 5]);
    expect(imported.stderr).toContain("accepting 2 rows without a phone number or email (rows 4, 5)");
  });

  test.each([
    ["one column", "Name\nAnna Ahorn\nBert Birke\n"],
    ["empty columns", "Name;Telefon;E-Mail\nAnna Ahorn;;\nBert Birke;;\n"],
    ["only a first name", "Vorname;Nachname\nAnna;\nBert;\n"],
  ])("a list of names without other data, with %s, is imported", async (_, text) => {
    const { write, run, names } = await setUpSync();
    write(text);
    const imported = await run("contacts", "import", "kunden.csv", ...flags);
    expect([imported.code, imported.json.created]).toEqual([0, 2]);
    expect(imported.stderr).not.toContain("without a phone number or email");
    expect((await names()).map((name) => name.split(" ")[0])).toEqual(["Anna", "Bert"]);
  });

  test.each([
    ["a heading", textOf(...list, ";Stammkunden;;;")],
    ["a total", textOf(...list, ";Summe;;;60")],
    ["a short number", textOf(...list, ";Zentrale;;110;")],
    ["a repeated header", "Vorname;Nachname;Ort\nAnna;Ahorn;Ulm\nVorname;Nachname;Ort\n"],
  ])("%s is refused again by an import of the --rejects file", async (_, text) => {
    const { write, run, names } = await setUpSync();
    write(text);
    const first = await run("contacts", "import", "kunden.csv", ...flags, "--rejects", "r.csv");
    expect(first.json).toMatchObject({ invalid: 1 });
    const before = await names();
    const again = await run("contacts", "import", "r.csv", ...flags, "--rejects", "s.csv");
    expect([again.code, again.json.invalid, await names()]).toEqual([68, 1, before]);
    expect((await run("contacts", "import", "s.csv", ...flags)).json).toMatchObject({
      created: 0,
      invalid: 1,
    });
  });

  test("--keep-valid does not import a row that isn't a contact", async () => {
    const { write, run, home } = await setUpSync();
    write(textOf(...list, "Fin de la liste"));
    const kept = await run(
      "contacts",
      "import",
      "kunden.csv",
      ...flags,
      "--keep-valid",
      "--rejects",
      "r.csv",
    );
    expect(kept.json).toMatchObject({ created: 3, invalid: 1 });
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(join(home, "r.csv"), "utf8")).toContain("Fin de la liste");
  });
});

describe("contacts sync --delete", () => {
  const people = createPeople(30);
  const remaining = people.slice(0, -1);
  const last = people.at(-1) ?? { first: "", last: "" };

  test.each([
    ["the full name in one cell", `;${last.first} ${last.last};;;`, "row_unusable"],
    ["the name in reverse order", `;"${last.last}, ${last.first}";;;`, "row_unusable"],
    ["only the first name", `;${last.first};;;`, "row_unusable"],
    ["the name in another column", `;;;;${last.first} ${last.last}`, "row_unusable"],
    ["a first and a last name without a number", `;${last.first};${last.last};;`, "row_without_number"],
  ])("[S2] `contacts sync --delete` keeps the contact of a row with %s", async (_, line, reason) => {
    const { syncTo, contacts } = await setUpSync();
    expect((await syncTo(people)).json).toMatchObject({ created: 30 });
    const ids = (await contacts()).map(({ id }) => id);
    const synced = await syncTo(
      `${formatCsv(remaining)}${line}\n`,
      "--delete",
      "--yes",
      "--delete-newer",
      "--report",
      "r.ndjson",
    );
    expect(synced.json, synced.stderr).toMatchObject({ deleted: 0, protected: 0, [reason]: 1 });
    expect((await contacts()).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  test("[S1] if a quoted cell contains rows, `contacts sync` exits with code 12 before any delete", async () => {
    const { syncTo, sync, contacts, write } = await setUpSync();
    expect((await syncTo(people)).json).toMatchObject({ created: 30 });
    const lines = formatCsv(people).split("\n");
    lines[3] = (lines[3] ?? "").replace("Nach2", '"Nach2');
    lines[6] = (lines[6] ?? "").replace("Nach5", 'Nach5"');
    write(lines.join("\n"));
    const refused = await sync("--delete", "--yes", "--delete-newer");
    expect([refused.code, parseError(refused.stderr).code]).toEqual([12, "file_incomplete"]);
    expect(parseError(refused.stderr).message).toContain("line 4");
    expect(await contacts()).toHaveLength(30);
  });
});
