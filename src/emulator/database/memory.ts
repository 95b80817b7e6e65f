import { type Database, type MemoryImage, openDatabase, openImage } from "../../base/database.js";
import { systemRandom } from "../../base/random.js";
import { migrate } from "./schema.js";

/** An empty world's tables, made once per process and never changed: making them takes longer than copying them. */
let tables: Promise<MemoryImage> | undefined;

/** A database in memory that has the tables of this version. */
export async function createMemoryDatabase(): Promise<Database> {
  tables ??= createTablesImage();
  return openImage(await tables);
}

/** Most processes have one world, and an image for one takes longer than its tables. */
let isFirstDatabase = true;

/** A database for a world in memory, which may have no tables yet: `migrate` makes them. */
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
