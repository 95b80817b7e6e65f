import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countWrites, parseError, setUpSync } from "../helpers/sync.js";

const header = "Kundennummer;Vorname;Nachname;Telefon;Mobil";
const flags = ["--group", "Kunden", "--country", "DE", "-o", "json"];

async function office() {
  const shell = await setUpSync();
  shell.write(`${header}\n;Anna;Ahorn;0151 10000001;\n;Bert;Birke;0151 10000002;\n`);
  await shell.run("contacts", "import", "kunden.csv", ...flags);
  return shell;
}

describe("a row with the numbers of two contacts", () => {
  const row = "1;Carla;Clausen;0151 10000001;0151 10000002";

  test.each(["skip", "update", "replace"])(
    "[S4] with --on-match %s, a row that matches two contacts changes neither of them",
    async (onMatch) => {
      const { write, run, contacts, emulator, home } = await office();
      const before = await contacts();
      write(`${header}\n${row}\n`);
      const writes = await countWrites(emulator);
      const imported = await run(
        "contacts",
        "import",
        "kunden.csv",
        ...flags,
        "--on-match",
        onMatch,
        "--rejects",
        "r.csv",
      );
      expect(imported.code).toBe(68);
      expect(imported.json, imported.stderr).toMatchObject({ rows: 1, created: 0, updated: 0, ambiguous: 1 });
      expect(imported.stderr).toContain("matches 2 contacts");
      expect(await countWrites(emulator)).toBe(writes);
      expect(await contacts()).toEqual(before);
      expect(readFileSync(join(home, "r.csv"), "utf8")).toContain("Carla");
    },
  );

  test("[S4] `contacts sync --delete-duplicates` keeps both contacts that match one row", async () => {
    const { write, sync, contacts } = await office();
    write(`${header}\n${row}\n`);
    const synced = await sync(
      "--delete",
      "--delete-duplicates",
      "--delete-newer",
      "--max-delete",
      "9",
      "--yes",
    );
    expect(synced.json, synced.stderr).toMatchObject({ ambiguous: 1, deleted: 0, row_unusable: 2 });
    expect(await contacts()).toHaveLength(2);
  });

  test("[S4] a row updates its contact even if an ambiguous row has the same number", async () => {
    const { write, run, contacts } = await office();
    write(`${header}\n${row}\n2;Anna;Ahorn-Au;0151 10000001;\n`);
    const imported = await run("contacts", "import", "kunden.csv", ...flags, "--on-match", "replace");
    expect(imported.json, imported.stderr).toMatchObject({ ambiguous: 1, updated: 1, duplicates: 0 });
    expect((await contacts()).map(({ last_name }) => last_name)).toEqual(["Ahorn-Au", "Birke"]);
  });

  test("[S4] a row updates only the oldest of several contacts with its number", async () => {
    const { write, run, contacts } = await office();
    write(`${header}\n;Doppel;Anna;0151 10000001;\n`);
    await run("contacts", "import", "kunden.csv", ...flags, "--on-match", "create");
    write(`${header}\n;Anna;Neu;0151 10000001;0151 10000003\n`);
    const imported = await run("contacts", "import", "kunden.csv", ...flags, "--on-match", "update");
    expect([imported.code, imported.json.updated]).toEqual([0, 1]);
    expect((await contacts())[0]).toMatchObject({ phone_numbers: ["+4915110000001", "+4915110000003"] });
  });
});

describe("rows with the same key", () => {
  const rows = ["1;A;Au;0151 10000001;", "2;B;Bo;0151 10000002;"];

  test.each([
    ["together", [rows[0], rows[0], rows[1]], 1],
    ["apart, and more than twice", [rows[0], rows[1], rows[0], rows[0]], 2],
    ["with quotes, spaces and missing empty cells", [rows[0], '"1"; A ;"Au";0151 10000001', rows[1]], 1],
  ])("[K4] equal rows with the same key create only one contact: %s", async (_, lines, duplicates) => {
    for (const command of ["import", "sync"]) {
      const { write, run, contacts } = await setUpSync();
      write(`${header}\n${lines.join("\n")}\n`);
      const done = await run("contacts", command, "kunden.csv", ...flags, "--key", "Kundennummer");
      expect(done.code, done.stderr).toBe(0);
      expect(done.json).toMatchObject({ created: 2, duplicates });
      const again = await run("contacts", command, "kunden.csv", ...flags, "--key", "Kundennummer");
      expect(again.json, again.stderr).toMatchObject({ created: 0, updated: 0, duplicates });
      expect(await contacts()).toHaveLength(2);
    }
  });

  test("[K4] different rows with the same key cause an error that lists their lines", async () => {
    const { write, run, contacts } = await setUpSync();
    write(
      `${header}\n${[...rows, "1;A;Au;0151 99999999;", "2;X;Bo;0151 10000002;", rows[0], "1;C;;;"].join("\n")}\n`,
    );
    const refused = await run("contacts", "sync", "kunden.csv", ...flags, "--key", "Kundennummer");
    expect([refused.code, parseError(refused.stderr).code]).toEqual([2, "duplicate_key"]);
    expect(parseError(refused.stderr).message).toBe(
      'lines 2, 4 and 7 have the same key, "1", but differ; lines 3 and 5 have the same key, "2", but differ',
    );
    expect(await contacts()).toEqual([]);
  });
});
