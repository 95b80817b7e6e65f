import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setUpSync } from "../helpers/sync.js";

const contact = (
  first_name: string,
  last_name = "",
  phone_numbers: string[] = [],
  emails: string[] = [],
) => ({
  ...{ first_name, last_name, phone_numbers, emails },
});
/** Names that have a special meaning in files of other programs. */
const unusual = [
  contact("#N/A", "#NAME?", ["+493012345678"]),
  contact("-", "…", ["+493012345679"], ["a@example.org", "b@example.org"]),
  contact("NULL", "NULL", ["+493012345670"]),
  contact("M&foo;ller", "Null", ["+493012345671", "+493012345672"]),
  contact("Summe", "3", ["+493012345673"]),
  contact("=1+1", "'@x", ["+493012345674"]),
  contact("Einzelname"),
  contact("Praxis\na,b,c,d\na;b;c;d\nUlm", "", ["+493012345675"]),
];

describe("importing a file that voxctl exported", () => {
  test.each([["csv"], ["csv", "--excel"], ["jsonl"], ["xlsx"], ["vcf"]])(
    "importing an exported file makes no changes despite unusual names: %s %s",
    async (extension, ...flags) => {
      const { run } = await setUpSync();
      for (const data of unusual) {
        const words = ["contacts", "create", "--group", "Kunden", "--data", JSON.stringify(data)];
        expect((await run(...words)).code).toBe(0);
      }
      const name = `all.${extension}`;
      expect((await run("contacts", "export", name, "--group", "Kunden", ...flags)).code).toBe(0);
      for (const onMatch of ["skip", "replace"]) {
        const words = ["--group", "Kunden", "--on-match", onMatch, "-o", "json"];
        const again = await run("contacts", "import", name, ...words);
        expect(again.json, again.stderr).toMatchObject({
          ...{ created: 0, updated: 0, invalid: 0, unchanged: unusual.length },
        });
      }
    },
  );

  test("an import removes zero-width characters and decodes entities in an edited export", async () => {
    const { run, home, contacts } = await setUpSync();
    const header = "first_name,last_name,phone_numbers,emails\n";
    writeFileSync(join(home, "all.csv"), `${header}Anna\u200b,M&uuml;ller ,+493012345678,\n`);
    await run("contacts", "import", "all.csv", "--group", "Kunden");
    expect(await contacts()).toMatchObject([{ first_name: "Anna", last_name: "Müller" }]);
  });

  test("an import treats an export with an edited cell like any other file", async () => {
    const { run, home } = await setUpSync();
    const header = "first_name,last_name,phone_numbers,emails\n";
    writeFileSync(join(home, "all.csv"), `${header}#N/A,Krug,030 1234567,\nAnna,Ahorn,+493012345678,\n`);
    const words = ["--group", "Kunden", "--country", "DE", "-o", "json"];
    const imported = await run("contacts", "import", "all.csv", ...words);
    expect(imported.json, imported.stderr).toMatchObject({ created: 1, invalid: 1 });
  });
});
