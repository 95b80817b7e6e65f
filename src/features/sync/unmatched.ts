import { parseTimestamp } from "../../base/time-text.js";
import type { RunContext } from "../../write/engine/context.js";
import { BulkError } from "../../write/errors.js";
import { type Existing, readings } from "../../write/existing.js";
import { type Fields, isSame } from "../../write/fields.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import { isSameInstant } from "../../write/group/changed-fields.js";
import type { Journal } from "../../write/journal/journal.js";
import type { RunInfo } from "../../write/journal/list.js";
import { readResource } from "../../write/remote.js";
import { recordOf } from "../../write/values.js";
import { findSourceFiles } from "../import/planning/memory.js";
import type { Owners } from "../import/planning/owners.js";
import type { KeyMap } from "./key-map.js";
import type { RowKeys } from "./keys.js";
import { type MarkedRows, protectMark } from "./protection.js";
import type { LeftReason, SyncTask } from "./task.js";
import { rowDigest, type Workspace } from "./workspace.js";

export interface Unmatched {
  id: string;
  record: Fields;
  /** Why the resource is kept; undefined if the resource will be deleted. */
  reason: LeftReason | undefined;
  /** Number of the row because of which the contact is kept, or is deleted as a duplicate. */
  row?: number | undefined;
}

interface Parts {
  journal: Journal;
  workspace: Workspace;
  existing: Existing;
  keyMap: KeyMap;
  owners: Owners;
  shield: MarkedRows;
  named: MarkedRows;
  adapter: ImportAdapter;
  task: SyncTask;
  keys: RowKeys | undefined;
}

/**
 * Reads by ID the resources that will be deleted, because a list may omit fields. Before each deletion, the
 * resource is compared with this data; an undo restores it from this data.
 */
export async function readWhole(context: RunContext, parts: Parts): Promise<void> {
  const { adapter, workspace, existing } = parts;
  for (const { id } of [...unmatched(parts)].filter(({ reason }) => reason === undefined)) {
    const record = await readResource(context, adapter.type, id);
    if (record === null) existing.forget(id);
    else workspace.show(id, record);
  }
}

export function* unmatched(parts: Parts): Generator<Unmatched, void> {
  const { existing, owners, workspace } = parts;
  const candidates = candidatesIn(parts.journal);
  for (const { id, value, readings: seen } of existing.all()) {
    if (owners.rowOf(id) !== undefined) continue;
    // Keep a resource that was missing from one of the two readings.
    if (seen !== readings.both) continue;
    const record = workspace.shown(id) ?? value;
    const row = candidates.get(id);
    if (row !== undefined) yield { id, record, reason: "row_unusable", row };
    else yield { id, record, ...reasonFor(parts, id, record) };
  }
}

function candidatesIn(journal: Journal): Map<string, number> {
  const rows = new Map<string, number>();
  const items = journal.database.prepare(
    "SELECT number, candidate.value AS id FROM items, json_each(detail, '$.candidates') AS candidate WHERE outcome = 'ambiguous'",
  );
  for (const { number, id } of items.iterate()) rows.set(String(id), Number(number));
  return rows;
}

/** Returns why to keep a contact. The reason is undefined if the contact will be deleted. */
function reasonFor(
  { task, keyMap, shield, named, existing, adapter, keys, journal }: Parts,
  id: string,
  record: Fields,
): Pick<Unmatched, "reason" | "row"> {
  const known = keyMap.byId(id);
  const row = known?.key ? keys?.rowOf(known.key) : undefined;
  // The file contains this key, but the row is invalid.
  if (row !== undefined) return { reason: "row_unusable", row };
  const isProtected = journal.database.prepare("SELECT 1 FROM protected WHERE id = ?").get(id) !== undefined;
  if (isProtected) return { reason: "protected" };
  const shielding = shield.rowFor(task.subject.marksOf(record));
  if (shielding === protectMark) return { reason: "protected" };
  if (shielding !== undefined) {
    const { outcome, detail } = journal.item(shielding) ?? {};
    const isWhole = outcome !== "invalid" && recordOf(detail)["dropped"] === undefined;
    return { reason: isWhole ? "row_without_number" : "row_unusable", row: shielding };
  }
  // If the contact's key is known, the contact can't be a duplicate: rows with keys don't match by content.
  const isKnownByKey = keys !== undefined && typeof known?.key === "string";
  const [surest = []] = isKnownByKey ? [] : adapter.keysOf(record).lookup;
  const duplicate = existing.earlierRow(surest) ?? existing.findDroppedRow(surest);
  // Two contacts can share a number. If the file has a row for each of them, neither contact may be deleted.
  const own = duplicate && named.rowFor(task.subject.namesOf(record));
  if (own !== undefined && own !== duplicate?.number) return { reason: "row_unusable", row: own };
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

/** Returns why to keep a resource that other users may have changed since the file was last changed. */
function newerReason(
  { madeAt, subject: { adapter } }: SyncTask,
  responseData: Fields | undefined,
  record: Fields,
  isKnown: boolean,
): LeftReason | undefined {
  // For types that the service indexes, compare the content: indexing also changes the update time.
  const isIndexed = adapter.unlisted.length > 0;
  const updated = isIndexed ? undefined : parseTimestamp(record["updated_at"]);
  const changed = updated ?? parseTimestamp(record["created_at"]);
  if (changed === undefined) return isKnown ? undefined : "no_time";
  if (responseData !== undefined && isIndexed)
    return isUnchanged(adapter, responseData, record) ? undefined : "newer";
  if (responseData !== undefined && isOwn(adapter, responseData, record)) return undefined;
  return changed >= madeAt ? "newer" : undefined;
}

/**
 * Returns whether a run made the last change to a resource. If so, the resource equals the response to the
 * run's write.
 */
function isOwn(adapter: ImportAdapter, responseData: Fields, record: Fields): boolean {
  const time = parseTimestamp(responseData["updated_at"]);
  return (
    time !== undefined &&
    isSameInstant(responseData["updated_at"], record["updated_at"]) &&
    isUnchanged(adapter, responseData, record)
  );
}

function isUnchanged({ fields }: ImportAdapter, responseData: Fields, record: Fields): boolean {
  return fields.every((field) => !(field in record) || isSame(responseData[field], record[field]));
}

/**
 * Throws if a file in the directory is empty, because an item that will be deleted may have been in this
 * file. An item that an earlier import read from another file can be deleted.
 * @throws BulkError `file_incomplete`
 */
export async function assertNoneUnnamed(
  { folder }: RunContext,
  parts: Parts,
  earlier: readonly RunInfo[],
): Promise<void> {
  const { subject, deletes, file } = parts.task;
  const [first] = subject.unnamed;
  if (first === undefined || !deletes) return;
  const going = [...unmatched(parts)].filter(({ reason }) => reason === undefined);
  if (going.length === 0) return;
  const sourceFiles = await findSourceFiles(folder, earlier);
  const unsure = going.find(({ id, record }) => {
    const sourceFile = sourceFiles.get(id);
    // The item's file is unknown, because a sync or another user created the item.
    if (sourceFile === undefined) return true;
    const last = parts.keyMap.byId(id);
    // The item may have been moved to another file since the import.
    const shown = { name: record["name"], text: record["text"] };
    const isMoved =
      last !== undefined &&
      ![last.sent, shown].some((fields) => last.digest === rowDigest([], [sourceFile, fields]));
    return isMoved || subject.unnamed.includes(sourceFile);
  });
  if (unsure === undefined) return;
  const known = sourceFiles.get(unsure.id) ?? "";
  const emptyFile = subject.unnamed.includes(known) ? known : first;
  throw new BulkError(
    "file_incomplete",
    `${file}: ${emptyFile} is empty, so its ${subject.noun} is unknown and "${subject.textOf(unsure.record)}" might be deleted by mistake`,
    "add the text or delete the file; no flag skips this check",
  );
}
