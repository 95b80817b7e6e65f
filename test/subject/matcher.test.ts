import { describe, expect, test } from "vitest";
import { readIdentifiers } from "../../src/features/subject/identifiers.js";
import { createMatcher } from "../../src/features/subject/matcher.js";

async function matcherOf({
  phones = [],
  emails = [],
  names = [],
  country = "DE",
}: {
  phones?: string[];
  emails?: string[];
  names?: string[];
  country?: string;
}) {
  return createMatcher(
    await readIdentifiers({ phones, emails, names, country: country === "" ? undefined : country }),
  );
}

describe("a caller's number in text", () => {
  test.each([
    "+491713920001",
    "+49 171 3920001",
    "+49 (0)171 / 39 20 001",
    "0049 171-3920001",
    "011 49 171 3920001",
    "491713920001",
    "01713920001",
    "0171 39 20 0 01",
    "(0171) 3920001",
    "0171/3920001",
    "0171\u00a0392\u202f0001",
    "+49\u200b1713920001",
    "tel:+49-171-392-0001",
    "https://wa.me/?phone=%2B491713920001",
    "\uff0b\uff14\uff19\uff11\uff17\uff11\uff13\uff19\uff12\uff10\uff10\uff10\uff11",
    "null eins sieben eins, drei neun zwo null null null eins",
    "plus 49 171 3920001",
  ])("a caller's number is found with certainty in %s", async (written) => {
    const { find } = await matcherOf({ phones: ["0171 3920001"] });
    for (const text of [written, `Rückruf an ${written}, bitte.`, `(${written})`, `12 ${written} 5 Uhr`])
      expect(find(text), text).toMatchObject([{ by: "phone", certainty: "certain" }]);
  });

  test.each([
    "+4917139200019",
    "+49171392000",
    "91713920001 7",
    "+43 171 3920001",
    "+43 (0)171 3920001",
    "0043 171 3920001",
    "1713920002",
    "20171392000 1234",
    "65f1017139200014567",
  ])("a caller's number is not found in %s", async (text) => {
    const { find } = await matcherOf({ phones: ["+491713920001"] });
    expect(find(text)).toEqual([]);
  });

  test.each([
    ["1713920001", "DE", "missing leading zero"],
    ["0171 3920001", "AT", "different number in this country"],
    ["0171 3920001", "", "unknown country"],
    ["+49 171 3920001-5", "DE", "extension"],
  ])("a caller's number is a possible match in %s with country %s: %s", async (text, country) => {
    const { find } = await matcherOf({ phones: ["+491713920001"], country });
    expect(find(text)).toMatchObject([{ certainty: "possible" }]);
  });

  test.each([
    ["+390612345678", "IT", "06 1234 5678"],
    ["+12015550123", "US", "(201) 555-0123"],
    ["+36301234567", "HU", "06 30 123 4567"],
    ["+4312345678", "AT", "01 2345678"],
  ])("the number %s with country %s is found in %s", async (number, country, text) => {
    const { find } = await matcherOf({ phones: [number], country });
    expect(find(text)).toMatchObject([{ certainty: "certain" }]);
  });

  test("a caller's number may be passed in any format", async () => {
    for (const phone of ["+49 171 3920001", "0171/3920001", "0049171 3920001"])
      expect((await matcherOf({ phones: [phone] })).find("+491713920001")).toHaveLength(1);
    await expect(matcherOf({ phones: ["Anna"] })).rejects.toThrow(
      "--phone: “Anna” is not a valid phone number",
    );
    await expect(matcherOf({ phones: ["0171 3920001"], country: "" })).rejects.toThrow("no country");
  });
});

describe("a caller's address and name in text", () => {
  test.each([
    "anna@example.org",
    "ANNA@Example.ORG",
    "<anna@example.org>",
    "mailto:anna%40example.org",
    "anna(at)example.org",
  ])("a caller's address is found in %s", async (written) => {
    const { find } = await matcherOf({ emails: ["Anna@example.org"] });
    for (const text of [written, `an ${written}.`])
      expect(find(text), text).toMatchObject([{ by: "email", certainty: "certain" }]);
  });

  test.each(["joanna@example.org", "anna@example.org.uk", "anna@example.organic", "x.anna@example.org"])(
    "a caller's address is not found in the longer address %s",
    async (text) => {
      const { find } = await matcherOf({ emails: ["anna@example.org"] });
      expect(find(text)).toEqual([]);
    },
  );

  test("a caller's first and last name in either order are only a hint", async () => {
    const { find } = await matcherOf({ names: ["Jörg Müller"] });
    for (const text of [
      "jörg müller",
      "Müller, Jörg",
      "Joerg MUELLER",
      "Herr Jo\u0308rg Mu\u0308ller ruft an",
    ])
      expect(find(text), text).toMatchObject([{ by: "name", certainty: "hint" }]);
    for (const text of ["Jörg Müllermann", "Müller", "Jörg ist da, Müller auch"])
      expect(find(text)).toEqual([]);
  });
});
