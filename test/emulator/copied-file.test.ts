import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { openEmulator } from "../../src/emulator/index.js";
import { commandLine, temporaryFolder } from "../helpers/cli.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

/** Copies an emulator's database and its key to another name, without the write-ahead log. */
function copyAlone(db: string, copy: string): string {
  for (const ending of ["", ".key"]) copyFileSync(db + ending, copy + ending);
  return copy;
}

async function groupNames(db: string): Promise<string[]> {
  await using emulator = await openTestEmulator("in process", { db });
  const { body } = await emulator.ask("GET", "/groups?limit=100");
  return body.data.map(({ name }: { name: string }) => name);
}

describe.each([{ exclusive: true }, { exclusive: false }])(
  "a database copied without its -wal file: %j",
  (mode) => {
    test("a new emulator's database file is complete even without its -wal file", async () => {
      const db = join(temporaryFolder(), "w.db");
      await using emulator = await openTestEmulator("in process", { db, ...mode, seed: "demo" });
      const copy = copyAlone(db, join(temporaryFolder(), "copy.db"));
      const { body } = await emulator.ask("GET", "/groups?limit=100");
      expect(await groupNames(copy)).toEqual(body.data.map(({ name }: { name: string }) => name));
    });

    test("a database file contains changes older than one second even without its -wal file", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] });
      try {
        const db = join(temporaryFolder(), "w.db");
        await using emulator = await openTestEmulator("in process", { db, ...mode });
        for (const name of ["Eins", "Zwei", "Drei"]) {
          await emulator.ask("POST", "/groups", { body: { type: "contacts", name } });
          vi.advanceTimersByTime(500);
        }
        vi.advanceTimersByTime(600);
        const copy = copyAlone(db, join(temporaryFolder(), "copy.db"));
        expect(await groupNames(copy)).toEqual(expect.arrayContaining(["Eins", "Zwei", "Drei"]));
      } finally {
        vi.useRealTimers();
      }
    });

    test("even during requests, a database file without its -wal file contains earlier changes", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] });
      try {
        const db = join(temporaryFolder(), "w.db");
        await using emulator = await openTestEmulator("in process", { db, ...mode });
        await emulator.ask("POST", "/groups", { body: { type: "contacts", name: "Eins" } });
        for (let step = 0; step < 13; step += 1) {
          vi.advanceTimersByTime(500);
          await emulator.ask("GET", "/ping");
        }
        expect(await groupNames(copyAlone(db, join(temporaryFolder(), "copy.db")))).toContain("Eins");
      } finally {
        vi.useRealTimers();
      }
    });
  },
);

describe("a database without emulator state", () => {
  test("an empty database file is refused and not changed", async () => {
    const { run, home } = commandLine();
    writeFileSync(join(home, "w.db"), "");
    const refused = await run("emulator", "start", "--db", "w.db", "--port", "0");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("w.db is empty")]);
    expect(existsSync(join(home, "w.db.key"))).toBe(false);
  });

  test("the error for an unusable offline database suggests a fix", async () => {
    const { run, data } = commandLine();
    const db = join(data, "offline.db");
    mkdirSync(data);
    writeFileSync(db, "no database".repeat(1000));
    for (const argv of [
      ["contacts", "list"],
      ["emulator", "status"],
    ]) {
      const { code, stderr } = await run(...argv);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^error: \S+offline\.db is not a database; move this file to /m);
      expect(stderr.split(db)).toHaveLength(2);
    }
    rmSync(db);
    expect((await run("contacts", "list")).code).toBe(0);
  });

  test("`emulator reset` keeps a damaged database under another name", async () => {
    const { run, data, home } = commandLine();
    const db = join(data, "offline.db");
    expect((await run("contacts", "list")).code).toBe(0);
    // Opening the database does not read the last pages, so this damage is detected later.
    const incomplete = readFileSync(db);
    incomplete.fill("x", incomplete.length / 2);
    const contents = [Buffer.from("no database".repeat(1000)), Buffer.from(""), incomplete];
    for (const [index, content] of contents.entries()) {
      writeFileSync(db, content);
      const asked = await run("emulator", "reset", "--profile", "offline");
      expect([asked.code, readFileSync(db).equals(content)]).toEqual([12, true]);
      const reset = await run("emulator", "reset", "--profile", "offline", "--yes");
      expect([reset.code, reset.stderr]).toEqual([
        0,
        expect.stringContaining(`database as ${db}.${index + 1}.bad.`),
      ]);
      expect(readFileSync(`${db}.${index + 1}.bad`).equals(content)).toBe(true);
      expect((await run("contacts", "list")).code).toBe(0);
    }
    writeFileSync(join(home, "notes.txt"), "notes");
    expect((await run("emulator", "reset", "--db", "notes.txt", "--yes")).code).toBe(2);
    expect(readFileSync(join(home, "notes.txt"), "utf8")).toBe("notes");
  });

  test("a database without tables is refused, with or without exclusive access", async () => {
    const db = join(temporaryFolder(), "w.db");
    const database = await openDatabase(db);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a); DROP TABLE t");
    database.close();
    for (const exclusive of [true, false])
      await expect(openEmulator({ db, exclusive })).rejects.toThrow("w.db is empty");
  });

  test("several emulators that open the same new file create its database only once", async () => {
    const db = join(temporaryFolder(), "w.db");
    const opened = await Promise.all([1, 2, 3].map(() => openEmulator({ db, seed: "demo" })));
    const keys = opened.map(({ startLine }) => startLine.keys.admin);
    expect(new Set(keys).size).toBe(1);
    for (const emulator of opened) await emulator.close();
  });
});
