import { type Database, type MemoryImage, openDatabase, openImage } from "../../base/database.js";
import { systemRandom } from "../../base/random.js";
import { migrate } from "./schema.js";

/** The tables of an empty database, created once per process and never changed: creating them takes longer than a copy. */
let tables: Promise<MemoryImage> | undefined;

/** A database in memory that has the tables of this version. */
export async function createMemoryDatabase(): Promise<Database> {
  tables ??= createTablesImage();
  return openImage(await tables);
}

/** Most processes open one emulator, and an image for one takes longer than its tables. */
let isFirstDatabase = true;

/** Opens a database in memory, possibly without tables: `migrate` creates them. */
export async function openMemoryDatabase(): Promise<Database> {
  const isFirst = isFirstDatabase;
  isFirstDatabase = false;
  return isFirst ? openDatabase(":memory:") : createMemoryDatabase();
}

async function createTablesImage(): Promise<MemoryImage> {
  const database = await openDatabase(":memory:");
  // It has no rows: nothing is encrypted yet.
  migrate(database, { fileKey: Buffer.alloc(32), random: systemRandom() });
  const image = await database.image();
  database.close();
  return image;
}
