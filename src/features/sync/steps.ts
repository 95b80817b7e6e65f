import { createHash } from "node:crypto";
import type { ResultLine } from "../../write/engine/results-file.js";
import type { Fields } from "../../write/fields.js";
import { isSameInstant } from "../../write/group/changed-fields.js";
import { determinedFields } from "../../write/input-row.js";
import type { Item } from "../../write/journal/item.js";
import { eachPlanned, itemsIn } from "../../write/journal/outcome.js";
import { hasValues, printsOf, sharedAbsences } from "../../write/plan/absences.js";
import { createdFingerprint } from "../../write/plan/canonical.js";
import type { FileRow, GroupKeys, PlanStep } from "../../write/plan/format.js";
import { createStep, deleteStep, named, updateStep } from "../../write/plan/steps.js";
import { recordOf } from "../../write/values.js";
import { type KeyMap, listChanges } from "./key-map.js";
import type { PlannedRows } from "./plan.js";

export function* planLinesOf(plan: PlannedRows, groupId: string): Generator<PlanStep | FileRow, void> {
  const numbers = new Map<number, number>();
  yield* stepsOf(plan, groupId, (step, { number }) => void numbers.set(number, step));
  yield* fileRowsOf(plan, ({ number, input }) => {
    const step = numbers.get(number);
    return step === undefined ? undefined : { of_step: step, sent: recordOf(input) };
  });
}

/** Returns a function that replaces the number of a step with the row and line of the file. */
export function fileLinesOf(plan: PlannedRows, groupId: string): (line: ResultLine) => ResultLine {
  const readRows = () => {
    const rows = new Map<unknown, Pick<ResultLine, "row" | "line">>();
    const steps = stepsOf(plan, groupId, (step, { number: row, line }) => void rows.set(step, { row, line }));
    while (steps.next().done !== true);
    return rows;
  };
  let rows: ReturnType<typeof readRows> | undefined;
  return (result) => {
    rows ??= readRows();
    return { ...result, ...(rows.get(result.row) ?? { row: null, line: null }) };
  };
}

/** Calls `numbered` with each row's step and item. */
function* stepsOf(
  plan: PlannedRows,
  groupId: string,
  numbered: (step: number, item: Item) => void,
): Generator<PlanStep, void> {
  const { journal, workspace, adapter } = plan;
  const { identity, type: resource } = adapter;
  let step = 0;
  const origin = (item: Item) => {
    step += 1;
    numbered(step, item);
    const key = workspace.keyOf(item.number);
    return { step, ...(key === undefined ? {} : { key }), sent: hashOf(item.input ?? item.body) };
  };
  for (const item of eachPlanned(journal, "update")) {
    const { target = "", body, before } = item;
    const record = { group_id: groupId, ...workspace.shown(target), ...recordOf(before) };
    const determined = determinedFields(recordOf(item.input));
    yield named(
      updateStep(resource, target, recordOf(body), record, { ...origin(item), determined }),
      record,
    );
  }
  const equal = equalCounter(plan);
  const isShared = sharedFinder(plan);
  for (const item of eachPlanned(journal, "create")) {
    const body = { group_id: groupId, ...recordOf(item.body) };
    const sharing = identity(recordOf(item.body));
    const isAlone = hasValues(sharing) && !isShared(sharing);
    yield createStep(resource, body, {
      ...origin(item),
      ...(isAlone ? { sharing } : { equal: equal(body) }),
    });
  }
  for (const { id, record, reason } of plan.unmatched()) {
    if (reason !== undefined) continue;
    step += 1;
    const key = plan.keyMap.byId(id)?.key ?? undefined;
    yield deleteStep(
      resource,
      id,
      { group_id: groupId, ...record },
      { step, ...(key === undefined ? {} : { key }) },
    );
  }
}

function sharedFinder({ workspace, adapter: { type } }: PlannedRows): (sharing: Fields) => boolean {
  if (!workspace.hasShown()) return () => false;
  const shapes = new Map<string, Set<string>>();
  const printsIn = (shape: string) => {
    let prints = shapes.get(shape);
    if (prints === undefined) {
      prints = new Set();
      for (const { record } of workspace.allShown())
        for (const print of printsOf(type, shape, record)) prints.add(print);
      shapes.set(shape, prints);
    }
    return prints;
  };
  return (sharing) => sharedAbsences(type, sharing).some(({ shape, print }) => printsIn(shape).has(print));
}

/**
 * Returns a function that counts the existing contacts that equal a contact to create, except for their keys.
 */
function equalCounter({ workspace, adapter: { type } }: PlannedRows): (body: Fields) => number {
  const counts = new Map<string, Map<string, number>>();
  return (body) => {
    const fields = Object.keys(body).sort();
    let ofFields = counts.get(fields.join());
    if (ofFields === undefined) {
      ofFields = new Map();
      for (const { record } of workspace.allShown()) {
        const fingerprint = createdFingerprint(type, fields, record);
        ofFields.set(fingerprint, (ofFields.get(fingerprint) ?? 0) + 1);
      }
      counts.set(fields.join(), ofFields);
    }
    return ofFields.get(createdFingerprint(type, fields, body)) ?? 0;
  };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}

type Written = Pick<FileRow, "of_step" | "sent" | "answer" | "written">;

/**
 * Yields the rows for the key map: the rows of the file, then earlier rows whose contacts still exist. Omits
 * values that the key map already contains.
 * @param writtenBy returns the sent fields and the response of a row; undefined if the row was not written
 */
export function* fileRowsOf(
  plan: PlannedRows,
  writtenBy: (item: Item) => Written | undefined,
): Generator<FileRow, void> {
  const { journal, workspace, keyMap, existing } = plan;
  const { database } = journal;
  const keepsOrder = plan.isPartial();
  const isFirst = keyMap.header() === undefined;
  database.begin();
  try {
    database.exec(
      "CREATE TABLE IF NOT EXISTS rows_ids (id TEXT PRIMARY KEY) WITHOUT ROWID; DELETE FROM rows_ids",
    );
    const take = database.prepare("INSERT OR IGNORE INTO rows_ids VALUES (?)");
    for (const item of itemsIn(journal)) {
      const row = fileRow(plan, item, writtenBy(item));
      if (row.id !== undefined && !isFirst) take.run(row.id);
      yield keepsOrder ? inFormerOrder(row, keyMap) : row;
    }
  } finally {
    database.commit();
  }
  for (const { id, key, position, digest } of keyMap.all()) {
    const isTaken =
      id === null || database.prepare("SELECT 1 FROM rows_ids WHERE id = ?").get(id) !== undefined;
    if (isTaken || existing.get(id) === undefined) continue;
    // If a row of the file has this key, the key now belongs to that row's contact.
    const own = key ?? plan.laterKeys?.keyOf(id);
    const keeps = own !== undefined && workspace.rowOfKey(own) === undefined ? { key: own } : {};
    yield keepsOrder
      ? { row: position, ...keeps, id, ...(digest === null ? {} : { digest }) }
      : { row: null, ...keeps, id };
  }
}

/**
 * Returns the row with its position in the last complete file, because the next file will be compared with
 * that file.
 */
function inFormerOrder({ digest: _, ...row }: FileRow, keyMap: KeyMap): FileRow {
  const former = row.id === undefined ? undefined : keyMap.byId(row.id);
  const digest = former?.digest ?? undefined;
  return { ...row, row: former?.position ?? null, ...(digest === undefined ? {} : { digest }) };
}

function fileRow(
  { workspace, keyMap, existing, adapter, isUncompared, laterKeys }: PlannedRows,
  item: Item,
  written: Written | undefined,
): FileRow {
  const { number, target, input, outcome } = item;
  const { key: rowKey, digest } = workspace.rowOf(number);
  const key = rowKey ?? (target === undefined ? undefined : laterKeys?.keyOf(target));
  const id = target ?? (key === undefined ? undefined : (keyMap.byKey(key)?.id ?? undefined));
  const row: FileRow = {
    row: number,
    ...(key === undefined ? {} : { key }),
    ...(digest === undefined ? {} : { digest }),
    ...(id === undefined ? {} : { id }),
  };
  if (written !== undefined) {
    const { id: _, ...created } = row;
    return { ...(target === undefined ? created : row), ...written };
  }
  // Only an unchanged row confirms the contact's values. For other rows, such as invalid rows, store no
  // values.
  if (outcome !== "unchanged" || target === undefined) return row;
  // The row was not compared with the contact, so the contact's values are unknown.
  if (isUncompared) return row;
  const before = keyMap.byId(target);
  const sent = recordOf(input);
  const data = { ...(workspace.shown(target) ?? before?.answer), ...recordOf(item.answer) };
  // Response to the last write to this contact, by an import or a sync.
  const own =
    before === undefined ? existing.known(target)?.answer : before.written ? before.answer : undefined;
  const isIndexed = adapter.unlisted.length > 0;
  const isWritten = own !== undefined && (isIndexed || isSameInstant(own["updated_at"], data["updated_at"]));
  return { ...row, ...listChanges(before, { sent, answer: data, written: isWritten }) };
}

export function keysOfPlan(
  { isPartial, keyMap: state, laterKeys }: Pick<PlannedRows, "isPartial" | "keyMap" | "laterKeys">,
  {
    groupId,
    keyColumn,
    file,
  }: {
    groupId: string;
    keyColumn: string | undefined;
    /** File with which the next file will be compared; undefined to keep the previous file. */
    file: GroupKeys["file"] | undefined;
  },
  stateFile: { given: string; directory: string } | undefined,
): GroupKeys {
  const header = state.header();
  const former =
    header === undefined ? null : { rows: header.rows, invalid: header.invalid, line_end: header.line_end };
  const nothing = { rows: 0, invalid: 0, line_end: false };
  const isKept = file === undefined || (isPartial() && (former !== null || file.rows === 0));
  return {
    group_id: groupId,
    column: keyColumn ?? laterKeys?.column ?? null,
    state: stateFile?.given ?? null,
    state_directory: stateFile?.directory ?? null,
    file: isKept ? (former ?? nothing) : file,
    former,
    former_at: header?.finished_at ?? null,
  };
}
