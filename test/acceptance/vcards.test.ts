import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setUpSync } from "../helpers/sync.js";

function card(version: string, ...lines: string[]): string {
  return ["BEGIN:VCARD", `VERSION:${version}`, ...lines, "END:VCARD", ""].join("\r\n");
}

async function office() {
  const shell = await setUpSync();
  const file = (name: string, content: string | Buffer) => writeFileSync(join(shell.home, name), content);
  const importText = (content: string | Buffer, ...flags: string[]) => {
    file("list.vcf", content);
    return shell.run("contacts", "import", "list.vcf", "--group", "Kunden", "-o", "json", ...flags);
  };
  const contents = async () =>
    (await shell.contacts()).map(({ first_name, last_name, phone_numbers, emails }) => [
      first_name,
      last_name,
      [...phone_numbers],
      [...emails],
    ]);
  const read = (name: string) => readFileSync(join(shell.home, name), "utf8");
  return { ...shell, file, importText, contents, read };
}

describe("importing vCards", () => {
  test.each([
    [
      "3.0",
      card(
        "3.0",
        "N:Schmidt;Anna;Maria;Dr.;",
        "FN:Dr. Anna Schmidt",
        "TEL;TYPE=CELL:+49 171 392",
        " 0011",
        "EMAIL;TYPE=INTERNET:anna@example.org",
      ),
    ],
    [
      "4.0",
      card(
        "4.0",
        "N:Schmidt;Anna;;;",
        "FN:Anna Schmidt",
        'TEL;VALUE=uri;PREF=1;TYPE="voice,cell":tel:+49-171-392-0011',
        "EMAIL:anna@example.org",
      ),
    ],
    ["2.1", card("2.1", "N:Schmidt;Anna", "TEL;CELL:01713920011", "EMAIL;INTERNET:anna@example.org")],
  ])("an import reads a vCard of version %s", async (_, text) => {
    const { importText, contents } = await office();
    const imported = await importText(text, "--country", "DE");
    expect(imported.code, imported.stderr).toBe(0);
    expect(await contents()).toEqual([["Anna", "Schmidt", ["+491713920011"], ["anna@example.org"]]]);
  });

  test("an import decodes quoted-printable text in vCards, even over several lines", async () => {
    const { importText, contents } = await office();
    const name = "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller, jun.;J=C3=BC=\r\nrgen";
    const inVersion3 = "N;CHARSET=utf-8;ENCODING=QUOTED-PRINTABLE:Wei=C3=9F;J=C3=BCrgen";
    const latin = "N;ENCODING=QUOTED-PRINTABLE:Gro=DF;J=F6rg";
    await importText(card("2.1", name) + card("2.1", latin) + card("3.0", inVersion3));
    expect(await contents()).toEqual([
      ["Jürgen", "Müller, jun.", [], []],
      ["Jörg", "Groß", [], []],
      ["Jürgen", "Weiß", [], []],
    ]);
  });

  test("an escaped backslash in a vCard does not escape the next separator", async () => {
    const { importText, contents } = await office();
    const names = [
      "N:Back\\\\;Slash\\\\;;;",
      "N:Semi\\;\\\\;A\\\\\\;B;;;",
      "N;ENCODING=QUOTED-PRINTABLE:C=5C=5C;D",
    ];
    await importText(names.map((name) => card("3.0", name)).join(""));
    expect(await contents()).toEqual([
      ["Slash\\", "Back\\", [], []],
      ["A\\;B", "Semi;\\", [], []],
      ["D", "C\\", [], []],
    ]);
  });

  test("a vCard without a given name uses its formatted name as the first name", async () => {
    const { importText, contents } = await office();
    await importText(card("3.0", "FN:Praxis\\, Vogt", "N:;;;;", "ORG:Vogt", "EMAIL:p@example.org"));
    expect(await contents()).toEqual([["Praxis, Vogt", "", [], ["p@example.org"]]]);
  });

  test.each([
    ["its type", "TEL;TYPE=WORK,FAX:+493012345678"],
    ["a type of version 2.1", "TEL;WORK;FAX:+493012345678"],
    ["a label", "item1.TEL:+493012345678\r\nitem1.X-ABLabel:_$!<HomeFAX>!$_"],
    ["a German label", "item2.TEL:+493012345678\r\nitem2.X-ABLABEL:Fax (Arbeit)"],
    ["the type of a pager", "TEL;TYPE=pager:+493012345678"],
  ])("an import skips a fax or pager number that is marked by %s", async (_, line) => {
    const { importText, contents } = await office();
    const imported = await importText(card("3.0", "N:;Anna;;;", line, "TEL;TYPE=home:+491713920011"));
    expect(await contents()).toEqual([["Anna", "", ["+491713920011"], []]]);
    expect(imported.stderr).toContain('skipped fax and pager numbers in 1 row, such as "+493012345678');
  });

  test("an import counts photos and other properties that it ignores", async () => {
    const { importText } = await office();
    const photo = "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ\r\n SkZJRg==";
    const imported = await importText(
      card("3.0", "N:;Anna;;;", photo, "ADR:;;Weg 1;;;;", "NOTE:a") + card("3.0", "N:;Ben;;;", photo),
    );
    expect(imported.stderr).toContain("Ignored in the vCards: PHOTO (2), ADR (1), NOTE (1)");
  });

  test("an import skips vCards that describe a group of contacts", async () => {
    const { importText, contents } = await office();
    const group = card("3.0", "N:Familie", "FN:Familie", "X-ADDRESSBOOKSERVER-KIND:group");
    const imported = await importText(card("3.0", "N:;Anna;;;") + group);
    expect([imported.json.rows, imported.stderr]).toEqual([1, expect.stringContaining("group cards (1)")]);
    expect(await contents()).toEqual([["Anna", "", [], []]]);
  });

  test.each([
    ["an unknown version", card("5.0", "N:;Anna;;;"), 'is a vCard of version "5.0"'],
    ["a name in base64", card("3.0", "N;ENCODING=b:U2NobWlkdDtBbm5h"), "has a N that can't be read"],
    ["no version", "BEGIN:VCARD\nN:;Anna;;;\nEND:VCARD\n", "has no VERSION"],
    ["a line without a colon", card("3.0", "N:;Anna;;;", "TEL 030"), "which is not a property"],
    ["other text between cards", `${card("3.0", "N:;Ben;;;")}Hello\n`, "is text outside a vCard"],
    ["a missing end", "BEGIN:VCARD\nVERSION:3.0\nN:;Anna;;;\n", "ends without END:VCARD"],
    ["an extension", card("4.0", "N:;Anna;;;", "TEL;VALUE=uri:tel:+49-30-1234567;ext=5"), "has an extension"],
  ])("a vCard with %s is invalid, but the other vCards are imported", async (_, text, reason) => {
    const { importText, contents } = await office();
    const imported = await importText(card("3.0", "N:;Cleo;;;") + text);
    expect(imported.json).toMatchObject({ invalid: 1 });
    expect(imported.stderr).toContain(reason);
    expect(await contents()).toContainEqual(["Cleo", "", [], []]);
  });

  test("`contacts sync --delete` refuses a file that ends within a vCard", async () => {
    const { file, run, importText, contacts } = await office();
    const cards = ["Anna", "Ben"].map((name, index) =>
      card("3.0", `N:;${name};;;`, `TEL:+4917139200${index}0`),
    );
    await importText(cards.join(""));
    file("list.vcf", `${cards[0]}BEGIN:VCARD\r\nVERSION:3.0\r\nN:;Be`);
    const synced = await run("contacts", "sync", "list.vcf", "--group", "Kunden", "--delete", "--yes");
    expect(synced.code, synced.stderr).toBe(12);
    expect(await contacts()).toHaveLength(2);
  });

  test("--key UID finds a vCard's contact even if the number has changed", async () => {
    const { importText, contents } = await office();
    const text = (number: string) => card("3.0", "UID:urn:uuid:1", "N:Schmidt;Anna;;;", `TEL:${number}`);
    await importText(text("+491713920011"), "--key", "UID");
    const again = await importText(text("+491713920012"), "--key", "UID", "--on-match", "replace");
    expect(again.json).toMatchObject({ created: 0, updated: 1 });
    expect(await contents()).toEqual([["Anna", "Schmidt", ["+491713920012"], []]]);
  });

  test("--key finds the UID among other properties of each vCard", async () => {
    const { importText, contacts } = await office();
    const cards = ["Anna", "Ben", "Cleo"].map((name, index) =>
      card("3.0", ...(index === 1 ? ["NOTE:a", "ORG:b"] : []), `N:;${name};;;`, `UID:u${index}`),
    );
    const imported = await importText(cards.join("") + card("3.0", "N:;Dora;;;"), "--key", "UID");
    expect(imported.json, imported.stderr).toMatchObject({ created: 3, invalid: 1 });
    expect(imported.stderr).toContain("has no key");
    expect(await contacts()).toHaveLength(3);
  });

  test("imports of other resources refuse vCards and suggest the command for contacts", async () => {
    const { file, run } = await office();
    file("list.vcf", card("3.0", "N:;Anna;;;"));
    const refused = await run("glossary", "import", "list.vcf", "--group", "Default");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("voxctl contacts import")]);
  });
});

test("a truncated vCard is refused again by an import of the --rejects file", async () => {
  const { importText, contents, read } = await office();
  await importText(`${card("3.0", "N:;Anna;;;")}BEGIN:VCARD\nVERSION:3.0\nN:;Ben;;;\n`, "--rejects", "r.vcf");
  const again = await importText(read("r.vcf"));
  expect([again.code, again.json.invalid]).toEqual([68, 1]);
  expect((await contents()).map(([name]) => name)).toEqual(["Anna"]);
});

test("--rejects writes the rejected vCards with an X-VOXCTL-ERROR property", async () => {
  const { importText, read, run, contents } = await office();
  const invalid = card("3.0", "N:;Ben;;;", "TEL:abc", "PHOTO;ENCODING=b:/9j/", "X-VOXCTL-ERROR:old");
  await importText(card("3.0", "N:;Anna;;;") + invalid, "--rejects", "rest.vcf");
  expect(read("rest.vcf")).toBe(
    card(
      "3.0",
      "N:;Ben;;;",
      "TEL:abc",
      "PHOTO;ENCODING=b:/9j/",
      'X-VOXCTL-ERROR:phone_numbers (value "abc"): is not a valid phone number',
    ),
  );
  const fixed = read("rest.vcf").replace("abc", "+491713920011");
  await importText(fixed);
  expect(await contents()).toContainEqual(["Ben", "", ["+491713920011"], []]);
  const wrong = await run("contacts", "import", "list.vcf", "--group", "Kunden", "--rejects", "rest.csv");
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("the format of the input file, vCard"),
  ]);
});

describe("exporting vCards", () => {
  test.each([
    ["by its extension", ["all.vcf"]],
    ["by --format", ["all.txt", "--format", "vcard"]],
  ])("an export as vCard 3.0 can be imported unchanged (format selected %s)", async (_, words) => {
    const { run, importText, read } = await office();
    const names = [
      "Böhm, jun.;Marie-Luise",
      `Groß;${"Ännchen ".repeat(20).trim()}`,
      "O\\nB;Zeile",
      ";Praxis Vogt",
    ];
    await importText(
      names
        .map((name, index) => {
          const [last = "", first = ""] = name.split(";");
          return card("3.0", `N:${last.replace(",", "\\,")};${first}`, `TEL:+49171392001${index}`);
        })
        .join(""),
    );
    const exported = await run("contacts", "export", ...words, "--group", "Kunden");
    expect(exported.code, exported.stderr).toBe(0);
    const text = read(words[0] ?? "");
    expect(text.match(/^VERSION:3\.0\r$/gm)).toHaveLength(4);
    expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 76)).toBe(true);
    const again = await importText(text, "--on-match", "replace");
    expect(again.json).toMatchObject({ rows: 4, created: 0, updated: 0, unchanged: 4 });
    const synced = await run(
      "contacts",
      "sync",
      "list.vcf",
      "--group",
      "Kunden",
      "--delete",
      "--yes",
      "-o",
      "json",
    );
    expect(synced.json).toMatchObject({ created: 0, updated: 0, deleted: 0 });
  });

  test("`glossary export` refuses to write vCards", async () => {
    const { run } = await office();
    const refused = await run("glossary", "export", "list.vcf");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('extension ".vcf"')]);
  });
});
