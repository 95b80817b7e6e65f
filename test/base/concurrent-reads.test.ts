import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../src/base/database.js";
import { temporaryFolder } from "../helpers/cli.js";

async function openTwice(): Promise<{ first: Database; second: Database; count: () => unknown }> {
  const path = join(temporaryFolder(), "world.db");
  const first = await openDatabase(path);
  first.exec("PRAGMA journal_mode = WAL; CREATE TABLE things (id INTEGER PRIMARY KEY)");
  const second = await openDatabase(path, { busyMilliseconds: 0 });
  onTestFinished(() => {
    first.close();
    second.close();
  });
  return { first, second, count: () => first.prepare("SELECT count(*) AS n FROM things").get()?.["n"] };
}

const insert = "INSERT INTO things DEFAULT VALUES";

it("during a shared read, writes of another connection are not visible", async () => {
  const { first, second, count } = await openTwice();
  first.beginReading();
  first.beginReading();
  expect(count()).toBe(0);
  second.prepare(insert).run();
  expect(count()).toBe(0);
  first.endReading();
  first.endReading();
  expect(count()).toBe(1);
});

it.each<[string, (database: Database) => void]>([
  ["a statement", (database) => database.prepare(insert).run()],
  ["a script", (database) => database.exec(insert)],
  ["a transaction", (database) => database.transaction(() => database.prepare(insert).run())],
  ["a separate write", (database) => database.lastly(() => database.prepare(insert).run())],
  [
    "a group's transaction",
    (database) => {
      database.begin();
      database.prepare(insert).run();
      database.commit();
    },
  ],
])("writing with %s ends the shared read and commits immediately", async (_, write) => {
  const { first, second, count } = await openTwice();
  first.beginReading();
  expect(count()).toBe(0);
  // After a write by another connection, a transaction that started with a read could not write.
  second.prepare(insert).run();
  write(first);
  expect(second.prepare("SELECT count(*) AS n FROM things").get()?.["n"]).toBe(2);
  first.beginReading();
  expect(count()).toBe(2);
});

it("ending a shared read within a transaction does not end the transaction", async () => {
  const { first, count } = await openTwice();
  first.transaction(() => {
    first.beginReading();
    first.prepare(insert).run();
    first.endReading();
    expect(count()).toBe(1);
  });
  expect(count()).toBe(1);
});
