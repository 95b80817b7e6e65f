import { constants } from "node:fs";
import { copyFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import type { Folders } from "../../../cli/profiles/folders.js";
import { getRehearsalsFolder, isRehearsing } from "../../../cli/session/running-rehearsals.js";

/** Files of one rehearsal, in a separate directory. */
export interface RehearsalFiles {
  folder: string;
  /** Unchanged copy of the mirror. */
  base: string;
  fork: string;
  /** Data directory of the rehearsed program. */
  data: string;
  /** File that `VOXCTL_REHEARSAL` refers to. */
  file: string;
}

/**
 * Creates the directory for this rehearsal. Deletes directories that killed rehearsals left behind, because they
 * contain personal data.
 */
export async function createRehearsalFiles(folders: Folders): Promise<RehearsalFiles> {
  const all = getRehearsalsFolder(folders);
  await makePrivateFolder(all);
  for (const name of await readdir(all)) {
    const pid = Number(/^(\d+)(?:\.files)?$/.exec(name)?.[1]);
    if (Number.isNaN(pid) || isRehearsing(folders, pid)) continue;
    await rm(join(all, name), { recursive: true, force: true });
  }
  const folder = join(all, `${process.pid}.files`);
  const data = join(folder, "data");
  await makePrivateFolder(data);
  return {
    folder,
    base: join(folder, "base.db"),
    fork: join(folder, "fork.db"),
    data,
    file: join(folder, "rehearsal.json"),
  };
}

/** Directory for records of rejects files. */
const rejectsFolder = "rejects";
/** Directories that contain journals of finished runs, key maps and records of rejects files. */
const rememberedFolders = ["runs", "sync", rejectsFolder];

/** Copies voxctl's data about runs. Rehearsed commands use only these copies. */
export async function copyRemembered(folders: Folders, { data }: RehearsalFiles): Promise<void> {
  for (const name of rememberedFolders) {
    const from = join(folders.data, name);
    const files = await readdir(from).catch((): string[] => []);
    if (files.length === 0) continue;
    await makePrivateFolder(join(data, name));
    // A journal with a log file belongs to a run that is in progress or was killed. Only the real command can finish
    // it.
    const open = new Set(files.flatMap((file) => /^(.+)-(?:wal|journal)$/.exec(file)?.[1] ?? []));
    for (const file of files) {
      const path = join(from, file);
      if (open.has(file) || /-(?:wal|shm|journal)$|\.lock$/.test(file)) continue;
      if (!(await stat(path)).isFile()) continue;
      await copyFile(path, join(data, name, file), constants.COPYFILE_FICLONE);
    }
  }
}

/**
 * Keeps the records of rejects files that the rehearsed command wrote: these files are in the user's directories and
 * thus remain.
 */
export async function keepRejectsRecords(folders: Folders, { data }: RehearsalFiles): Promise<void> {
  const from = join(data, rejectsFolder);
  const names = await readdir(from).catch((): string[] => []);
  if (names.length === 0) return;
  await makePrivateFolder(join(folders.data, rejectsFolder));
  for (const name of names) await copyFile(join(from, name), join(folders.data, rejectsFolder, name));
}
