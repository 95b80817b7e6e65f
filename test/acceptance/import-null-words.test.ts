import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setUpSync } from "../helpers/sync.js";

const header = "Vorname,Nachname,Telefon,E-Mail";
const good = `${header}\nAnna,Schmidt,+493023181234,a@example.org\nBen,Krug,+493023181235,\n`;
const flags = ["--group", "Kunden", "--country", "DE", "-o", "json"];

async function office() {
  const shell = await setUpSync();
  const importText = (text: string, ...more: string[]) => {
    shell.write(text);
    return shell.run("contacts", "import", "kunden.csv", ...flags, ...more);
  };
  const names = async () =>
    (await shell.contacts()).map(({ first_name, last_name }) => [first_name, last_name ?? ""]);
  return { ...shell, importText, names };
}

describe("a placeholder word for an empty value", () => {
  test.each(["NULL", "null", "\\N", "undefined", "NaN", "[object Object]", "(null)", "n/a", "None"])(
    "an import treats %s as an empty cell if two imported columns contain it",
    async (word) => {
      const { importText, names } = await office();
      const imported = await importText(
        `${header}\nAnna,${word},+493023181234,${word}\n${word},Krug,+493023181235,\n`,
      );
      expect(imported.json, imported.stderr).toMatchObject({ created: 1, invalid: 1 });
      expect(await names()).toEqual([["Anna", ""]]);
      expect(imported.stderr).toContain(`treating "${word}" as an empty name in 1 row`);
    },
  );

  test("importing a --rejects file rejects a row again if its first name is a placeholder word", async () => {
    const { importText, run, home, write, names } = await office();
    const rows = "Anna,null,+493023181234,null\nnull,Null,+493023181235,\n";
    await importText(`${header}\n${rows}`, "--rejects", "rejects.csv");
    const importRejects = () => run("contacts", "import", "rejects.csv", ...flags);
    expect((await importRejects()).json).toMatchObject({ created: 0, invalid: 1 });
    write(readFileSync(join(home, "rejects.csv"), "utf8").replace("null,Null", "Ben,Null"), "rejects.csv");
    expect((await importRejects()).json).toMatchObject({ created: 1, invalid: 0 });
    expect(await names()).toContainEqual(["Ben", "Null"]);
  });

  test('a cell with the text "first_name: is missing" is not mistaken for a missing first name', async () => {
    const { importText, run, home, write, names } = await office();
    const row = "Null,,first_name: is missing,";
    await importText(`${header}\n${row}\n`, "--rejects", "rejects.csv");
    const rejects = readFileSync(join(home, "rejects.csv"), "utf8");
    write(rejects.replace(row, "Null,,+493023181235,"), "rejects.csv");
    const corrected = await run("contacts", "import", "rejects.csv", ...flags);
    expect(corrected.json, corrected.stderr).toMatchObject({ created: 1, invalid: 0 });
    expect(await names()).toContainEqual(["Null", ""]);
  });

  test.each([
    ["a column that is not imported", "Vorname,Nachname,Telefon,Firma", "Anna,Null,+493023181234,Null"],
    ["another spelling", header, "Anna,Null,+493023181234,NULL"],
  ])(
    'a word such as "Null" is read as a name even if the row also contains it in %s',
    async (_, columns, row) => {
      const { importText, names } = await office();
      const imported = await importText(`${columns}\n${row}\n`);
      expect([imported.code, await names()], imported.stderr).toEqual([0, [["Anna", "Null"]]]);
    },
  );

  test('a word such as "Null" is a name, with a warning, if only one column contains it', async () => {
    const { importText, names } = await office();
    const imported = await importText(`${header}\nAnna,Null,+493023181234,\nBen,Null,+493023181235,\n`);
    expect([imported.code, await names()]).toEqual([
      0,
      [
        ["Anna", "Null"],
        ["Ben", "Null"],
      ],
    ]);
    expect(imported.stderr).toContain('treating "Null" as a name in 2 rows');
    const several = await importText(`${header}\nNil,None,+493023181236,\nCleo,Null,+493023181237,\n`);
    expect(several.stderr).toContain('treating "Nil", "None", "Null" as names in 2 rows');
  });

  test.each(["undefined", "N/A", "NaN", "\\N", "<null>", "[object Object]"])(
    "%s in only one column is kept as a name, with a warning",
    async (word) => {
      const { importText, names } = await office();
      const text = `${header}\nAnna,${word},+493023181234,\nBen,Krug,+493023181235,\n`;
      const imported = await importText(text);
      expect(imported.json, imported.stderr).toMatchObject({ created: 2, invalid: 0 });
      expect((await names()).sort()).toEqual([
        ["Anna", word],
        ["Ben", "Krug"],
      ]);
      expect(imported.stderr).toContain(`treating "${word}" as a name in 1 row`);
    },
  );

  test.each([
    ["import", "--on-match", "update"],
    ["import", "--on-match", "replace"],
    ["sync", "--delete", "--yes"],
  ])('a word such as "undefined" never replaces a name: %s %s', async (command, ...more) => {
    for (const rows of [
      "Anna,undefined,+493023181234,a@example.org\nBen,-,+493023181235,\n",
      "Anna,NULL,+493023181234,NULL\nBen,null,+493023181235,\n",
    ]) {
      const { importText, write, run, contacts } = await office();
      await importText(good);
      const before = (await contacts()).map(({ last_name, emails }) => [last_name, emails]);
      write(`${header}\n${rows}`);
      const changed = await run("contacts", command, "kunden.csv", ...flags, ...more);
      expect(changed.json, changed.stderr).toMatchObject({ updated: 0, created: 0 });
      expect((await contacts()).map(({ last_name, emails }) => [last_name, emails])).toEqual(before);
      expect(changed.stderr).toMatch(/"(?:undefined|NULL)"/);
    }
  });
});

describe("entities and placeholders in names", () => {
  test.each([
    ["M&uuml;ller", "Müller"],
    ["O&#39;Neil", "O'Neil"],
    ["Stra&szlig;er &amp; S&ouml;hne", "Straßer & Söhne"],
    ["Ni&#x10d;, d&apos;Or", "Nič, d'Or"],
    ["M&amp;uuml;ller", "Müller"],
    ["&Scaron;ime&ccaron;ek", "Šimeček"],
    ["Müller & Söhne", "Müller & Söhne"],
    ["AT&T", "AT&T"],
    ["Schmidt\u200b", "Schmidt"],
    ["\u202aSchmi\u00addt\u200d\ufeff", "Schmidt"],
    ["Ng", "Ng"],
    ["\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"],
    ["\u200d\u0639\u0644\u06cc\u200c\u0631\u0636\u0627\u200c", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"],
    ["Dr. \ud83d\udc69\u200d\u2695\ufe0f", "Dr. \ud83d\udc69\u200d\u2695\ufe0f"],
  ])("an import reads the name %j as %j", async (written, name) => {
    const { importText, names } = await office();
    const imported = await importText(`${header}\nAnna,"${written}",+493023181234,\n`);
    expect([imported.code, await names()], imported.stderr).toEqual([0, [["Anna", name]]]);
  });

  test("an invalid HTML entity in a name makes the row invalid", async () => {
    const { importText, names } = await office();
    const imported = await importText(`${header}\nAnna,M&foobar;ller,+493023181234,\n`);
    expect(imported.json).toMatchObject({ created: 0, invalid: 1 });
    expect(imported.stderr).toContain("HTML entity");
    expect(await names()).toEqual([]);
  });

  test.each(["-", "–", "\u200b", "\u3164", "...", "&nbsp;"])(
    "an import rejects %j as a first name",
    async (written) => {
      const { importText, names } = await office();
      const imported = await importText(`${header}\n${written},Kurz,+493023181234,\n`);
      expect(imported.json, imported.stderr).toMatchObject({ created: 0, invalid: 1 });
      expect(await names()).toEqual([]);
    },
  );

  test("a zero-width character in a name does not make a row a second contact", async () => {
    const { importText, names } = await office();
    await importText(
      `${header}\nAnna,Schmidt,+493023181234,\nAnna,Schmidt\u200b,+493023181234,\n`,
      "--match",
      "phone,name",
    );
    expect(await names()).toEqual([["Anna", "Schmidt"]]);
  });
});
