import { existsSync } from "node:fs";
import { openDatabase } from "../../base/database.js";
import { MirrorManifest, MirrorRequest } from "../../contract/mirror.js";

/**
 * Opens no emulator and doesn't change the file, because other processes might be using the database.
 * @returns undefined if the file is not a mirror. The manifest is undefined if the mirror is unfinished or,
 * with `isOtherVersion`, if a different version of voxctl wrote the manifest.
 */
export async function readMirror(
  path: string,
): Promise<
  { request: MirrorRequest; manifest: MirrorManifest | undefined; isOtherVersion: boolean } | undefined
> {
  if (!existsSync(path)) return undefined;
  const database = await openDatabase(path);
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'mirror'").get();
    const row = table && database.prepare("SELECT request, manifest FROM mirror").get();
    if (!row) return undefined;
    const text = row["manifest"];
    const request = MirrorRequest().parse(JSON.parse(String(row["request"])));
    const manifest = typeof text === "string" ? MirrorManifest().safeParse(JSON.parse(text)) : undefined;
    return { request, manifest: manifest?.data, isOtherVersion: manifest?.success === false };
  } finally {
    database.close();
  }
}
