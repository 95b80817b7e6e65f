import { copyFile, readdir, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { PlanHeader } from "../../../bulk/plan/format.js";
import type { RehearsedKeys, ThingSteps } from "../../../bulk/plan/rehearsed-steps.js";
import type { StateTable } from "../../../bulk/sync/index.js";
import { rememberedCopies } from "../../profiles/rehearsal-file.js";
import type { Session } from "../../session/session.js";
import type { RehearsalPlace } from "./place.js";

interface LearnedKeys {
  header: NonNullable<PlanHeader["keys"]>;
  keys: RehearsedKeys;
}

interface LearnedMap {
  before: StateTable;
  after: StateTable;
  file: { given: string; directory: string } | undefined;
}

/**
 * Runs `work` with the map of keys that the rehearsed command wrote, so that the plan writes the real one (R2a);
 * undefined if it wrote none.
 * @throws BulkError `keys_of_several_groups`: a plan has one map
 */
export async function withLearnedKeys<T>(
  session: Session,
  place: RehearsalPlace,
  things: () => ReadonlyMap<string, ThingSteps>,
  work: (learned: LearnedKeys | undefined) => Promise<T>,
): Promise<T> {
  const maps = await changedMaps(session, place);
  try {
    const [map, another] = maps;
    if (another !== undefined) {
      const { BulkError } = await import("../../../bulk/index.js");
      throw new BulkError(
        "keys_of_several_groups",
        `cannot seal a plan: the command saved keys of ${maps.length} groups, and a plan can contain those of one`,
        "rehearse each group separately",
      );
    }
    const { keysOfRehearsal } = await import("../../../bulk/sync/index.js");
    return await work(map === undefined ? undefined : keysOfRehearsal(map, things()));
  } finally {
    for (const { before, after } of maps) closeBoth(before, after);
  }
}

async function changedMaps(session: Session, place: RehearsalPlace): Promise<LearnedMap[]> {
  const { isSameMap } = await import("../../../bulk/sync/index.js");
  const changed: LearnedMap[] = [];
  for await (const map of mapsIn(session, place)) {
    if (isSameMap(map.before, map.after)) closeBoth(map.before, map.after);
    else changed.push(map);
  }
  return changed;
}

function closeBoth(before: StateTable, after: StateTable): void {
  before.close();
  after.close();
}

/** The maps in the rehearsal's data directory, and the copies of the user's own. */
async function* mapsIn({ folders, io }: Session, place: RehearsalPlace): AsyncGenerator<LearnedMap, void> {
  const { openStateTable, readStateFile } = await import("../../../bulk/sync/index.js");
  const { BulkError } = await import("../../../bulk/index.js");
  const names = await readdir(join(place.data, "sync")).catch((): string[] => []);
  for (const name of names.filter((entry) => /^[0-9a-f]+\.sqlite$/.test(entry))) {
    const before = join(place.folder, `before-${name}`);
    await copyWhole(join(folders.data, "sync", name), before);
    const after = join(place.data, "sync", name);
    yield { before: await openStateTable(before), after: await openStateTable(after), file: undefined };
  }
  for (const { path, copy } of rememberedCopies(place.data)) {
    let after: StateTable;
    try {
      after = await readStateFile(copy);
    } catch (error) {
      // Another kind of file, such as the lock of a configuration.
      if (error instanceof BulkError) continue;
      throw error;
    }
    const inside = relative(io.cwd, path);
    const isInside = inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
    const file = { given: isInside ? inside : path, directory: io.cwd };
    yield { before: await readStateFile(path), after, file };
  }
}

/** A file beside which a log lies is being written: its content can't be copied. */
async function copyWhole(from: string, to: string): Promise<void> {
  for (const ending of ["-wal", "-journal"])
    if ((await stat(from + ending).catch(() => undefined)) !== undefined) return;
  await copyFile(from, to).catch(() => undefined);
}
