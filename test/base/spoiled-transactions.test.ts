import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { temporaryFolder } from "../helpers/cli.js";

async function openNumbers() {
  const database = await openDatabase(":memory:");
  database.exec("CREATE TABLE numbers (value INTEGER PRIMARY KEY) STRICT");
  const insert = (value: number) => database.prepare("INSERT INTO numbers VALUES (?)").run(value);
  const values = () => database.prepare("SELECT value FROM numbers").all();
  return { database, insert, values };
}

it("an outer transaction can continue if the last statement of an inner transaction fails", async () => {
  const { database, insert, values } = await openNumbers();
  database.begin();
  database.lastly(() => insert(1));
  expect(() => database.lastly(() => insert(1))).toThrow(/UNIQUE/);
  database.lastly(() => insert(2));
  database.commit();
  expect(values()).toEqual([{ value: 1 }, { value: 2 }]);
});

it("a failure after a write also fails the surrounding transactions", async () => {
  const { database, insert, values } = await openNumbers();
  const failing = () =>
    database.lastly(() => {
      insert(2);
      throw new Error("late");
    });
  database.begin();
  database.lastly(() => insert(1));
  expect(failing).toThrow("late");
  expect(() => database.commit()).toThrow(/failed and left changes/);
  expect(values()).toEqual([]);
  const around = () =>
    database.transaction(() => {
      insert(1);
      expect(failing).toThrow("late");
    });
  expect(around).toThrow(/failed and left changes/);
  expect(values()).toEqual([]);
  // Without an outer transaction, the failing function runs in its own transaction.
  expect(failing).toThrow("late");
  database.lastly(() => insert(3));
  expect(values()).toEqual([{ value: 3 }]);
});

it("all writes are discarded if the driver ends the outer transaction", async () => {
  const { database, insert, values } = await openNumbers();
  for (const write of [database.transaction.bind(database), database.lastly.bind(database)]) {
    database.begin();
    database.transaction(() => insert(1));
    // Simulates a full disk.
    database.exec("ROLLBACK");
    expect(() => write(() => insert(2))).toThrow(/was aborted/);
    expect(() => database.commit()).toThrow(/no transaction/);
    expect(values()).toEqual([]);
  }
});

it("after a full-disk error, each commit of the transaction fails with the same error", async () => {
  const { database } = await openNumbers();
  database.exec("CREATE TABLE texts (text TEXT) STRICT; PRAGMA max_page_count = 20");
  const fill = () => {
    for (;;) database.prepare("INSERT INTO texts VALUES (?)").run("x".repeat(2_000));
  };
  database.begin();
  expect(fill).toThrow(/full/);
  expect(() => database.transaction(() => {})).toThrow(/full/);
  expect(() => database.commit()).toThrow(/full/);
  expect(() => database.commit()).toThrow(/full/);
  expect(database.transaction(() => database.prepare("SELECT count(*) AS n FROM texts").get())).toEqual({
    n: 0,
  });
});

it("an error from the driver contains the path of the database file", async () => {
  const path = join(temporaryFolder(), "t.sqlite");
  const database = await openDatabase(path);
  database.exec("CREATE TABLE texts (text TEXT) STRICT; PRAGMA max_page_count = 3");
  const insert = () => database.prepare("INSERT INTO texts VALUES (?)").run("x".repeat(50_000));
  expect(insert).toThrow(expect.objectContaining({ path }));
  database.close();
});
