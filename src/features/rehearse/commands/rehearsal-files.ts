import { constants, existsSync, statSync } from "node:fs";
import { copyFile, readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import type { Folders } from "../../../cli/profiles/folders.js";
import { getRehearsalsFolder, removeFinishedRehearsals } from "../../../cli/session/running-rehearsals.js";

export interface RehearsalFiles {
  folder: string;
  /** Unchanged copy of the mirror. */
  base: string;
  fork: string;
  data: string;
  /** Copy of the store's runs and key maps; doesn't exist if no store is used. */
  store: string;
  /** File whose path is in `VOXCTL_REHEARSAL`. */
  file: string;
}

export async function createRehearsalFiles(folders: Folders): Promise<RehearsalFiles> {
  const all = getRehearsalsFolder(folders);
  await makePrivateFolder(all);
  removeFinishedRehearsals(folders);
  const folder = join(all, `${process.pid}.files`);
  const data = join(folder, "data");
  // An earlier process with the same ID may have left this directory.
  await rm(folder, { recursive: true, force: true });
  await makePrivateFolder(data);
  return {
    folder,
    base: join(folder, "base.db"),
    fork: join(folder, "fork.db"),
    data,
    store: join(folder, "store"),
    file: join(folder, "rehearsal.json"),
  };
}

const isResultsFile = (name: string) => name.endsWith(".report.ndjson");

/**
 * Deletes the files of a finished rehearsal, except results files, whose paths the rehearsed command has
 * printed. The next rehearsal or `mirror delete` deletes the results files.
 */
export async function removeRehearsalFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeRehearsalFiles(path);
    else if (!isResultsFile(entry.name)) await rm(path, { force: true });
  }
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}

export async function findResultsFiles({ data }: RehearsalFiles): Promise<string[]> {
  const folder = join(data, "runs");
  const names = await readdir(folder).catch((): string[] => []);
  const paths = names.filter(isResultsFile).map((name) => join(folder, name));
  return paths.filter((path) => statSync(path).size > 0);
}

/** Directory with records of the rejects files that voxctl wrote. */
const rejectsFolder = "rejects";
/** Directories that a store replaces: the journals of runs, and the key maps. */
const sharedFolders = ["runs", "sync"];

/** Returns the directory with the runs and key maps that the real command would use. */
export function getRememberedFolder(folders: Folders, { store }: RehearsalFiles): string {
  return existsSync(store) ? store : folders.data;
}

/** Copies the files about earlier runs, because the rehearsed command must not change the originals. */
export async function copyRemembered(folders: Folders, files: RehearsalFiles): Promise<void> {
  const { data } = files;
  const shared = getRememberedFolder(folders, files);
  for (const name of [...sharedFolders, rejectsFolder]) {
    const from = join(name === rejectsFolder ? folders.data : shared, name);
    const entries = await readdir(from).catch((): string[] => []);
    if (entries.length === 0) continue;
    await makePrivateFolder(join(data, name));
    // A journal with a `-wal` or `-journal` file belongs to a running or killed run. Only the real command
    // may finish such a run.
    const open = new Set(entries.flatMap((file) => /^(.+)-(?:wal|journal)$/.exec(file)?.[1] ?? []));
    for (const file of entries) {
      const path = join(from, file);
      if (open.has(file) || isResultsFile(file) || /-(?:wal|shm|journal)$|\.lock$/.test(file)) continue;
      if (!(await stat(path)).isFile()) continue;
      await copyFile(path, join(data, name, file), constants.COPYFILE_FICLONE);
    }
  }
}

/** Keeps the records of rejects files, because these files, unlike the fork, are not temporary. */
export async function keepRejectsRecords(folders: Folders, { data }: RehearsalFiles): Promise<void> {
  const from = join(data, rejectsFolder);
  const names = await readdir(from).catch((): string[] => []);
  if (names.length === 0) return;
  await makePrivateFolder(join(folders.data, rejectsFolder));
  for (const name of names) await copyFile(join(from, name), join(folders.data, rejectsFolder, name));
}
