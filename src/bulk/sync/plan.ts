/** Decides what makes a group equal to a file, before anything is sent: rows, contacts that no row matches, guards. */
import { positionsOf } from "../contacts/headers.js";
import type { RunContext } from "../engine/context.js";
import { BulkError } from "../errors.js";
import { type Fields, fingerprintOf, isSame } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import { isSameInstant } from "../group/answers.js";
import { readOne } from "../group/remote.js";
import type { InputRow, RowProblem } from "../input-row.js";
import type { RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { type RunInfo, runsInto } from "../journal/list.js";
import { createExisting, type Existing, readings } from "../planning/existing.js";
import { placesOf, readMemory } from "../planning/memory.js";
import { createOwners, type Owners } from "../planning/owners.js";
import { compareAgain, type PlanWatch, planRows } from "../planning/plan.js";
import { columnList } from "../sources/header.js";
import { assertAllowed, assertFile, looksCut } from "./judge.js";
import { createRowKeys, type RowKeys } from "./keys.js";
import { createShield, hasValue, type Shield } from "./protection.js";
import type { StateTable } from "./state.js";
import type { LeftReason, SyncSubject, SyncTask } from "./task.js";
import { createWorkspace, keyIn, rowDigest, type Workspace } from "./workspace.js";

/** A contact that no row matches. */
interface Unmatched {
  id: string;
  record: Fields;
  /** Undefined: it is to be deleted. */
  reason: LeftReason | undefined;
  /** The row that protects it, or that it is a duplicate of. */
  row?: number | undefined;
}

/** The keys that a run without `--key` keeps for later ones. */
export interface LaterKeys {
  column: string;
  keyOf(id: string): string | undefined;
}

/** The decisions; the rows are in the journal. */
export interface SyncPlan {
  /** The things' fields, in the contract. */
  resource: string;
  subject: SyncSubject;
  keyedImport: SyncTask["keyedImport"];
  laterKeys: LaterKeys | undefined;
  journal: Journal;
  workspace: Workspace;
  existing: Existing;
  state: StateTable;
  unmatched(): Generator<Unmatched, void>;
  /** The rows whose contact was known by another key so far. */
  renamedKeys(): Iterable<{ former: string; key: string }>;
  /** Beside the last one the file looks cut, or it is empty. */
  looksCut(): boolean;
  /** @throws BulkError: what must not be sent */
  assertAllowed(reportPath: string): void;
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
  state: StateTable,
  laterKeys?: LaterKeys,
): Promise<SyncPlan> {
  const { groupId, keyColumn, subject, keyedImport } = task;
  const { onMatch } = keyedImport ?? { onMatch: "replace" as const };
  const isThere = groupId !== "";
  const { adapter } = subject;
  const { database } = journal;
  const workspace = createWorkspace(database);
  const existing = createExisting(database);
  const shield = createShield(database);
  const identity = identityOf(context, task);
  journal.setSetting("identity", identity);
  const column = keyColumn === undefined ? undefined : keyPosition(task, keyColumn);
  assertFile(task, state, undefined);

  readState(state, adapter, existing);
  const earlier = await runsInto(context.folder, { ...identity, kind: adapter.type }, "");
  await readMemory(context.folder, earlier, identity, adapter, existing);
  const keys =
    column === undefined
      ? undefined
      : createRowKeys({ journal, state, workspace, adapter, isPartial: keyedImport !== undefined });
  const watch: PlanWatch = {
    seen: ({ id, record }) => workspace.show(id, record),
    createdAt: (id) => textOf(workspace.shown(id)?.["created_at"]),
    keys,
  };
  await planRows(context, journal, {
    adapter,
    rows: () => keyedRows(task, column, { workspace, shield, state }),
    groupId: isThere ? groupId : undefined,
    onMatch,
    watch,
  });
  keys?.fileIsRead();
  if (isThere) await compareAgain(context, journal, adapter, groupId, onMatch, watch);
  const owners = createOwners(database);
  const parts = { journal, workspace, existing, state, owners, shield, adapter, task, keys };
  await readProtected(parts);
  await readWhole(context, parts);
  await assertNoneUnnamed(context, parts, earlier);
  const judged = () => ({
    ...{ task, journal, state, workspace, keys },
    ...{ size: existing.size(), unmatched: unmatched(parts) },
  });
  return {
    ...{ resource: adapter.type, subject, keyedImport, laterKeys },
    journal,
    workspace,
    existing,
    state,
    unmatched: () => unmatched(parts),
    renamedKeys: () => keys?.renamed() ?? [],
    // A file of some things is not what the next synchronization compares its own with.
    looksCut: () => keyedImport !== undefined || looksCut(judged()),
    assertAllowed: (reportPath) => assertAllowed(judged(), reportPath),
  };
}

interface Parts {
  journal: Journal;
  workspace: Workspace;
  existing: Existing;
  state: StateTable;
  owners: Owners;
  shield: Shield;
  adapter: ImportAdapter;
  task: SyncTask;
  keys: RowKeys | undefined;
}

/**
 * S1: a place that says nothing may be that of a thing which would be deleted. Earlier imports tell which thing came from
 * where; a place that none of them knows, and no thing of a synchronization may be of, was never imported.
 * @throws BulkError `file_incomplete`
 */
async function assertNoneUnnamed(
  { folder }: RunContext,
  parts: Parts,
  earlier: readonly RunInfo[],
): Promise<void> {
  const { subject, deletes, file } = parts.task;
  const [first] = subject.unnamed;
  if (first === undefined || !deletes) return;
  const going = [...unmatched(parts)].filter(({ reason }) => reason === undefined);
  if (going.length === 0) return;
  const places = await placesOf(folder, earlier);
  const { state, existing } = parts;
  const unsure = going.find(({ id, record }) => {
    const place = places.get(id);
    const last = state.byId(id);
    // A synchronization made it, and does not keep of which file; or nothing is known of any file.
    if (place === undefined)
      return places.size === 0 || last !== undefined || existing.known(id) !== undefined;
    // Its file may have got another name since the import.
    const shown = { name: record["name"], text: record["text"] };
    const isMoved =
      last !== undefined &&
      ![last.sent, shown].some((fields) => last.digest === rowDigest([], [place, fields]));
    return isMoved || subject.unnamed.includes(place);
  });
  if (unsure === undefined) return;
  const known = places.get(unsure.id) ?? "";
  const place = subject.unnamed.includes(known) ? known : first;
  throw new BulkError(
    "file_incomplete",
    `${file}: ${place} is empty, so which ${subject.noun} it was can't be told, and “${subject.textOf(unsure.record)}” would be deleted; nothing was sent`,
    "write its text, or remove the file; no flag lifts this",
  );
}

function identityOf(
  { baseUrl, requestStats }: RunContext,
  { groupId, subject, options, keyedImport }: SyncTask,
): RunIdentity {
  return {
    kind: `${subject.adapter.type}.sync`,
    base_url: baseUrl,
    world: requestStats.world,
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
    `its columns are ${columnList(subject.names)}`,
  );
}

/** Values that were sent and answered before count as known (T3). */
function readState(state: StateTable, adapter: ImportAdapter, existing: Existing): void {
  for (const { id, sent, answer } of state.all()) {
    if (id === null || Object.keys(sent).length === 0) continue;
    const fingerprint = fingerprintOf(adapter.fields, sent);
    existing.addKnown({ id, fingerprint, input: sent, answer }, adapter.keysOf(sent).indexed);
  }
}

/** The file's rows, each with its key; what is left of those that can't be used shields contacts. */
async function* keyedRows(
  { subject, keyColumn = "", acceptShrink }: SyncTask,
  column: number | undefined,
  { workspace, shield, state }: Pick<Parts, "workspace" | "shield" | "state">,
): AsyncGenerator<InputRow, void> {
  // S1: what may be cut within its last cell is not written as if it were whole.
  const lacksEnd = !acceptShrink && state.header()?.line_end === true && !subject.endsWithLineEnd;
  for await (const { source, row, marks } of subject.rows()) {
    const key = column === undefined ? undefined : keyIn(source, column);
    workspace.addRow(source, key);
    const keyed = withProblem(row, [
      ...(column !== undefined && key === undefined
        ? [{ field: keyColumn, value: "", reason: "the key is missing" }]
        : []),
      ...(lacksEnd && row.number === subject.rowCount ? [noLineEnd] : []),
    ]);
    if ("problems" in keyed.read || keyed.dropped !== undefined) shield.add(marks(), row.number);
    yield keyed;
  }
}

const noLineEnd: RowProblem = {
  field: "row",
  value: "",
  reason:
    "is the last row and lacks its line's end, which the last file had: it may be cut (--accept-shrink takes it)",
};

/** A row that can be read by itself, and yet is not to be used. */
function withProblem(row: InputRow, [problem, ...others]: RowProblem[]): InputRow {
  if (problem === undefined || "problems" in row.read) return row;
  return { ...row, read: { problems: [problem, ...others] } };
}

const protectMark = 0;

/** Marks what `--protect` names. */
async function readProtected({ task, shield, state, journal }: Parts): Promise<void> {
  const { protectFile, keyColumn } = task;
  journal.database.exec("CREATE TABLE protected (id TEXT PRIMARY KEY) WITHOUT ROWID");
  if (protectFile === undefined) return;
  const [column] = keyColumn === undefined ? [] : positionsOf(protectFile.names, keyColumn);
  const protect = journal.database.prepare("INSERT OR IGNORE INTO protected VALUES (?)");
  for await (const { source, marks } of protectFile.rows()) {
    const key = column === undefined ? undefined : keyIn(source, column);
    const id = key === undefined ? undefined : state.byKey(key)?.id;
    if (id !== undefined && id !== null) protect.run(id);
    shield.add(marks(), protectMark);
  }
}

/**
 * The things that are to be deleted, as a get shows them: a list may leave parts out, and right before the delete each is
 * compared with this; an undo makes it again so.
 */
async function readWhole(context: RunContext, parts: Parts): Promise<void> {
  const { adapter, workspace, existing } = parts;
  for (const { id } of [...unmatched(parts)].filter(({ reason }) => reason === undefined)) {
    const item = await readOne(context, adapter, id);
    if (item === undefined) existing.forget(id);
    else workspace.show(id, item.record);
  }
}

function* unmatched(parts: Parts): Generator<Unmatched, void> {
  const { existing, owners, workspace, task } = parts;
  if (task.keyedImport !== undefined) return;
  for (const { id, value, readings: seen } of existing.all()) {
    if (owners.rowOf(id) !== undefined) continue;
    // T7: what only one of two readings showed is left alone.
    if (seen !== readings.both) continue;
    const record = workspace.shown(id) ?? value;
    yield { id, record, ...reasonFor(parts, id, record) };
  }
}

/** Why a contact that no row matches stays; undefined: it goes. */
function reasonFor(
  { task, state, shield, existing, adapter, keys, journal }: Parts,
  id: string,
  record: Fields,
): Pick<Unmatched, "reason" | "row"> {
  const known = state.byId(id);
  const row = known?.key ? keys?.rowOf(known.key) : undefined;
  // Its key stands in the file, though the row can't be used.
  if (row !== undefined) return { reason: "row_unusable", row };
  const isProtected =
    journal.database.prepare("SELECT 1 FROM protected WHERE id = ?").get(id) !== undefined ||
    task.protectWhere.some((where) => hasValue(record, where));
  if (isProtected) return { reason: "protected" };
  const shielding = shield.rowFor(task.subject.marksOf(record));
  if (shielding === protectMark) return { reason: "protected" };
  if (shielding !== undefined) return { reason: "row_unusable", row: shielding };
  const duplicate = existing.earlierRow(adapter.keysOf(record).wanted[0] ?? []);
  if (duplicate !== undefined && !task.deletesDuplicates)
    return { reason: "duplicate_contact", row: duplicate.number };
  if (duplicate === undefined && !task.deletes) return { reason: "not_in_file" };
  if (!task.deletesNewer) {
    const written =
      known === undefined ? existing.known(id)?.answer : known.written ? known.answer : undefined;
    const newer = newerReason(task, written, record, known !== undefined);
    if (newer !== undefined) return { reason: newer };
  }
  return { reason: undefined, ...(duplicate === undefined ? {} : { row: duplicate.number }) };
}

/** S5: what others made or changed after the file was made is no reason to delete it. */
function newerReason(
  { madeAt, subject: { adapter } }: SyncTask,
  answered: Fields | undefined,
  record: Fields,
  isKnown: boolean,
): LeftReason | undefined {
  // Indexing moves the time of a change, too, so that of what lists leave parts out the content tells.
  const isIndexed = adapter.unlisted.length > 0;
  const updated = isIndexed ? undefined : timeOf(record["updated_at"]);
  const changed = updated ?? timeOf(record["created_at"]);
  if (changed === undefined) return isKnown ? undefined : "no_time";
  if (answered !== undefined && isIndexed)
    return isAsAnswered(adapter, answered, record) ? undefined : "newer";
  if (answered !== undefined && isOwn(adapter, answered, record)) return undefined;
  return changed >= madeAt ? "newer" : undefined;
}

/** The last change was this group's own: the thing is as its answer showed it. */
function isOwn(adapter: ImportAdapter, answered: Fields, record: Fields): boolean {
  const time = timeOf(answered["updated_at"]);
  return (
    time !== undefined &&
    isSameInstant(answered["updated_at"], record["updated_at"]) &&
    isAsAnswered(adapter, answered, record)
  );
}

function isAsAnswered({ fields }: ImportAdapter, answered: Fields, record: Fields): boolean {
  return fields.every((field) => !(field in record) || isSame(answered[field], record[field]));
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
