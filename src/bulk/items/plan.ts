import type { Client } from "../../client/types.js";
import { type Check, contractCheck } from "../contract-check.js";
import type { RunContext } from "../engine/run.js";
import type { NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { batches } from "../values.js";
import {
  changesOf,
  completed,
  fingerprintOf,
  type ItemFields,
  type ItemKind,
  keyOf,
  type Member,
  readMembers,
} from "./kind.js";
import { createSeen } from "./requests.js";

/** A row that can be imported, or what is wrong with it. */
export interface InputRow {
  /** From 1. */
  number: number;
  line: number;
  read: { fields: ItemFields } | { problem: { field: string; value: string; reason: string } };
  /** For the report: the record as it stands in the input, the file's name … */
  detail?: Readonly<Record<string, unknown>>;
}

export type OnMatch = "skip" | "update" | "create";

export interface ItemPlan {
  kind: ItemKind;
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
  const { client, signal, listener, traffic } = context;
  const check = await contractCheck(plan.kind.operations.create, traffic.world);
  const members = await readGroup(context, journal, plan);
  const earlier = new Map<string, InputRow>();
  let rows = 0;
  for await (const batch of batches(plan.rows(), rowsPerCommit)) {
    const items: NewItem[] = [];
    for (const row of batch) {
      signal.throwIfAborted();
      items.push(await planRow(checkedRow(row, check), plan, members, earlier, client));
    }
    journal.database.transaction(() => items.forEach((item) => void journal.insert(item)));
    rows += batch.length;
    listener.planning(rows);
  }
}

/** Which rows can be imported, as far as one can know before. */
export async function* usableRows(
  rows: AsyncIterable<InputRow>,
  kind: ItemKind,
  world: string | null,
): AsyncGenerator<boolean, void> {
  const check = await contractCheck(kind.operations.create, world);
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
  { kind, groupId }: ItemPlan,
): Promise<Map<string, Member[]>> {
  createSeen(journal);
  const byKey = new Map<string, Member[]>();
  if (groupId === undefined) return byKey;
  let count = 0;
  for await (const page of batches(readMembers(client, kind, groupId), 200)) {
    signal.throwIfAborted();
    journal.database.transaction(() => {
      const insert = journal.database.prepare("INSERT OR IGNORE INTO seen (id) VALUES (?)");
      for (const { id } of page) insert.run(id);
    });
    for (const member of page) {
      const key = keyOf(kind, member.fields);
      byKey.set(key, [...(byKey.get(key) ?? []), member]);
    }
    count += page.length;
    listener.reading(count);
  }
  return byKey;
}

async function planRow(
  row: InputRow,
  { kind, onMatch }: ItemPlan,
  members: ReadonlyMap<string, readonly Member[]>,
  earlier: Map<string, InputRow>,
  client: Client,
): Promise<NewItem> {
  const { number, line, read, detail } = row;
  const place = { number, line };
  if ("problem" in read) {
    return { ...place, state: "settled", outcome: "invalid", detail: { ...read.problem, ...detail } };
  }
  const { fields } = read;
  const create: NewItem = {
    ...place,
    state: "planned",
    outcome: "created",
    action: "create",
    body: fields,
    fingerprint: fingerprintOf(kind, fields),
    detail,
  };
  if (onMatch === "create") return create;
  const key = keyOf(kind, fields);
  const first = earlier.get(key);
  if (first !== undefined) return { ...place, state: "settled", ...repeated(kind, row, fields, first) };
  earlier.set(key, row);

  const [known, ...others] = members.get(key) ?? [];
  if (known === undefined) return create;
  const unchanged = (target: string): NewItem => ({
    ...place,
    state: "settled",
    outcome: "unchanged",
    target,
    detail: { [kind.key]: fields[kind.key], ...detail },
  });
  if (onMatch === "skip") return unchanged(known.id);
  const member = await completed(client, kind, known);
  const changes = changesOf(member.fields, fields);
  if (changes === undefined) return unchanged(known.id);
  // Several may have the same key: one that is the same already will do.
  for (const other of others) {
    const { fields: same } = await completed(client, kind, other);
    if (changesOf(same, fields) === undefined) return unchanged(other.id);
  }
  const before = Object.fromEntries(Object.keys(changes).map((field) => [field, member.fields[field]]));
  return {
    ...place,
    state: "planned",
    outcome: "updated",
    action: "update",
    target: known.id,
    body: changes,
    before,
    detail: { [kind.key]: fields[kind.key], ...detail },
  };
}

/** The second row of one key: the same again is a duplicate, anything else would be lost without a word. */
function repeated(
  kind: ItemKind,
  { detail }: InputRow,
  fields: ItemFields,
  first: InputRow,
): Pick<NewItem, "outcome" | "detail"> {
  const of = first.number;
  const same =
    "fields" in first.read && fingerprintOf(kind, first.read.fields) === fingerprintOf(kind, fields);
  if (same) return { outcome: "duplicate", detail: { of, ...detail } };
  const file = first.detail?.["file"];
  const place = typeof file === "string" ? file : `row ${of}`;
  return {
    outcome: "invalid",
    detail: {
      field: kind.key,
      value: String(fields[kind.key]),
      reason: `is the ${kind.key} of ${place} already, whose content is another`,
      of,
      ...detail,
      ...(detail ? {} : { record: fields }),
    },
  };
}
