import { open, stat } from "node:fs/promises";

export const sqliteMagic = "SQLite format 3\0";
const headerLength = 72;

/**
 * Reads an SQLite file's format version (`user_version`) without locking the file.
 * @returns undefined if the file is not an SQLite file, or if its write-ahead log may contain a newer version
 */
export async function readSqliteVersion(path: string): Promise<number | undefined> {
  const log = await stat(`${path}-wal`).catch(() => undefined);
  if (log !== undefined && log.size > 0) return undefined;
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerLength), 0, headerLength, 0);
    if (bytesRead < headerLength || buffer.toString("latin1", 0, sqliteMagic.length) !== sqliteMagic)
      return undefined;
    return buffer.readUInt32BE(60);
  } finally {
    await file.close();
  }
}
