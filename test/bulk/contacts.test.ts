import { describe, expect, test } from "vitest";
import { contactAdapter } from "../../src/features/import/contacts/adapter.js";
import { parseHeaderMap } from "../../src/features/import/contacts/header-map.js";
import { planColumns } from "../../src/features/import/contacts/headers.js";
import { findMatchKeys, hasDifferentName } from "../../src/features/import/contacts/identity.js";
import { createPhoneReader } from "../../src/features/import/contacts/phones.js";
import { readContact } from "../../src/features/import/contacts/rows.js";
import { changesOf } from "../../src/features/import/planning/changes.js";
import { fingerprintOf } from "../../src/write/fields.js";

const german = await createPhoneReader({ country: "de" });

describe("reading German phone numbers in common spellings", () => {
  test.each([
    ["0170/123 45 67", "+491701234567"],
    ["(030) 123-45", "+493012345"],
    ["+49 (0)170 1234567", "+491701234567"],
    ["0049 170 1234567", "+491701234567"],
    ["0049 (0)170 1234567", "+491701234567"],
    ["(+49) 170.123.4567", "+491701234567"],
    ["170 1234567", "+491701234567"],
    ["0421\u00a0123\u201345\u200b", "+4942112345"],
    ["tel:+49-170-1234567", "+491701234567"],
    ["+1 212 555 0100", "+12125550100"],
  ])("the phone number %j is read as %s", (written, number) => {
    expect(german.read(written)).toMatchObject({ numbers: [number] });
  });

  test.each([
    "0306660070 / 6660071",
    "030 6660004 / -05",
    "030/6660080/81",
    "030 66600 12-15",
    "030 66600-0/-12",
    "+49 30 6660070\n6660071",
    "030 6660070 6660071",
    "+49 30 6660070 6660071",
    "0049 30 6660070 6660071",
  ])("%j is refused because its second phone number is incomplete", (written) => {
    expect(german.read(written)).toEqual({
      value: written,
      reason: expect.stringMatching(/several numbers|too long/),
    });
  });

  test("a phone number in a file has at most 15 digits, with and without spaces", async () => {
    const { read } = await createPhoneReader({ country: "DE", accepts: "possible" });
    for (const written of ["+4917123456721234", "+49 171 23456721234", "004917123456721234"])
      expect(read(written)).toMatchObject({ reason: expect.stringContaining("at most 15 digits") });
    expect(german.read("+4917123456721234")).toEqual({ numbers: ["+4917123456721234"] });
  });

  test.each([
    ["030 66600-15", "+49306660015"],
    ["0171-23-45-67-89", "+4917123456789"],
    ["089/123456/0", "+49891234560"],
    ["+49 (0) 33055 / 1234", "+49330551234"],
    ["040 33 44-55", "+4940334455"],
    ["0171\n1234567", "+491711234567"],
  ])("%j is read as one phone number", (written, number) => {
    expect(german.read(written)).toEqual({ numbers: [number] });
  });

  test.each([
    ["+49 030 1234591", "+49301234591"],
    ["0049 030 1234592", "+49301234592"],
    ["+49 (030) 1234593", "+49301234593"],
    ["+49 0171 1234594", "+491711234594"],
    ["+43 0664 1234567", "+436641234567"],
    ["+490301234591", "+49301234591"],
    ["+39 06 12345678", "+390612345678"],
    ["+378 0549 886377", "+3780549886377"],
    ["+225 01 23 45 67 89", "+2250123456789"],
    ["+49 00 3012345", "+49003012345"],
  ])("the zero in %j is dropped only if it makes the number invalid: %s", (written, number) => {
    expect(german.read(written)).toEqual({ numbers: [number] });
  });

  test("a tel: link without a number is refused with the reason", () => {
    const reason = "is a tel: link without a valid phone number";
    expect(german.read("tel:abc")).toEqual({ value: "tel:abc", reason });
  });

  test("a slash inside a number does not separate two numbers", () => {
    expect(german.read("04421/123456")).toEqual({ numbers: ["+494421123456"] });
    expect(german.read("0307/089488")).toEqual({ numbers: ["+49307089488"] });
  });

  test.each([
    ["030 12345678 / 0170 1234567", ["+493012345678", "+491701234567"]],
    ["030 12345678; 0170 1234567 | +43 660 1234567", ["+493012345678", "+491701234567", "+436601234567"]],
    ["030 12345678,0170 1234567", ["+493012345678", "+491701234567"]],
    ["040/6691823; 0176 20481177", ["+49406691823", "+4917620481177"]],
    ["030 12345678\n0170 1234567", ["+493012345678", "+491701234567"]],
  ])("%j is read as several phone numbers", (written, numbers) => {
    expect(german.read(written)).toEqual({ numbers });
  });

  test.each(["12", "0", "+49", "n/a", "siehe Akte", "++49170123456", "4,91701E+11"])(
    "%j is an invalid phone number",
    (written) => {
      expect(german.read(written)).toMatchObject({ value: written, reason: expect.any(String) });
    },
  );

  test("a number that seems to have a calling code without a plus is refused", () => {
    expect(german.read("491701234567")).toMatchObject({ reason: expect.stringContaining("+491701234567") });
  });

  test("if a phone number is a JSON object, the error shows the object", () => {
    const value = '{"type":"work","number":"0170 1234567"}';
    expect(german.read(value)).toEqual({ value, reason: "is a JSON object, not a phone number" });
  });

  test("an empty cell contains no phone number", () => {
    expect(german.read("  ")).toEqual({ numbers: [] });
  });
});

test("national numbers are read correctly in countries with different trunk prefixes", async () => {
  const read = async (country: string, written: string) =>
    (await createPhoneReader({ country })).read(written);
  expect(await read("IT", "06 1234 5678")).toEqual({ numbers: ["+390612345678"] });
  expect(await read("US", "(212) 555-0100")).toEqual({ numbers: ["+12125550100"] });
  expect(await read("HU", "06 1 234 5678")).toEqual({ numbers: ["+3612345678"] });
  expect(await read("AT", "0660 1234567")).toEqual({ numbers: ["+436601234567"] });
});

test("only international numbers are accepted if no country is set", async () => {
  const reader = await createPhoneReader();
  expect(reader.read("+49 170 1234567")).toEqual({ numbers: ["+491701234567"] });
  expect(reader.read("0170 1234567")).toMatchObject({ reason: expect.stringContaining("--country") });
  await expect(createPhoneReader({ country: "XX" })).rejects.toThrow("expected a two-letter country code");
});

describe("columns of contacts", () => {
  const fields = (names: string[], map = "") => {
    const { columns } = planColumns(names, map === "" ? {} : parseHeaderMap(map));
    return Object.fromEntries(
      Object.entries(columns).map(([field, indexes]) => [field, indexes.map((index) => names[index])]),
    );
  };

  test("German and English headers are recognized, regardless of case and punctuation", () => {
    expect(
      fields(["VORNAME", "nach-name", "Telefon", "Mobil", "Handy", "E-Mail", "Tel. (geschäftlich)"]),
    ).toEqual({
      first_name: ["VORNAME"],
      last_name: ["nach-name"],
      phone_numbers: ["Telefon", "Mobil", "Handy", "Tel. (geschäftlich)"],
      emails: ["E-Mail"],
    });
    expect(fields(["First Name", "Surname", "Mobile Phone", "E-mail 1 - Value", "Phone 1 - Value"])).toEqual({
      first_name: ["First Name"],
      last_name: ["Surname"],
      phone_numbers: ["Mobile Phone", "Phone 1 - Value"],
      emails: ["E-mail 1 - Value"],
    });
  });

  test("the abbreviation `nr` is recognized in the name of a phone column", () => {
    const names = ["Vorname", "Rufnr.", "Tel.-Nr.", "Mobilnr.", "Fax-Rufnr.", "Kundennr.", "Durchwahlnr."];
    expect(fields(names)["phone_numbers"]).toEqual(["Rufnr.", "Tel.-Nr.", "Mobilnr."]);
  });

  test("columns of fax numbers and of phone types are not read as phone numbers", () => {
    expect(fields(["Vorname", "Fax", "Telefax", "Phone 1 - Type"])["phone_numbers"]).toEqual([]);
  });

  test('"Name" is the last name if a first name column exists, and otherwise the full name', () => {
    expect(fields(["Name", "Vorname"])).toMatchObject({ first_name: ["Vorname"], last_name: ["Name"] });
    const { columns, wholeName } = planColumns(["Name", "Telefon"]);
    expect(columns.first_name).toEqual([0]);
    expect(wholeName).toBe("Name");
  });

  test("--map takes precedence over known headers", () => {
    expect(fields(["A", "B", "Telefon", "Vorname"], "first_name=B,phone_numbers=Telefon|A")).toMatchObject({
      first_name: ["B"],
      phone_numbers: ["Telefon", "A"],
    });
    expect(fields(["Vorname", "E-Mail"], "emails=")).toMatchObject({ emails: [] });
    expect(fields(["Name, Vorname", "Tel"], "first_name=Name, Vorname")).toMatchObject({
      first_name: ["Name, Vorname"],
    });
    expect(fields(["Tel, privat", "Tel=2"], "phone_numbers=Tel, privat|Tel=2")).toMatchObject({
      phone_numbers: ["Tel, privat", "Tel=2"],
    });
    for (const map of ["vorname=A", "emails=A,vorname=B"])
      expect(() => parseHeaderMap(map)).toThrow("expected a contact field before =");
  });
});

describe("rows of contacts", () => {
  const read = (record: Record<string, unknown>) => {
    const names = Object.keys(record);
    const row = { number: 1, line: 2, names, values: Object.values(record) };
    return readContact(row, { ...planColumns(names), phones: german, keepsValid: false });
  };

  test("cells are trimmed, and repeated numbers and emails are removed", () => {
    expect(
      read({
        Vorname: " Anna ",
        Nachname: "\u00a0Weiß",
        Telefon: "0170 1234567",
        Mobil: "+491701234567",
        Mail: "A@b.de; a@b.de",
      }),
    ).toMatchObject({
      contact: {
        first_name: "Anna",
        last_name: "Weiß",
        phone_numbers: ["+491701234567"],
        emails: ["A@b.de"],
      },
    });
  });

  test("an invalid row reports every invalid field, in the order of the fields", () => {
    const result = read({ Mail: "kein", Vorname: " ", Telefon: "folgt" });
    expect("problems" in result && result.problems.map(({ field, value }) => [field, value])).toEqual([
      ["first_name", " "],
      ["phone_numbers", "folgt"],
      ["emails", "kein"],
    ]);
  });

  test("a row of a JSON file can contain lists, numbers and null", () => {
    expect(
      read({ first_name: "Anna", last_name: null, phone_numbers: ["0170 1234567", "030 12345"], emails: [] }),
    ).toMatchObject({
      contact: {
        first_name: "Anna",
        last_name: "",
        phone_numbers: ["+491701234567", "+493012345"],
        emails: [],
      },
    });
    expect(read({ first_name: { a: 1 } })).toMatchObject({
      problems: [{ field: "first_name", value: '{"a":1}' }],
    });
  });
});

describe("comparing contacts", () => {
  const anna = { first_name: "Anna", last_name: "Weiß", phone_numbers: ["+491", "+492"], emails: ["A@b.de"] };

  test("a row without a number is matched by its email or, without one, by all its fields", () => {
    expect(findMatchKeys(anna, ["phone"]).lookup).toEqual(["p491", "p492"]);
    expect(findMatchKeys(anna, ["email"]).lookup).toEqual(["ea@b.de"]);
    expect(findMatchKeys({ ...anna, phone_numbers: [] }, ["phone"]).lookup).toEqual(["ea@b.de"]);
    const bare = { first_name: "Anna", last_name: "Weiß" };
    expect(contactAdapter(["phone"]).keysOf(bare).lookup).toEqual([[expect.stringMatching(/^w/)]]);
  });

  test("[T3] a contact's fingerprint ignores order, case, white space and Unicode composition", () => {
    const fingerprint = (fields: object) => fingerprintOf(Object.keys(anna), { ...fields });
    const same = {
      ...anna,
      first_name: " ANNA",
      last_name: "WEISS ".normalize("NFD"),
      phone_numbers: ["+492", "+491"],
      emails: ["a@B.de"],
    };
    expect(fingerprint(same)).toBe(fingerprint(anna));
    expect(fingerprint({ ...anna, first_name: "Änne" })).not.toBe(fingerprint(anna));
  });

  test("an update adds numbers and emails, and an empty cell clears no field", () => {
    const row = { first_name: "Änne", phone_numbers: ["+493", "+491"], emails: ["A@b.de"] };
    expect(changesOf(anna, row)).toEqual({ first_name: "Änne", phone_numbers: ["+491", "+492", "+493"] });
    expect(changesOf(anna, { ...anna, phone_numbers: [], emails: [] })).toBeUndefined();
  });

  test("[T3] a value that the service normalizes is sent only once", () => {
    const input = { first_name: "Anna  Maria", emails: ["a@B.de"] };
    const now = { first_name: "Anna Maria", emails: ["a@b.de", "x@b.de"] };
    const sent = changesOf(now, input);
    expect(sent).toEqual({ first_name: "Anna  Maria", emails: ["a@B.de", "x@b.de"] });
    const known = { id: "1", input, answer: now };
    expect(changesOf(now, input, known)).toBeUndefined();
    // A correction is always sent, even if only the spelling differs.
    expect(changesOf(now, { ...input, first_name: "anna maria" }, known)).toEqual({
      first_name: "anna maria",
    });
    // A field that another user has changed in the meantime is sent again.
    expect(changesOf({ ...now, first_name: "Eva" }, input, known)).toEqual({ first_name: "Anna  Maria" });
  });
});

describe("names of contacts with the same number or email", () => {
  const name = (first_name: string, last_name = "") => ({ first_name, last_name });

  test.each([
    [name("Anna", "Weiß"), name("anna ", " WEIß")],
    [name("Anna", "Weiß"), name("Anna Weiß")],
    [name("Anna", "Weiß"), name("Anna")],
    [name("Zoë"), name("Zoe\u0308")],
  ])("contacts named %j and %j can be the same person", (left, right) => {
    expect([hasDifferentName(left, right), hasDifferentName(right, left)]).toEqual([false, false]);
  });

  test.each([
    [name("Anna", "Weiß"), name("Bert", "Weiß")],
    [name("Anna", "Weiß"), name("Anna", "Klug")],
    [name("Anna"), name("Bert", "Weiß")],
  ])("contacts named %j and %j are different people", (left, right) => {
    expect([hasDifferentName(left, right), hasDifferentName(right, left)]).toEqual([true, true]);
  });
});
