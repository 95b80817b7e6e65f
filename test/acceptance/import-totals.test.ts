import { describe, expect, test } from "vitest";
import { totalIn } from "../../src/bulk/contacts/totals.js";
import { syncOffice } from "../helpers/sync.js";

const header = "KdNr;Vorname;Nachname;Telefon";
const list = [
  header,
  "1;Anna;Ahorn;0151 10000001",
  "2;Bert;Birke;0151 10000002",
  "3;Carla;Clausen;0151 10000003",
];
const textOf = (...below: string[]) => `${[...list, ...below].join("\n")}\n`;

describe("a total below the list of contacts", () => {
  test.each([
    ["Summe;3;;", "line 5 below the list is a total or a footer (“Summe”): left out"],
    [";;;\nAnzahl;3;;", "line 6 below the list is a total or a footer (“Anzahl”): left out"],
    ["Summe;;;3", "line 5 below the list is a total or a footer (“Summe”): left out"],
    [";Gesamt: 3;;", "(“Gesamt: 3”)"],
    [";3 Kunden;;", "(“3 Kunden”)"],
    ["Zwischensumme;2;;\nSumme;3;;1,5\nStand;;;\n;;;\nx;;;\ny;;;", "the last 5 lines, from 5 on"],
    ["Summe;3 Kunden;;", "(“Summe”)"],
    ["Summe;3 Kunden", "(“Summe”)"],
    ["4 Einträge", "(“4 Einträge”)"],
    ["Gesamt: 6", "(“Gesamt: 6”)"],
    [";Gesamt: 3 Kontakte;;", "(“Gesamt: 3 Kontakte”)"],
    [";Summe 3 Kunden;;", "(“Summe 3 Kunden”)"],
    [";Seite 1 von 3;;", "(“Seite 1 von 3”)"],
    [";Stand: 12.11.2026;;", "(“Stand: 12.11.2026”)"],
    [";Erstellt am 12.11.2026 von M. Meier;;", "(“Erstellt am 12.11.2026 von M. Meier”)"],
    [";Stand:;12.11.2026;", "(“Stand:”)"],
    [";-- Ende --;;", "(“-- Ende --”)"],
    [";Ende der Liste;;", "(“Ende der Liste”)"],
    ["a;;;\nb;;;\nGrand total:;3;;", "the last 3 lines, from 5 on"],
  ])("%j is left out and said, by dry run, import and synchronization", async (below, told) => {
    const { write, run, sync, names } = await syncOffice();
    write(textOf(...below.split("\n")));
    const flags = ["contacts", "import", "kunden.csv", "--group", "Kunden", "--country", "DE", "-o", "json"];
    const dry = await run(...flags, "--dry-run");
    expect(dry.json).toMatchObject({ rows: 3, invalid: 0 });
    expect(dry.stderr).toContain(told);
    expect((await run(...flags)).json).toMatchObject({ rows: 3, created: 3, invalid: 0 });
    const synced = await sync();
    expect(synced.json, synced.stderr).toMatchObject({ rows: 3, created: 0, invalid: 0 });
    expect(synced.stderr).toContain(told);
    expect(await names()).toEqual(["Anna", "Bert", "Carla"]);
  });

  test("that no words tell is taken for a contact, and said where all others have more than a name", async () => {
    const { write, run } = await syncOffice();
    const flags = ["contacts", "import", "kunden.csv", "--group", "Kunden", "--country", "DE", "--dry-run"];
    write(textOf(";Quelle Branchenbuch;;"));
    const told = await run(...flags);
    expect(told.stderr).toContain("line 5 has nothing but Vorname “Quelle Branchenbuch”");
    expect(told.json).toMatchObject({ rows: 4 });
    for (const rows of [[";Quelle;;", ";Otto;;"], [";Quelle;Otto;"], [";Quelle;;", "5;Eva;Au;"]]) {
      write(textOf(...rows));
      expect((await run(...flags)).stderr).not.toContain("nothing but");
    }
  });

  test("is no contact of a list without any", async () => {
    const { write, sync, names } = await syncOffice();
    write(`${header}\nSumme;0;;\n`);
    await sync();
    expect(await names()).toEqual([]);
  });

  test.each([
    ["4;Eva;Summe;0151 10000004", "Eva"],
    [";Total;;0151 10000004", "Total"],
    ["Summe;Eva;;", "Eva"],
    ["Summe;4;;0151 10000004", "4"],
    ["4;Sum;;", "Sum"],
    [";Stand;Otto;", "Stand"],
    [";Ende;;0151 10000004", "Ende"],
  ])("%j is a person", async (row, name) => {
    const { write, sync, names } = await syncOffice();
    write(textOf(row));
    expect((await sync()).json).toMatchObject({ rows: 4, created: 4 });
    expect(await names()).toContain(name);
  });

  test("rows of a list that go on below one are rows", async () => {
    const { write, sync } = await syncOffice();
    write(textOf("Summe;3;;", "4;Dora;Distel;0151 10000004"));
    expect((await sync()).json).toMatchObject({ rows: 5 });
  });
});

test("whatever words and numbers stand beside it: amounts alone make a total, and what may be a person's never does", () => {
  const words = [
    "Summe",
    "SUMME:",
    "Gesamt",
    "Gesamtsumme",
    "Anzahl Kunden",
    "Total",
    "count",
    "Subtotal",
    "Σ",
  ];
  const amounts = ["", "3", "1.234,50 €", "CHF 12.50", "-4", "0,5", "12 %", "01.02.2026"];
  const persons = ["Eva", "0151 10000004", "+49301234567", "a@example.org", "O2"];
  const names = ["A", "B", "C", "D", "E"];
  for (let at = 0; at < 400; at += 1) {
    const width = 2 + (at % 4);
    const cells = Array.from(
      { length: width },
      (_, index) => amounts[(at * 7 + index * 3) % amounts.length] ?? "",
    );
    const place = at % width;
    cells.fill("", 0, place);
    cells[place] = words[at % words.length] ?? "";
    const row = { number: 2, line: 3, names: names.slice(0, width), values: cells };
    expect(totalIn(row, []), cells.join(";")).toBe(cells[place]);
    for (const person of persons) {
      const other = (place + 1 + (at % (width - 1))) % width;
      const values = cells.with(other, person);
      expect(totalIn({ ...row, values }, [other]), values.join(";")).toBeUndefined();
    }
    expect(totalIn({ ...row, values: cells.with(place, "Sommer") }, [])).toBeUndefined();
  }
});
