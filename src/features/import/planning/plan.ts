import * as z from "zod";
import { operationOf } from "../../../contract/operation-names.js";
import type { RunContext } from "../../../write/engine/context.js";
import { createExisting, readings } from "../../../write/existing.js";
import { type Fields, pick } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import { type InputRow, type OnMatch, type RowProblem, splitRules } from "../../../write/input-row.js";
import { identityOf } from "../../../write/journal/identity.js";
import { inserterInto } from "../../../write/journal/inserter.js";
import type { Item, NewItem } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { eachIn } from "../../../write/journal/outcome.js";
import { listInScope, pageSize, type RemoteItem } from "../../../write/remote.js";
import { recordOf } from "../../../write/values.js";
import { type Check, contractCheck } from "../contract-check.js";
import { createRowList } from "../row-list.js";
import { type DecideContext, type Decision, decideRow, keysWith } from "./decide.js";
import { findNamesakes } from "./namesakes.js";
import { createOwners, type KnownKeys, type Owners } from "./owners.js";
import { findRepeat } from "./repeats.js";

const rowsPerTransaction = 1_000;

export interface PlanTask {
  adapter: ImportAdapter;
  /** Yields all rows. Each call starts with the first row. */
  rows(): AsyncIterable<InputRow>;
  /** Group to read. Undefined if the group doesn't exist yet or was created for this run. */
  groupId: string | undefined;
  onMatch: OnMatch;
  watch?: PlanWatch | undefined;
}

export interface PlanWatch {
  keys?: KnownKeys | undefined;
  /** Called for each item whenever the group is read. */
  seen(item: RemoteItem): void;
  /**
   * Returns the time at which a resource was created, if known. Of several matching resources, a row gets the
   * oldest.
   */
  createdAt(id: string): string | undefined;
}

/** Checks each row without the service. Yields true for a valid row, and false for an invalid row. */
export async function* usableRows(
  rows: AsyncIterable<InputRow>,
  adapter: ImportAdapter,
  emulatorId: string | null,
): AsyncGenerator<boolean, void> {
  const check = await contractCheck(operationOf(adapter.type, "create"), emulatorId);
  for await (const row of rows) yield "fields" in row.read && check(row.read.fields).length === 0;
}

/** Decides what to do with every row. Sends no changes. */
export async function planRows(context: RunContext, journal: Journal, task: PlanTask): Promise<void> {
  const { signal, listener, requestStats } = context;
  const { adapter, groupId, onMatch, watch } = task;
  const existing = createExisting(journal.database);
  const isCompared = onMatch !== "create";
  if (groupId !== undefined)
    await readExisting(context, journal, adapter, groupId, { reading: readings.plan, isCompared, watch });
  const create = await contractCheck(operationOf(adapter.type, "create"), requestStats.emulatorId);
  const update = await contractCheck(operationOf(adapter.type, "update"), requestStats.emulatorId);
  let firstName: string | undefined;
  const kept = createRowList();
  const renamed = createRowList();
  const incomplete = createRowList();
  const displaced: number[] = [];
  const decide: DecideContext = {
    read: context,
    adapter,
    existing,
    isGroupEmpty: existing.isEmpty(),
    groupId,
    onMatch,
    owners: ownersFor(journal, onMatch, watch),
    createdAt: watch?.createdAt,
    isSecondReading: false,
    check: update,
    displaced: (row) => displaced.push(row),
  };
  let rows = 0;
  const items = inserterInto(journal);
  const itemOf = (number: number) => {
    items.flush();
    return journal.item(number);
  };
  await inTransactions(journal, task.rows(), async (row) => {
    rows += 1;
    const { item, differingName, hasMore } = await planRow(row, decide, create, itemOf);
    items.add(item);
    if (displaced.length > 0) items.flush();
    for (const number of displaced.splice(0)) await decideAgain(journal, decide, journal.item(number));
    if (hasMore === true) incomplete.add(row.number);
    if (item.action !== "update") firstName ??= differingName;
    if (differingName !== undefined) (item.action === "update" ? renamed : kept).add(row.number);
    if (rows % rowsPerTransaction !== 0) return;
    listener.planning(rows);
    signal.throwIfAborted();
  });
  items.flush();
  if (isCompared) rejectNamesakes(journal, decide);
  listener.planning(rows);
  if (incomplete.count > 0) listener.entriesDropped(incomplete);
  if (kept.count + renamed.count > 0) listener.differingNames({ kept, renamed, firstName });
}

function ownersFor(
  { database }: Journal,
  onMatch: OnMatch,
  watch: PlanWatch | undefined,
): Owners | undefined {
  const { keys } = watch ?? {};
  return onMatch === "replace" || keys !== undefined ? createOwners(database, keys) : undefined;
}

async function inTransactions<T>(
  { database }: Journal,
  values: AsyncIterable<T>,
  work: (value: T) => Promise<void>,
): Promise<void> {
  let count = 0;
  database.begin();
  try {
    for await (const value of values) {
      await work(value);
      count += 1;
      if (count % rowsPerTransaction !== 0) continue;
      database.commit();
      database.begin();
    }
  } finally {
    database.commit();
  }
}

interface Planned extends Decision {
  hasMore?: boolean;
}

async function planRow(
  row: InputRow,
  decide: DecideContext,
  create: Check,
  itemOf: (number: number) => Item | undefined,
): Promise<Planned> {
  const { adapter, existing, onMatch } = decide;
  const { number, line, detail } = row;
  if ("problems" in row.read) return { item: invalid(row, row.read.problems) };
  const { fields } = row.read;
  const refused = create(fields);
  if (refused.length > 0) return { item: invalid(row, refused) };
  if (row.equals !== undefined) return { item: equalRow(adapter, row, fields, row.equals) };
  if (onMatch !== "create") {
    const hasKeys = decide.owners?.hasKeys === true;
    const repeat = findRepeat({ adapter, existing, hasKeys, itemOf }, row, fields);
    if (repeat !== undefined) return repeat;
  }
  const { dropped, rules } = row;
  const rowDetail = dropped === undefined ? detail : { ...detail, dropped };
  const decision = await decideRow(decide, { number, line, fields, detail: rowDetail, rules });
  const { problems, item } = decision;
  if (problems !== undefined || item.outcome === "ambiguous")
    existing.dropRow(number, adapter.keysOf(fields).ofRow);
  return problems === undefined ? decision : { item: invalid(row, problems) };
}

function equalRow(adapter: ImportAdapter, row: InputRow, fields: Fields, number: number): NewItem {
  const { outcome, detail } = adapter.repeated(row, fields, { number, fields });
  return { number: row.number, line: row.line, state: "skipped", outcome, detail };
}

function invalid(row: InputRow, problems: readonly RowProblem[]): NewItem {
  const { number, line, read } = row;
  const shown = row.record?.() ?? row.detail ?? ("fields" in read ? { record: read.fields } : {});
  const detail = { ...problems[0], ...(problems.length > 1 ? { problems } : {}), ...shown };
  return { number, line, state: "skipped", outcome: "invalid", detail };
}

/** Reads the group's resources except those that this run wrote. */
async function readExisting(
  context: RunContext,
  journal: Journal,
  adapter: ImportAdapter,
  groupId: string,
  { reading, isCompared, watch }: { reading: number; isCompared: boolean; watch: PlanWatch | undefined },
): Promise<void> {
  const existing = createExisting(journal.database);
  const isOlder = !journal.hasSent();
  let count = 0;
  await inTransactions(
    journal,
    listInScope(context, adapter.type, { group_id: groupId }),
    async ({ id, record }) => {
      count += 1;
      if (count % pageSize === 0) context.listener.reading(count);
      context.signal.throwIfAborted();
      if (journal.hasDone(id)) return;
      watch?.seen({ id, record });
      const value = pick(record, adapter.fields);
      const keys = isCompared ? keysWith(adapter, value, existing.known(id)) : [];
      existing.add({ id, value, keys, reading, isOlder });
    },
  );
  context.listener.reading(count);
}

const Comparing = z.object({ on_match: z.enum(["skip", "update", "replace", "create"]) });

/**
 * Decides the remaining items again right before the first write, because another run or user may have made
 * the same changes since the first read.
 * @param requestedOnMatch action for existing resources; default: from the journal
 */
export async function compareAgain(
  context: RunContext,
  journal: Journal,
  adapter: ImportAdapter,
  groupId: string,
  requestedOnMatch?: OnMatch,
  watch?: PlanWatch,
): Promise<void> {
  const onMatch =
    requestedOnMatch ?? Comparing.safeParse(identityOf(journal)?.options).data?.on_match ?? "create";
  const existing = createExisting(journal.database);
  existing.beginReading();
  const isCompared = onMatch !== "create";
  await readExisting(context, journal, adapter, groupId, {
    reading: readings.beforeWrite,
    isCompared,
    watch,
  });
  if (!isCompared || existing.isEmpty()) return;
  const check = await contractCheck(operationOf(adapter.type, "update"), context.requestStats.emulatorId);
  const displaced: number[] = [];
  const decide: DecideContext = {
    read: context,
    adapter,
    existing,
    isGroupEmpty: false,
    groupId,
    onMatch,
    owners: ownersFor(journal, onMatch, watch),
    createdAt: watch?.createdAt,
    isSecondReading: true,
    check,
    displaced: (row) => displaced.push(row),
  };
  await inTransactions(journal, each(eachIn(journal, "planned")), async (item) => {
    context.signal.throwIfAborted();
    await decideAgain(journal, decide, item);
    for (const number of displaced.splice(0)) await decideAgain(journal, decide, journal.item(number));
  });
  rejectNamesakes(journal, decide);
}

function rejectNamesakes(journal: Journal, decide: DecideContext): void {
  for (const { item, fields, id } of findNamesakes(journal, decide)) {
    const { number, line, detail } = item;
    const { dropped } = recordOf(detail);
    const name = Object.values(fields).filter((value) => typeof value === "string");
    const reason = `has no valid phone number or email, and a contact with this name exists: ${id}`;
    const problem: RowProblem = { field: "row", value: name.join(" "), reason };
    const problems: unknown[] = [problem, ...(Array.isArray(dropped) ? dropped : [])];
    const shown = { ...problem, problems, record: fields };
    journal.replan({ number, line, state: "skipped", outcome: "invalid", detail: shown });
  }
}

async function decideAgain(journal: Journal, decide: DecideContext, item: Item | undefined): Promise<void> {
  if (item === undefined || (item.state !== "planned" && item.state !== "skipped")) return;
  const { number, line, input, body, detail } = item;
  const isReplacing = decide.onMatch === "replace";
  const { fields, rules } = splitRules(recordOf(input ?? body));
  const decision = await decideRow(decide, {
    number,
    line,
    fields,
    detail,
    rules: isReplacing ? rules : undefined,
  });
  if (decision.problems === undefined) journal.replan(decision.item);
  else journal.replan(invalid({ number, line, read: { fields } }, decision.problems));
}

async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void> {
  yield* values;
}
