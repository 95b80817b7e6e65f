/** Each command has its own directory for working copies. If a command is killed, its directory remains. */
import { mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../base/private-file.js";
import { removeUnusedFolders } from "../base/unused-folders.js";

const prefix = "store-";
const keepMilliseconds = 7 * 24 * 60 * 60 * 1_000;

/**
 * Creates a directory for a command. Also removes week-old directories of killed processes, because they
 * contain personal data.
 * @param now current time by the machine's clock, in milliseconds
 */
export async function createWorkingFolder(dataFolder: string, now: number): Promise<string> {
  await removeUnusedFolders(dataFolder, { prefix, now, keepMilliseconds });
  await makePrivateFolder(dataFolder);
  return mkdtemp(join(dataFolder, prefix));
}

export async function findWorkingCopies(dataFolder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const name of await namesIn(dataFolder)) {
    if (!name.startsWith(prefix)) continue;
    const files = await namesIn(join(dataFolder, name));
    for (const file of files) if (file.endsWith(".sqlite")) paths.push(join(dataFolder, name, file));
  }
  return paths;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
