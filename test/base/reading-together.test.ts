import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../src/base/database.js";
import { temporaryFolder } from "../helpers/cli.js";

async function openTwice(): Promise<{ own: Database; other: Database; count: () => unknown }> {
  const path = join(temporaryFolder(), "world.db");
  const own = await openDatabase(path);
  own.exec("PRAGMA journal_mode = WAL; CREATE TABLE things (id INTEGER PRIMARY KEY)");
  const other = await openDatabase(path, { busyMilliseconds: 0 });
  onTestFinished(() => {
    own.close();
    other.close();
  });
  return { own, other, count: () => own.prepare("SELECT count(*) AS n FROM things").get()?.["n"] };
}

const insert = "INSERT INTO things DEFAULT VALUES";

it("reads of one transaction see the same, and what others wrote meanwhile once it has ended", async () => {
  const { own, other, count } = await openTwice();
  own.beginReading();
  own.beginReading();
  expect(count()).toBe(0);
  other.prepare(insert).run();
  expect(count()).toBe(0);
  own.endReading();
  own.endReading();
  expect(count()).toBe(1);
});

it.each<[string, (database: Database) => void]>([
  ["a statement", (database) => database.prepare(insert).run()],
  ["a script", (database) => database.exec(insert)],
  ["a transaction", (database) => database.transaction(() => database.prepare(insert).run())],
  ["a write that is its own", (database) => database.lastly(() => database.prepare(insert).run())],
  [
    "a group's transaction",
    (database) => {
      database.begin();
      database.prepare(insert).run();
      database.commit();
    },
  ],
])("%s that writes ends what is read together, and is committed when it returns", async (_, write) => {
  const { own, other, count } = await openTwice();
  own.beginReading();
  expect(count()).toBe(0);
  // Another wrote since: a transaction that has read before could not write any more.
  other.prepare(insert).run();
  write(own);
  expect(other.prepare("SELECT count(*) AS n FROM things").get()?.["n"]).toBe(2);
  own.beginReading();
  expect(count()).toBe(2);
});

it("nothing is read together within a transaction: that one stays open", async () => {
  const { own, count } = await openTwice();
  own.transaction(() => {
    own.beginReading();
    own.prepare(insert).run();
    own.endReading();
    expect(count()).toBe(1);
  });
  expect(count()).toBe(1);
});
