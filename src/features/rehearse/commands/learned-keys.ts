import { copyFile, readdir, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { rememberedCopies } from "../../../cli/profiles/rehearsal-file.js";
import type { Session } from "../../../cli/session/session.js";
import type { PlanHeader } from "../../../write/plan/format.js";
import type { RehearsedKeys, ResourceSteps } from "../../../write/plan/rehearsed-steps.js";
import type { KeyMap, RehearsedMap } from "../../sync/index.js";
import { getRememberedFolder, type RehearsalFiles } from "./rehearsal-files.js";

interface LearnedKeys {
  header: NonNullable<PlanHeader["keys"]>;
  keys: RehearsedKeys;
}

/**
 * Calls `work` with the keys that the rehearsed command saved, so that the plan file can contain them. Passes
 * undefined if no keys were saved.
 * @throws BulkError `keys_of_several_groups` if the command wrote several key maps
 */
export async function withLearnedKeys<T>(
  session: Session,
  files: RehearsalFiles,
  getStepsByResource: () => ReadonlyMap<string, ResourceSteps>,
  work: (learned: LearnedKeys | undefined) => Promise<T>,
): Promise<T> {
  const maps = await findChangedMaps(session, files);
  try {
    const [map, another] = maps;
    if (another !== undefined) {
      const { BulkError } = await import("../../../write/index.js");
      throw new BulkError(
        "keys_of_several_groups",
        `can't save a plan file: the command saved keys for ${maps.length} groups, but a plan can contain the keys of only one group`,
        "rehearse each group separately",
      );
    }
    const { keysOfRehearsal } = await import("../../sync/index.js");
    return await work(map === undefined ? undefined : keysOfRehearsal(map, getStepsByResource()));
  } finally {
    for (const { before, after } of maps) closeBoth(before, after);
  }
}

async function findChangedMaps(session: Session, files: RehearsalFiles): Promise<RehearsedMap[]> {
  const { isSameMap } = await import("../../sync/index.js");
  const changed: RehearsedMap[] = [];
  for await (const map of listMaps(session, files)) {
    if (isSameMap(map.before, map.after)) closeBoth(map.before, map.after);
    else changed.push(map);
  }
  return changed;
}

function closeBoth(before: KeyMap, after: KeyMap): void {
  before.close();
  after.close();
}

async function* listMaps(
  { folders, io }: Session,
  files: RehearsalFiles,
): AsyncGenerator<RehearsedMap, void> {
  const { openKeyMap, readKeyMapFile } = await import("../../sync/index.js");
  const { BulkError } = await import("../../../write/index.js");
  const names = await readdir(join(files.data, "sync")).catch((): string[] => []);
  for (const name of names.filter((entry) => /^[0-9a-f]+\.sqlite$/.test(entry))) {
    const before = join(files.folder, `before-${name}`);
    await copyDatabase(join(getRememberedFolder(folders, files), "sync", name), before);
    const after = join(files.data, "sync", name);
    yield { before: await openKeyMap(before), after: await openKeyMap(after), file: undefined };
  }
  for (const { path, copy } of rememberedCopies(files.data)) {
    let after: KeyMap;
    try {
      after = await readKeyMapFile(copy);
    } catch (error) {
      // Skip copies of other files, such as the lock file that `config` uses.
      if (error instanceof BulkError) continue;
      throw error;
    }
    const inside = relative(io.cwd, path);
    const isInside = inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
    const file = { given: isInside ? inside : path, directory: io.cwd };
    yield { before: await readKeyMapFile(path), after, file };
  }
}

/** Copies a database, unless a journal file shows that it is in use. */
async function copyDatabase(from: string, to: string): Promise<void> {
  for (const ending of ["-wal", "-journal"])
    if ((await stat(from + ending).catch(() => undefined)) !== undefined) return;
  await copyFile(from, to).catch(() => undefined);
}
