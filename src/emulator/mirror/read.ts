import { existsSync } from "node:fs";
import { openDatabase } from "../../base/database.js";
import { MirrorManifest, MirrorRequest } from "../../contract/mirror.js";

/**
 * Reads the manifest of a mirror's database without opening an emulator and without changing the file, which other processes may use.
 * @returns undefined if the file is not a mirror; the manifest is undefined while the mirror is being filled
 */
export async function readMirror(
  path: string,
): Promise<{ request: MirrorRequest; manifest: MirrorManifest | undefined } | undefined> {
  if (!existsSync(path)) return undefined;
  const database = await openDatabase(path);
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'mirror'").get();
    const row = table && database.prepare("SELECT request, manifest FROM mirror").get();
    if (!row) return undefined;
    const text = row["manifest"];
    const request = MirrorRequest().parse(JSON.parse(String(row["request"])));
    return {
      request,
      manifest: typeof text === "string" ? MirrorManifest().parse(JSON.parse(text)) : undefined,
    };
  } finally {
    database.close();
  }
}
