/** Plans a sync of a file with a group. Sends only read requests. */

import type { RunContext } from "../../write/engine/context.js";
import { BulkError } from "../../write/errors.js";
import { createExisting, type Existing } from "../../write/existing.js";
import { fingerprintOf } from "../../write/fields.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { RunIdentity } from "../../write/journal/identity.js";
import type { Journal } from "../../write/journal/journal.js";
import { runsInto } from "../../write/journal/list.js";
import { positionsOf } from "../import/contacts/headers.js";
import { readMemory } from "../import/planning/memory.js";
import { createOwners } from "../import/planning/owners.js";
import { compareAgain, type PlanWatch, planRows } from "../import/planning/plan.js";
import { columnList } from "../import/sources/header.js";
import { assertAllowed, assertFile, looksCut } from "./judge.js";
import type { KeyMap } from "./key-map.js";
import { protectingRows, readProtected } from "./keyed-rows.js";
import { createRowKeys, type RowKeys } from "./keys.js";
import type { LaterKeys } from "./known-keys.js";
import { markedRows } from "./protection.js";
import type { SyncSubject, SyncTask } from "./task.js";
import { assertNoneUnnamed, readWhole, type Unmatched, unmatched } from "./unmatched.js";
import { createWorkspace, type Workspace } from "./workspace.js";

export interface PlannedRows {
  adapter: ImportAdapter;
  journal: Journal;
  workspace: Workspace;
  existing: Existing;
  keyMap: KeyMap;
  laterKeys?: LaterKeys | undefined;
  isUncompared?: boolean;
  /**
   * Returns whether the file is empty, truncated or partial, so that the next file must not be compared with
   * it.
   */
  isPartial(): boolean;
  unmatched(): Iterable<Unmatched>;
}

/** A planned sync. */
export interface SyncPlan extends PlannedRows {
  subject: SyncSubject;
  renamedKeys(): Iterable<{ former: string; key: string }>;
  /** @throws BulkError if a safety check fails */
  assertAllowed(resultsPath: string): void;
}

/**
 * Reads the file once and the group twice, and decides what to do with each row and contact.
 * @param journal new journal for this plan only
 * @throws BulkError
 */
export async function planSync(
  context: RunContext,
  task: SyncTask,
  journal: Journal,
  keyMap: KeyMap,
  laterKeys?: LaterKeys,
): Promise<SyncPlan> {
  const { groupId, keyColumn, subject } = task;
  const onMatch = "replace";
  const { adapter } = subject;
  const { database } = journal;
  const workspace = createWorkspace(database);
  const existing = createExisting(database);
  const shield = markedRows(database, "shielded");
  const named = markedRows(database, "named");
  const identity = identityOf(context, task);
  journal.setSetting("identity", identity);
  const column = keyColumn === undefined ? undefined : keyPosition(task, keyColumn);
  assertFile(task, keyMap, undefined);

  addKnownRows(keyMap, adapter, existing);
  const earlier = await runsInto(context.folder, { ...identity, kind: adapter.type }, "");
  await readMemory(context.folder, earlier, identity, adapter, existing);
  const keys = column === undefined ? undefined : createRowKeys({ journal, keyMap, workspace, adapter });
  const watch = createWatch(workspace, keys);
  const rows = () => protectingRows(task, column, { workspace, shield, named, keyMap });
  await planRows(context, journal, { adapter, rows, groupId, onMatch, watch });
  keys?.fileIsRead();
  await compareAgain(context, journal, adapter, groupId, onMatch, watch);
  const owners = createOwners(database);
  const parts = { journal, workspace, existing, keyMap, owners, shield, named, adapter, task, keys };
  await readProtected(task, parts);
  await readWhole(context, parts);
  await assertNoneUnnamed(context, parts, earlier);
  const judged = () => ({
    ...{ task, journal, keyMap, workspace, keys },
    ...{ size: existing.size(), unmatched: unmatched(parts) },
  });
  return {
    ...{ subject, adapter, journal, workspace, existing, keyMap, laterKeys },
    isPartial: () => looksCut(judged()),
    unmatched: () => unmatched(parts),
    renamedKeys: () => keys?.renamed() ?? [],
    assertAllowed: (resultsPath) => assertAllowed(judged(), resultsPath),
  };
}

function identityOf(
  { baseUrl, requestStats }: RunContext,
  { groupId, subject, options }: SyncTask,
): RunIdentity {
  return {
    kind: `${subject.adapter.type}.sync`,
    base_url: baseUrl,
    world: requestStats.emulatorId,
    group_id: groupId,
    digest: subject.digest,
    options: { ...options, on_match: "replace" },
  };
}

export function createWatch(workspace: Workspace, keys: RowKeys | undefined): PlanWatch {
  return {
    seen: ({ id, record }) => workspace.show(id, record),
    createdAt: (id) => textOf(workspace.shown(id)?.["created_at"]),
    keys,
  };
}

/** @throws BulkError if the file lacks the column */
export function keyPosition({ subject, file }: Pick<SyncTask, "subject" | "file">, column: string): number {
  const [position] = positionsOf(subject.names, column);
  if (position !== undefined) return position;
  throw new BulkError(
    "unknown_column",
    `--key: ${file} has no column "${column}"`,
    `use one of the file's columns: ${columnList(subject.names)}`,
  );
}

/** Adds the values that earlier runs sent, and the responses, so that unchanged values are not sent again. */
export function addKnownRows(keyMap: KeyMap, adapter: ImportAdapter, existing: Existing): void {
  for (const { id, sent, answer } of keyMap.all()) {
    if (id === null || Object.keys(sent).length === 0) continue;
    const fingerprint = fingerprintOf(adapter.fields, sent);
    existing.addKnown({ id, fingerprint, input: sent, answer }, adapter.keysOf(sent).indexed);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
