import { type Database, type MemoryImage, openDatabase, openImage } from "../../base/database.js";
import { createTables } from "./schema.js";

/** Copying the tables of an empty database is faster than creating them again. */
let tables: Promise<MemoryImage> | undefined;

export async function createMemoryDatabase(): Promise<Database> {
  tables ??= createTablesImage();
  return openImage(await tables);
}

/** A process that opens only one database is faster without an image of the tables. */
let isFirstDatabase = true;

/** The database may be empty, so the caller must also call `createTables`. */
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
