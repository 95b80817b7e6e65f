import { existsSync } from "node:fs";
import { openDatabase } from "../../base/database.js";
import { MirrorManifest, MirrorRequest } from "../../contract/mirror.js";

/**
 * Reads what a mirror's file says of itself, without opening its world: nothing is changed, and others may be using it.
 * @returns undefined where the file is no mirror; its manifest is undefined while it is being filled
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
