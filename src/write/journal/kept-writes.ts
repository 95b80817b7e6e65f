import { open, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createPrivateFile, makePrivateFolder } from "../../base/private-file.js";
import { replaceByRename } from "../../base/temporary-file.js";
import type { Journal } from "./journal.js";
import { readWrites } from "./writes.js";

const extension = ".ndjson";

function auditFolderOf(folder: string): string {
  return join(dirname(folder), "audit");
}

/**
 * Stores the writes durably. Must be called before anything is deleted from the journal. A repeated call
 * after a crash writes the same file.
 * @param folder directory of the runs
 */
export async function keepWrites(folder: string, journal: Journal): Promise<void> {
  const writes = readWrites(journal);
  if (writes === undefined) return;
  const auditFolder = auditFolderOf(folder);
  await makePrivateFolder(auditFolder);
  const path = join(auditFolder, `${writes.name}${extension}`);
  await replaceByRename(path, createPrivateFile, async (file) => {
    await file.writeFile(writes.content);
    await file.sync();
  });
  await syncFolder(auditFolder);
}

/**
 * Writes a directory to disk, so that a rename in it survives a power failure. Ignores the error of a system
 * that can't open directories.
 */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

export async function listKeptWrites(folder: string): Promise<string[]> {
  const names: string[] = await readdir(auditFolderOf(folder)).catch(() => []);
  return names.filter((name) => name.endsWith(extension)).map((name) => name.slice(0, -extension.length));
}

export function readKeptWrites(folder: string, name: string): Promise<Buffer> {
  return readFile(join(auditFolderOf(folder), `${name}${extension}`));
}
