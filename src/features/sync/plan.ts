/**
 * Plans how to update a group to match a file, before anything is sent: rows, contacts without a row, guards.
 */

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
import { keyedRows, readProtected } from "./keyed-rows.js";
import { createRowKeys } from "./keys.js";
import { markedRows } from "./protection.js";
import type { SyncSubject, SyncTask } from "./task.js";
import { assertNoneUnnamed, readWhole, type Unmatched, unmatched } from "./unmatched.js";
import { createWorkspace, type Workspace } from "./workspace.js";

/** The keys that a run without `--key` keeps for later ones. */
export interface LaterKeys {
  column: string;
  keyOf(id: string): string | undefined;
}

/** The decisions; the rows are in the journal. */
export interface SyncPlan {
  /** The resource type in the contract, with its fields. */
  resource: string;
  subject: SyncSubject;
  keyedImport: SyncTask["keyedImport"];
  laterKeys: LaterKeys | undefined;
  journal: Journal;
  workspace: Workspace;
  existing: Existing;
  keyMap: KeyMap;
  unmatched(): Generator<Unmatched, void>;
  /** The rows whose contact was known by another key before. */
  renamedKeys(): Iterable<{ former: string; key: string }>;
  /** Returns whether the file looks truncated compared with the last one, or is empty. */
  looksCut(): boolean;
  /** @throws BulkError if the plan must not be sent */
  assertAllowed(resultsPath: string): void;
}

/**
 * Reads file and group, the group twice (T7, T21), and decides about each row and each contact.
 * @param journal a new one, for this planning alone
 * @throws BulkError
 */
export async function planSync(
  context: RunContext,
  task: SyncTask,
  journal: Journal,
  keyMap: KeyMap,
  laterKeys?: LaterKeys,
): Promise<SyncPlan> {
  const { groupId, keyColumn, subject, keyedImport } = task;
  const { onMatch } = keyedImport ?? { onMatch: "replace" as const };
  const hasGroup = groupId !== "";
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
  const watch: PlanWatch = {
    seen: ({ id, record }) => workspace.show(id, record),
    createdAt: (id) => textOf(workspace.shown(id)?.["created_at"]),
    keys,
  };
  await planRows(context, journal, {
    adapter,
    rows: () => keyedRows(task, column, { workspace, shield, named, keyMap }),
    groupId: hasGroup ? groupId : undefined,
    onMatch,
    watch,
  });
  keys?.fileIsRead();
  if (hasGroup) await compareAgain(context, journal, adapter, groupId, onMatch, watch);
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
    ...{ resource: adapter.type, subject, keyedImport, laterKeys },
    journal,
    workspace,
    existing,
    keyMap,
    unmatched: () => unmatched(parts),
    renamedKeys: () => keys?.renamed() ?? [],
    // A partial file is not the one that the next synchronization compares its file with.
    looksCut: () => keyedImport !== undefined || looksCut(judged()),
    assertAllowed: (resultsPath) => assertAllowed(judged(), resultsPath),
  };
}

function identityOf(
  { baseUrl, requestStats }: RunContext,
  { groupId, subject, options, keyedImport }: SyncTask,
): RunIdentity {
  return {
    kind: `${subject.adapter.type}.sync`,
    base_url: baseUrl,
    world: requestStats.emulatorId,
    group_id: groupId,
    digest: subject.digest,
    options: { ...options, on_match: keyedImport?.onMatch ?? "replace" },
  };
}

/** @throws BulkError for a column that the file lacks */
function keyPosition({ subject, file }: SyncTask, column: string): number {
  const [position] = positionsOf(subject.names, column);
  if (position !== undefined) return position;
  throw new BulkError(
    "unknown_column",
    `--key: ${file} has no column “${column}”`,
    `use one of its columns: ${columnList(subject.names)}`,
  );
}

/** Values that were sent and shown in a response before count as known (T3). */
function addKnownRows(keyMap: KeyMap, adapter: ImportAdapter, existing: Existing): void {
  for (const { id, sent, answer } of keyMap.all()) {
    if (id === null || Object.keys(sent).length === 0) continue;
    const fingerprint = fingerprintOf(adapter.fields, sent);
    existing.addKnown({ id, fingerprint, input: sent, answer }, adapter.keysOf(sent).indexed);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
