import type { Client } from "../../client/types.js";
import { type Check, contractCheck } from "../contract-check.js";
import type { RunContext } from "../engine/context.js";
import type { NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { batches, textLength } from "../values.js";
import { createSeen } from "./adapter.js";
import {
  changesOf,
  completed,
  type ExistingItem,
  fingerprintOf,
  type ItemFields,
  type ItemType,
  keyOf,
  readItems,
} from "./item-type.js";

/** A row that can be imported, or what is wrong with it. */
export interface InputRow {
  /** From 1. */
  number: number;
  line: number;
  read: { fields: ItemFields } | { problem: { field: string; value: string; reason: string } };
  /** For the report: the record as it stands in the input, the file's name … */
  detail?: Readonly<Record<string, unknown>>;
}

/** What is kept of the first row of a key: rows may be many, and long. */
interface FirstRow {
  number: number;
  /** Of its content. */
  fingerprint: string;
  /** What a message calls it: its file, or its number. */
  name: string;
}

export type OnMatch = "skip" | "update" | "create";

export interface ItemPlan {
  type: ItemType;
  /** From the first, as often as it is called. */
  rows(): AsyncIterable<InputRow>;
  /** Undefined: there is nothing in it to read. */
  groupId: string | undefined;
  onMatch: OnMatch;
}

const rowsPerCommit = 500;

/**
 * Reads group and input, and decides for every row what is to be done with it, before anything is sent. Glossaries
 * and folders of texts are small: what the group holds is kept in memory, without the texts.
 */
export async function planItems(context: RunContext, journal: Journal, plan: ItemPlan): Promise<void> {
  const { client, signal, listener, requestStats } = context;
  const check = await contractCheck(plan.type.operations.create, requestStats.world);
  const existing = await readGroup(context, journal, plan);
  const earlier = new Map<string, FirstRow>();
  let rows = 0;
  for await (const batch of batches(plan.rows(), rowsPerCommit, lengthOf)) {
    const items: NewItem[] = [];
    for (const row of batch) {
      signal.throwIfAborted();
      items.push(await planRow(checkedRow(row, check), plan, existing, earlier, client));
    }
    journal.database.transaction(() => items.forEach((item) => void journal.insert(item)));
    rows += batch.length;
    listener.planning(rows);
  }
}

function lengthOf({ read, detail }: InputRow): number {
  return textLength(Object.values("fields" in read ? read.fields : (detail ?? {})));
}

/** Which rows can be imported, as far as one can know before. */
export async function* usableRows(
  rows: AsyncIterable<InputRow>,
  type: ItemType,
  world: string | null,
): AsyncGenerator<boolean, void> {
  const check = await contractCheck(type.operations.create, world);
  for await (const row of rows) yield "fields" in checkedRow(row, check).read;
}

/** The row, or what the service would refuse of it. */
function checkedRow(row: InputRow, check: Check): InputRow {
  if ("problem" in row.read) return row;
  const { fields } = row.read;
  const [problem] = check(fields);
  if (!problem) return row;
  return { ...row, read: { problem }, detail: row.detail ?? { record: fields } };
}

async function readGroup(
  { client, signal, listener }: RunContext,
  journal: Journal,
  { type, groupId }: ItemPlan,
): Promise<Map<string, ExistingItem[]>> {
  createSeen(journal);
  const byKey = new Map<string, ExistingItem[]>();
  if (groupId === undefined) return byKey;
  let count = 0;
  for await (const page of batches(readItems(client, type, groupId), 200)) {
    signal.throwIfAborted();
    journal.database.transaction(() => {
      const insert = journal.database.prepare("INSERT OR IGNORE INTO seen (id) VALUES (?)");
      for (const { id } of page) insert.run(id);
    });
    for (const item of page) {
      const key = keyOf(type, item.fields);
      byKey.set(key, [...(byKey.get(key) ?? []), item]);
    }
    count += page.length;
    listener.reading(count);
  }
  return byKey;
}

async function planRow(
  row: InputRow,
  { type, onMatch }: ItemPlan,
  existing: ReadonlyMap<string, readonly ExistingItem[]>,
  earlier: Map<string, FirstRow>,
  client: Client,
): Promise<NewItem> {
  const { number, line, read, detail } = row;
  const place = { number, line };
  if ("problem" in read) {
    return { ...place, state: "skipped", outcome: "invalid", detail: { ...read.problem, ...detail } };
  }
  const { fields } = read;
  const fingerprint = fingerprintOf(type, fields);
  const create: NewItem = {
    ...place,
    state: "planned",
    outcome: "created",
    action: "create",
    body: fields,
    fingerprint,
    detail,
  };
  if (onMatch === "create") return create;
  const key = keyOf(type, fields);
  const first = earlier.get(key);
  if (first !== undefined)
    return { ...place, state: "skipped", ...repeated(type, row, fields, first, fingerprint) };
  const file = detail?.["file"];
  earlier.set(key, { number, fingerprint, name: typeof file === "string" ? file : `row ${number}` });

  const [known, ...others] = existing.get(key) ?? [];
  if (known === undefined) return create;
  const unchanged = (target: string): NewItem => ({
    ...place,
    state: "skipped",
    outcome: "unchanged",
    target,
    detail: { [type.key]: fields[type.key], ...detail },
  });
  if (onMatch === "skip") return unchanged(known.id);
  const item = await completed(client, type, known);
  const changes = changesOf(item.fields, fields);
  if (changes === undefined) return unchanged(known.id);
  // Several may have the same key: one that is the same already will do.
  for (const other of others) {
    const { fields: same } = await completed(client, type, other);
    if (changesOf(same, fields) === undefined) return unchanged(other.id);
  }
  const before = Object.fromEntries(Object.keys(changes).map((field) => [field, item.fields[field]]));
  return {
    ...place,
    state: "planned",
    outcome: "updated",
    action: "update",
    target: known.id,
    body: changes,
    before,
    detail: { [type.key]: fields[type.key], ...detail },
  };
}

/** The second row of one key: the same again is a duplicate, anything else would be lost without a word. */
function repeated(
  type: ItemType,
  { detail }: InputRow,
  fields: ItemFields,
  first: FirstRow,
  fingerprint: string,
): Pick<NewItem, "outcome" | "detail"> {
  const of = first.number;
  if (first.fingerprint === fingerprint) return { outcome: "duplicate", detail: { of, ...detail } };
  return {
    outcome: "invalid",
    detail: {
      field: type.key,
      value: String(fields[type.key]),
      reason: `is the ${type.key} of ${first.name} already, whose content is another`,
      of,
      ...detail,
      ...(detail ? {} : { record: fields }),
    },
  };
}
