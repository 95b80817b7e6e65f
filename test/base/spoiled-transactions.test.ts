import { expect, it } from "vitest";
import { openDatabase } from "../../src/base/database.js";

async function openNumbers() {
  const database = await openDatabase(":memory:");
  database.exec("CREATE TABLE numbers (value INTEGER PRIMARY KEY) STRICT");
  const insert = (value: number) => database.prepare("INSERT INTO numbers VALUES (?)").run(value);
  const values = () => database.prepare("SELECT value FROM numbers").all();
  return { database, insert, values };
}

it("a statement that fails as the last of its work leaves the transaction around it whole", async () => {
  const { database, insert, values } = await openNumbers();
  database.begin();
  database.lastly(() => insert(1));
  expect(() => database.lastly(() => insert(1))).toThrow(/UNIQUE/);
  database.lastly(() => insert(2));
  database.commit();
  expect(values()).toEqual([{ value: 1 }, { value: 2 }]);
});

it("work that fails after it wrote keeps all that is around it from being committed, and nothing later", async () => {
  const { database, insert, values } = await openNumbers();
  const failing = () =>
    database.lastly(() => {
      insert(2);
      throw new Error("late");
    });
  database.begin();
  database.lastly(() => insert(1));
  expect(failing).toThrow("late");
  expect(() => database.commit()).toThrow(/a part of itself/);
  expect(values()).toEqual([]);
  const around = () =>
    database.transaction(() => {
      insert(1);
      expect(failing).toThrow("late");
    });
  expect(around).toThrow(/a part of itself/);
  expect(values()).toEqual([]);
  // By itself it is a transaction.
  expect(failing).toThrow("late");
  database.lastly(() => insert(3));
  expect(values()).toEqual([{ value: 3 }]);
});

it("nothing is kept of what comes after the driver has ended the transaction around it", async () => {
  const { database, insert, values } = await openNumbers();
  for (const write of [database.transaction.bind(database), database.lastly.bind(database)]) {
    database.begin();
    database.transaction(() => insert(1));
    // As a full disk does.
    database.exec("ROLLBACK");
    expect(() => write(() => insert(2))).toThrow(/was ended/);
    expect(() => database.commit()).toThrow(/no transaction/);
    expect(values()).toEqual([]);
  }
});
