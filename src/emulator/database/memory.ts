import { type Database, type MemoryImage, openDatabase, openImage } from "../../base/database.js";
import { createTables } from "./schema.js";

/** An image of an empty database with tables. It is created once per process, because creating tables takes longer than copying them. */
let tables: Promise<MemoryImage> | undefined;

/** Creates a database in memory with the tables of this version. */
export async function createMemoryDatabase(): Promise<Database> {
  tables ??= createTablesImage();
  return openImage(await tables);
}

/** Most processes open only one emulator, and then an image takes longer than creating the tables. */
let isFirstDatabase = true;

/** Opens a database in memory. If it has no tables, `createTables` must create them. */
export async function openMemoryDatabase(): Promise<Database> {
  const isFirst = isFirstDatabase;
  isFirstDatabase = false;
  return isFirst ? openDatabase(":memory:") : createMemoryDatabase();
}

async function createTablesImage(): Promise<MemoryImage> {
  const database = await openDatabase(":memory:");
  createTables(database);
  const image = await database.image();
  database.close();
  return image;
}
