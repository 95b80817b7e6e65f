import { dirname } from "node:path";
import type { Database } from "../../base/database.js";
import { attributableAnswer } from "../../write/answered.js";
import { createExisting } from "../../write/existing.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { OnMatch } from "../../write/input-row.js";
import { withTemporaryJournal } from "../../write/journal/folder.js";
import { identityOf, type RunIdentity } from "../../write/journal/identity.js";
import type { Item } from "../../write/journal/item.js";
import type { Journal } from "../../write/journal/journal.js";
import { type GroupKeys, keysOf } from "../../write/plan/format.js";
import { recordOf } from "../../write/values.js";
import { positionsOf } from "../import/contacts/headers.js";
import type { ImportKeys, NewRunKeys, ResumeKeys, RunKeys } from "../import/imports/keys.js";
import { perShape } from "../import/sources/shapes.js";
import type { SourceRow } from "../import/sources/types.js";
import { assertKeys } from "./judge.js";
import { type KeyMap, openKeyMap } from "./key-map.js";
import type { KeyMapStore } from "./key-map-store.js";
import { rowsWithKeys } from "./keyed-rows.js";
import { createRowKeys, type RowKeys } from "./keys.js";
import { copyWithoutKeys, findKnownKeys, reportRenamedKeys } from "./known-keys.js";
import { assertKeyMapOf, createLearner, type KeyMapLocation, openKeyMapStore } from "./learn.js";
import { addKnownRows, createWatch, keyPosition, type PlannedRows } from "./plan.js";
import { fileRowsOf, keysOfPlan, planLinesOf } from "./steps.js";
import type { SyncSubject } from "./task.js";
import { assertNoUnfinishedImport, assertNoUnfinishedSync } from "./unfinished.js";
import { createWorkspace, keyIn } from "./workspace.js";

export interface KeyedFile {
  subject: SyncSubject;
  /** Path as typed. */
  file: string;
  keyColumn: string;
}

interface ImportKeysOptions extends KeyedFile {
  location: KeyMapLocation;
  /** ID of the group; empty if the group doesn't exist yet. */
  groupId: string;
  groupName: string;
  /** Key map file from --state: path as typed, base directory and full path. */
  stateFile: { given: string; directory: string; path: string } | undefined;
  onMatch: OnMatch;
  acceptNewMap: boolean;
  acceptRekey: boolean;
  remark(text: string): void;
}

export function createImportKeys(options: ImportKeysOptions): ImportKeys {
  const { location, subject, keyColumn, stateFile } = options;
  return {
    options: { key: keyColumn, ...(stateFile === undefined ? {} : { state: stateFile.path }) },
    begin: (journal) => beginKeys(options, journal),
    resume: createKeysResumer(location, () => subject.adapter),
  };
}

/**
 * Checks a file's keys before the import creates its group.
 * @param sources verbatim rows of the file
 * @param folder directory for temporary files
 * @throws BulkError `unknown_column`, `duplicate_key`
 */
export async function assertKeysOfFile(
  file: KeyedFile,
  sources: AsyncIterable<SourceRow>,
  folder: string,
): Promise<void> {
  const column = keyPosition(file, file.keyColumn);
  await withTemporaryJournal(folder, "voxctl-", async ({ database }) => {
    database.begin();
    try {
      if (!(await hasRepeatedKey(file, sources, database))) return;
      // `rowsWithKeys` throws if rows with the same key differ in any column.
      for await (const _ of rowsWithKeys({ ...file, column }, createWorkspace(database)));
    } finally {
      database.commit();
    }
  });
}

async function hasRepeatedKey(
  { keyColumn, subject }: KeyedFile,
  sources: AsyncIterable<SourceRow>,
  database: Database,
): Promise<boolean> {
  database.exec("CREATE TABLE keys (key TEXT PRIMARY KEY) WITHOUT ROWID");
  const add = database.prepare("INSERT OR IGNORE INTO keys VALUES (?)");
  const positionIn = perShape((names) => positionsOf(names, keyColumn)[0]);
  let count = 0;
  for await (const source of sources) {
    count += 1;
    // Rows after the file's last contact are notes or totals.
    if (count > subject.rowCount) return false;
    const position = positionIn(source.names);
    const key = position === undefined ? undefined : keyIn(source, position);
    if (key !== undefined && add.run(key) === 0) return true;
  }
  return false;
}

async function beginKeys(options: ImportKeysOptions, journal: Journal): Promise<NewRunKeys> {
  const { location, groupId, groupName, stateFile, subject, keyColumn, onMatch, remark } = options;
  const { adapter } = subject;
  const store = openKeyMapStore(location, groupId, stateFile?.path);
  try {
    await assertNoneUnfinished(journal, remark);
    const column = keyPosition(options, keyColumn);
    const kept = groupId === "" ? await openKeyMap(":memory:") : await store.load();
    assertKeyMapOf(kept, location.baseUrl, groupId, groupName);
    const { keyMap } = await findKnownKeys(kept, options, remark);
    const rows = plannedRows(journal, { adapter, keyMap, onMatch });
    const { workspace, existing } = rows;
    const keys = keysOfPlan(rows, { groupId, keyColumn, file: undefined }, stateFile);
    journal.setSetting("keys", keys);
    journal.setSetting("drops_keys", keyMap !== kept);
    if (stateFile !== undefined) journal.setSetting("state_file", stateFile.path);
    addKnownRows(keyMap, adapter, existing);
    const rowKeys = createRowKeys({ journal, keyMap, workspace, adapter });
    return {
      ...createRunKeys(rows, rowKeys, { location, store, kept, keys }),
      rows: () => keyedRows({ subject, keyColumn, column }, workspace),
      endFile: rowKeys.fileIsRead,
      assertAllowed() {
        assertKeys({ journal, keyMap, workspace, keys: rowKeys, size: existing.size() }, options);
        reportRenamedKeys(rowKeys.renamed(), remark);
      },
      sealed: () => ({ keys, lines: planLinesOf(rows, groupId) }),
    };
  } catch (error) {
    store.release();
    throw error;
  }
}

/** A dry run has no run ID, so it skips this check. */
async function assertNoneUnfinished(journal: Journal, remark: (text: string) => void): Promise<void> {
  const [identity, id] = [identityOf(journal), journal.setting("id")];
  if (identity === undefined || typeof id !== "string") return;
  const options = { folder: dirname(journal.path), remark };
  await assertNoUnfinishedSync(identity, options);
  await assertNoUnfinishedImport(identity, id, options);
}

export function createKeysResumer(
  location: KeyMapLocation,
  adapterOf: (identity: RunIdentity) => ImportAdapter | undefined,
): ResumeKeys {
  return async (journal) => {
    const keys = keysOf(journal.setting("keys"));
    const identity = identityOf(journal);
    const adapter = identity && adapterOf(identity);
    if (keys === undefined || adapter === undefined || typeof keys.group_id !== "string") return undefined;
    const stateFile = journal.setting("state_file");
    const store = openKeyMapStore(
      location,
      keys.group_id,
      typeof stateFile === "string" ? stateFile : undefined,
    );
    try {
      const kept = await store.load();
      assertKeyMapOf(kept, location.baseUrl, keys.group_id);
      const keyMap = journal.setting("drops_keys") === true ? await copyWithoutKeys(kept) : kept;
      const { on_match } = recordOf(identity?.options);
      const rows = plannedRows(journal, { adapter, keyMap, onMatch: on_match });
      const rowKeys = createRowKeys({ journal, keyMap, workspace: rows.workspace, adapter });
      rowKeys.fileIsRead();
      const groupKeys = { ...keys, group_id: keys.group_id };
      return createRunKeys(rows, rowKeys, { location, store, kept, keys: groupKeys });
    } catch (error) {
      store.release();
      throw error;
    }
  };
}

async function* keyedRows(...file: Parameters<typeof rowsWithKeys>) {
  for await (const { row } of rowsWithKeys(...file)) yield row;
}

/** Treats the file as partial, because the file of an import may lack contacts of the group. */
function plannedRows(
  journal: Journal,
  { adapter, keyMap, onMatch }: { adapter: ImportAdapter; keyMap: KeyMap; onMatch: unknown },
): PlannedRows {
  const { database } = journal;
  const workspace = createWorkspace(database);
  const existing = createExisting(database);
  const isUncompared = onMatch === "skip";
  return {
    ...{ adapter, journal, workspace, existing, keyMap, isUncompared },
    isPartial: () => true,
    unmatched: () => [],
  };
}

interface OpenMap {
  location: KeyMapLocation;
  store: KeyMapStore;
  kept: KeyMap;
  keys: GroupKeys;
}

function createRunKeys(
  rows: PlannedRows,
  rowKeys: RowKeys,
  { location, store, kept, keys }: OpenMap,
): RunKeys {
  const { journal, workspace } = rows;
  return {
    watch: createWatch(workspace, rowKeys),
    learn: () =>
      createLearner(location, { store, table: kept }).applied({
        planId: String(journal.setting("id")),
        keys,
        stateFile: undefined,
        rows: () => fileRowsOf(rows, (item) => writtenBy(journal, item)),
        results: () => [],
      }),
    release: store.release,
  };
}

/** Returns the sent fields of a row and the response, for the key map. Both are empty if the write failed. */
function writtenBy(journal: Journal, item: Item) {
  if (item.action === undefined) return undefined;
  if (item.state !== "done") return { sent: {}, answer: {}, written: false };
  const sent = recordOf(item.input);
  return { sent, answer: attributableAnswer(journal, item, sent), written: true };
}
