import { countOutcomes, countRows } from "../../write/engine/summary.js";
import { BulkError } from "../../write/errors.js";
import { type Fields, isAlike } from "../../write/fields.js";
import type { Journal } from "../../write/journal/journal.js";
import { recordOf } from "../../write/values.js";
import { contactOf, nameText } from "../import/contacts/identity.js";
import { plannedChanges } from "../import/imports/import.js";
import { assertReplaceBounds } from "../import/planning/bounds.js";
import {
  acceptsShrink,
  assertDeletes,
  assertExpectedRows,
  assertNotCut,
  assertNotLost,
  assertNotShrunk,
  assertSameKeys,
  assertWholeFile,
  type FileFacts,
  otherColumnError,
  type Rekeyed,
} from "./guards.js";
import type { KeyMap } from "./key-map.js";
import type { RowKeys } from "./keys.js";
import type { SyncTask } from "./task.js";
import type { Workspace } from "./workspace.js";

interface JudgedKeys {
  journal: Journal;
  keyMap: KeyMap;
  workspace: Workspace;
  keys: RowKeys;
  size: number;
}

export interface Judged extends Omit<JudgedKeys, "keys"> {
  task: SyncTask;
  keys: RowKeys | undefined;
  unmatched: Iterable<{ id: string; reason: unknown }>;
}

/** @param invalid number of invalid rows; undefined before planning */
export function assertFile(
  { subject, file, unit, expectRows, deletes, deletesDuplicates }: SyncTask,
  keyMap: KeyMap,
  invalid: number | undefined,
): void {
  const facts = factsOf({ subject, file, unit }, invalid ?? 0);
  assertExpectedRows(facts, expectRows);
  if (deletes || deletesDuplicates) assertWholeFile(facts, keyMap.header());
}

function factsOf(
  { subject, file, unit = "row" }: Pick<SyncTask, "subject" | "file" | "unit">,
  invalid: number,
): FileFacts {
  const { rowCount, endsWithLineEnd, incomplete } = subject;
  const name = file === "-" ? "standard input" : file;
  return { name, unit, rows: rowCount, invalid, endsWithLineEnd, incomplete };
}

/**
 * Returns whether --delete would refuse the file as truncated. Such a file can be synced without --delete,
 * but the next file must not be compared with it.
 */
export function looksCut({ task, journal, keyMap, workspace, unmatched }: Judged): boolean {
  try {
    const facts = factsOf(task, countOutcomes(journal)["invalid"] ?? 0);
    assertWholeFile(facts, keyMap.header());
    assertNotShrunk(facts, keyMap.header(), 0);
    if (!task.subject.canBeCut) return false;
    const gone = new Set<string>();
    for (const { id } of unmatched) if (keyMap.byId(id) !== undefined) gone.add(id);
    assertNotCut(task.file, rowsGone(keyMap, workspace, gone), 0);
    return false;
  } catch (error) {
    if (error instanceof BulkError) return true;
    throw error;
  }
}

/**
 * Refuses keys from a different column and renumbered keys. Without known keys, refuses to create many
 * contacts.
 * @throws BulkError `keys_reassigned`, `map_lost`
 */
export function assertKeys(
  judged: JudgedKeys,
  accepted: Pick<SyncTask, "keyColumn" | "acceptNewMap" | "acceptRekey">,
): void {
  if (!accepted.acceptRekey) assertSameColumn(judged, accepted.keyColumn ?? null);
  const { journal, keyMap, size } = judged;
  const { created = 0 } = countOutcomes(journal);
  const rows = countRows(journal);
  assertSameKeys(findReassignedKeys(judged), accepted);
  assertNotLost({ created, rows, size, isMapEmpty: !keyMap.hasKeys() }, accepted);
}

/** Refuses keys from a different column. Accepts a renamed column: its values include known keys. */
function assertSameColumn({ keyMap, keys }: JudgedKeys, column: string | null): void {
  const former = keyMap.header()?.key ?? null;
  if (former === null || column === null || former === column || !keyMap.hasKeys()) return;
  for (const { key } of keyMap.all()) if (key !== null && keys.rowOf(key) !== undefined) return;
  throw otherColumnError(former, column);
}

export function assertAllowed(judged: Judged, resultsPath: string): void {
  const { task, journal, keyMap, workspace, keys, size, unmatched } = judged;
  const { invalid = 0 } = countOutcomes(journal);
  assertFile(task, keyMap, invalid);
  if (keys !== undefined) assertKeys({ journal, keyMap, workspace, keys, size }, task);
  const { plural } = task.subject;
  assertReplaceBounds(task.bounds, plannedChanges(journal), resultsPath, plural);
  let deleted = 0;
  const gone = new Set<string>();
  for (const { id, reason } of unmatched) {
    if (reason === undefined) deleted += 1;
    if (keyMap.byId(id) !== undefined) gone.add(id);
  }
  const isAccepted = acceptsShrink(task.maxDelete, deleted);
  if ((task.deletes || task.deletesDuplicates) && !isAccepted)
    assertNotShrunk(factsOf(task, invalid), keyMap.header(), deleted);
  if (!task.deletes) {
    if (deleted > 0) assertDeletes(task.maxDelete, { deleted, size, plural }, resultsPath);
    return;
  }
  if (!isAccepted && task.subject.canBeCut && deleted > 0)
    assertNotCut(task.file, rowsGone(keyMap, workspace, gone), deleted);
  assertDeletes(task.maxDelete, { deleted, size, plural }, resultsPath);
}

function* rowsGone(
  keyMap: KeyMap,
  workspace: Workspace,
  gone: ReadonlySet<string>,
): Generator<boolean, void> {
  for (const { id, digest } of keyMap.backwards())
    yield id === null ? digest !== null && !workspace.hasDigest(digest) : gone.has(id);
}

const examplesShown = 10;

function findReassignedKeys({ keys, workspace, journal }: JudgedKeys): {
  known: number;
  reassigned: number;
  examples: Rekeyed[];
} {
  let known = 0;
  let reassigned = 0;
  const examples: Rekeyed[] = [];
  // Prefer `detail.contact`: the input that is stored for an unchanged row may be from an earlier run.
  const rows = journal.database
    .prepare(
      "SELECT number, target, coalesce(json_extract(detail, '$.contact'), input) AS fields FROM items WHERE target IS NOT NULL",
    )
    .iterate();
  for (const { number, target, fields } of rows) {
    const key = workspace.keyOf(Number(number));
    if (key === undefined || typeof fields !== "string" || keys.knownId(Number(number)) !== target) continue;
    const contact = workspace.shown(String(target));
    if (contact === undefined) continue;
    known += 1;
    const row = recordOf(JSON.parse(fields));
    if (agrees(row, contact)) continue;
    reassigned += 1;
    if (examples.length < examplesShown)
      examples.push({ key, row: nameText(contactOf(row)), contact: nameText(contactOf(contact)) });
  }
  return { known, reassigned, examples };
}

function agrees(row: Fields, contact: Fields): boolean {
  const [rowContact, liveContact] = [contactOf(row), contactOf(contact)];
  if (isAlike("first_name", nameText(rowContact), nameText(liveContact))) return true;
  return (["phone_numbers", "emails"] as const).some((field) =>
    rowContact[field].some((entry) => liveContact[field].some((own) => isAlike(field, entry, own))),
  );
}
