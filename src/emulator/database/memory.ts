import { type Database, type MemoryImage, openDatabase, openImage } from "../../base/database.js";
import { createTables } from "./schema.js";

/**
 * Image of an empty database with all tables. Copying its tables is faster than creating the tables again.
 */
let tables: Promise<MemoryImage> | undefined;

/** Creates an in-memory database with this version's tables. */
export async function createMemoryDatabase(): Promise<Database> {
  tables ??= createTablesImage();
  return openImage(await tables);
}

/**
 * Whether the next database is the first one of this process. For a single database, creating the tables is
 * faster than using an image.
 */
let isFirstDatabase = true;

/** Opens an in-memory database. The database can be empty, so the caller must also call `createTables`. */
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
