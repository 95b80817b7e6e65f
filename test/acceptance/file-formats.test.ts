import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function office() {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  await shell.run("groups", "create", "--name", "Kunden", "--type", "contacts");
  const importText = (name: string, content: string | Buffer, ...flags: string[]) => {
    writeFileSync(join(shell.home, name), content);
    return shell.run("contacts", "import", name, "--group", "Kunden", "-o", "json", ...flags);
  };
  const contacts = async () => (await shell.run("contacts", "list", "--group", "Kunden", "-o", "json")).json;
  return { ...shell, importText, contacts };
}

test.each([
  ["an LDIF file", "list.ldif", "version: 1\n\ndn: cn=Anna,o=Office\ncn: Anna\n"],
  ["an XML file", "list.xml", '<?xml version="1.0"?>\n<contacts><contact/></contacts>\n'],
  ["an XML file", "list.csv", "<contacts>\n  <contact/>\n</contacts>\n"],
  [
    "a FRITZ!Box phone book (XML)",
    "FRITZ.Box_Telefonbuch.xml",
    '<?xml version="1.0" encoding="utf-8"?>\n<phonebooks>\n<phonebook owner="1"><contact/></phonebook></phonebooks>',
  ],
  ["an HTML page", "list.csv", "<!DOCTYPE html>\n<html><body>Please log in</body></html>\n"],
  ["an HTML page", "list.xls", "<table><tr><td>Vorname</td></tr></table>"],
  ["a ZIP archive", "list.zip", Buffer.from("PK\x03\x04 and so on", "latin1")],
])("an import refuses %s named %s and reports the file's format", async (what, name, content) => {
  const { importText } = await office();
  const ran = await importText(name, content);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`${name} is ${what}`)]);
});

test.each([
  ["all lines", "quotes around the whole table", '"Vorname;Telefon\nAnna;030 23181234\nBen;030 23181235"\n'],
  ["each line", "quotes around each line", '"Vorname;Telefon"\n"Anna;030 23181234"\n'],
])("an import refuses a list with %s in quotes and reports the reason", async (_, what, text) => {
  const { importText } = await office();
  const ran = await importText("list.csv", text);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`list.csv has ${what}`)]);
});

test.each([
  [
    "a --delimiter that the file lacks",
    "Vorname;Telefon\nAnna;030 23181234\n",
    '";"',
    ["--delimiter", "tab"],
  ],
  [
    "other delimiters in the header",
    "Vorname,Nachname,Telefon\nA;B;030 23181234\nC;D;030 23181235\n",
    '","',
    [],
  ],
])("an import refuses a list with %s and reports the delimiter", async (_, text, delimiter, flags) => {
  const { importText } = await office();
  const ran = await importText("list.csv", text, ...flags);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("list.csv has only one column")]);
  expect(ran.stderr).toContain(`--delimiter ${JSON.stringify(delimiter).slice(1, -1)}`);
});

test("an import accepts a file whose only column contains quoted full names", async () => {
  const { importText, contacts } = await office();
  await importText("list.csv", '"Name, Vorname"\n"Schmidt, Anna"\n');
  expect(await contacts()).toMatchObject([{ first_name: "Anna", last_name: "Schmidt" }]);
});

test.each([
  ["Anna Schmidt <anna@example.org>", ["anna@example.org"]],
  ['"""Krug, Ben"" <ben@example.org>; Cleo <cleo@example.org>,"', ["ben@example.org", "cleo@example.org"]],
  ["anna@example.org;", ["anna@example.org"]],
  ["<mailto:anna@example.org>", ["anna@example.org"]],
  ["'anna@example.org' <anna@example.org>", ["anna@example.org"]],
])("an import reads the email addresses in the cell %s", async (cell, emails) => {
  const { importText, contacts } = await office();
  const ran = await importText("list.tsv", `Vorname\tE-Mail\nAnna\t${cell}\n`);
  expect(await contacts(), ran.stderr).toMatchObject([{ emails }]);
});

test.each(["Anna <anna>", "Anna <anna@example.org> Ben", "anna@example.org; Ben", "<>"])(
  "an import refuses %s as an email address",
  async (cell) => {
    const { importText } = await office();
    const ran = await importText("list.tsv", `Vorname\tE-Mail\nAnna\t${cell}\n`);
    expect([ran.json.invalid, ran.stderr]).toEqual([
      1,
      expect.stringContaining("is not a valid email address"),
    ]);
  },
);

test.each([
  ["<Vorname>;<Telefon>\nAnna;030 23181234\n", ["--map", "first_name=<Vorname>,phone_numbers=<Telefon>"]],
  ["dn;Vorname;Telefon\nx;Anna;030 23181234\n", []],
])("an import reads a table whose header resembles another file type: %s", async (text, flags) => {
  const { importText, contacts } = await office();
  expect((await importText("list.csv", text, "--country", "DE", ...flags)).code).toBe(0);
  expect(await contacts()).toMatchObject([{ first_name: "Anna" }]);
});

test("an import reads a Latin-9 file if --encoding specifies it", async () => {
  const { importText, contacts } = await office();
  await importText(
    "list.csv",
    Buffer.from("Vorname\nTom\xe1\xb9\nZo\xeb\xb4\n", "latin1"),
    "--encoding",
    "iso-8859-15",
  );
  const names = (await contacts()).map((contact: { first_name: string }) => contact.first_name);
  expect(names.sort()).toEqual(["Tomá¹", "ZoëŽ"]);
});

const twice = '{"first_name": "Anna", "last_name": "A", "first_name": "Bert"}';

test("a request body is refused if one of its JSON objects contains a name twice", async () => {
  const { run, home, contacts } = await office();
  writeFileSync(join(home, "body.json"), twice);
  for (const data of [twice, "@body.json"]) {
    const ran = await run("contacts", "create", "--group", "Kunden", "--data", data);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('duplicate key "first_name"')]);
  }
  expect(await contacts()).toEqual([]);
});

test("a repeated name in a JSON object makes only that object's row invalid", async () => {
  const { importText, contacts } = await office();
  const validRow = '{"first_name": "Cleo", "notes": {"first_name": "\\"first_name\\": 1"}}';
  const ran = await importText("list.json", `[${twice}, ${validRow}]`);
  expect([ran.code, ran.json]).toMatchObject([68, { created: 1, invalid: 1 }]);
  expect(await contacts()).toMatchObject([{ first_name: "Cleo" }]);
});
