/** Reads a run's list of writes from its journal or, if the journal was deleted, from a separate list. */
import type { RunInfo } from "../../write/journal/list.js";
import type { Write } from "../../write/journal/writes.js";
import type { Session } from "../session/session.js";
import { readStoreSettings, type StoreSettings, withWorkingFolder } from "./store.js";
import { getRunsFolder } from "./target.js";

interface WriteSources {
  runs: readonly Pick<RunInfo, "id" | "started_at" | "member">[];
  readRun(id: string): Promise<Buffer | undefined>;
  kept: readonly string[];
  readKept(name: string): Promise<Buffer>;
}

interface ListedRun {
  name: string;
  id: string;
  /** See `RunOrigin`. Undefined for a deleted run: only its list of writes still contains the member. */
  member?: string | null;
  lists: (() => Promise<Buffer | undefined>)[];
}

export async function withWriteSources<T>(
  session: Session,
  work: (sources: WriteSources) => Promise<T>,
): Promise<T> {
  const settings = await readStoreSettings(session);
  return settings === undefined
    ? work(await localSources(getRunsFolder(session)))
    : withStoredSources(settings, work);
}

async function localSources(folder: string): Promise<WriteSources> {
  const { listKeptWrites, listRuns, readKeptWrites, readRun, readWrites } = await import(
    "../../write/index.js"
  );
  return {
    runs: await listRuns(folder),
    readRun: (id) => readRun(folder, id, (journal) => readWrites(journal)?.content),
    kept: await listKeptWrites(folder),
    readKept: (name) => readKeptWrites(folder, name),
  };
}

async function withStoredSources<T>(
  settings: StoreSettings,
  work: (sources: WriteSources) => Promise<T>,
): Promise<T> {
  const { listKeptSharedWrites, listSharedRuns, readKeptSharedWrites, readSharedWrites } = await import(
    "../../store/index.js"
  );
  return withWorkingFolder(settings, async (store, folder) =>
    work({
      runs: await listSharedRuns(store.connection),
      readRun: async (id) => (await readSharedWrites(store, id, folder)).writes?.content,
      kept: await listKeptSharedWrites(store),
      readKept: (name) => readKeptSharedWrites(store, name),
    }),
  );
}

export async function groupByRun({ runs, readRun, kept, readKept }: WriteSources): Promise<ListedRun[]> {
  const { nameRun, runOfWrites } = await import("../../write/index.js");
  const known = new Map<string, ListedRun>();
  const add = (run: Omit<ListedRun, "lists">, list: ListedRun["lists"][number]) => {
    const listed = { lists: [], ...known.get(run.name), ...run };
    listed.lists.push(list);
    known.set(run.name, listed);
  };
  for (const name of kept) add(runOfWrites(name), () => readKept(name));
  for (const run of runs) add({ id: run.id, member: run.member, name: nameRun(run) }, () => readRun(run.id));
  return [...known.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/**
 * @param onBusy receives the ID of a run that can't be read because another process on this machine uses it
 */
export async function* readWritesOf(
  runs: readonly ListedRun[],
  onBusy: (id: string) => void,
): AsyncGenerator<Write, void> {
  const { BulkError, mergeWrites, parseWrites } = await import("../../write/index.js");
  for (const { id, lists } of runs) {
    const writes: Iterable<Write>[] = [];
    for (const read of lists) {
      const content = await read().catch((error: unknown) => {
        if (!(error instanceof BulkError) || error.code !== "run_busy") throw error;
        onBusy(id);
      });
      if (content !== undefined) writes.push(parseWrites(content));
    }
    yield* mergeWrites(writes);
  }
}
