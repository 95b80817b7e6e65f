/**
 * The steps that undo the run of a plan in reverse order (A10): created resources are deleted, changed fields
 * restored, deleted resources created again with new ids. A step that needs a resource that another step
 * creates again references that step.
 */
import type { Database } from "../../base/database.js";
import type { Fields } from "../fields.js";
import type { Item, NewItem } from "../journal/item.js";
import { itemOf } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { inPages } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import { resourceOf, uniqueNameOf } from "./canonical.js";
import type { CreatedFields } from "./created-fields.js";
import type { PlanStep } from "./format.js";
import { membersIn, newItemOf, type PlannedStep, plannedStepOf, referredTo } from "./items.js";
import { plainFields, referencesOf, secretsIn } from "./references.js";
import { operationOf, pathOf } from "./steps.js";

/** The options of an undo, and the results of earlier ones. */
export interface UndoScope {
  /** Delete also resources that were found by their content. */
  includeMatched: boolean;
  /**
   * Returns whether an earlier undo has reverted this step, or the group member with its number after the
   * step's.
   */
  isUndone(part: string): boolean;
  /** Returns the id under which an earlier undo created this resource again. */
  newIdOf(id: string): string | undefined;
  createdFields: CreatedFields;
  /** The state that the undo of a later run left, if it equals the state that this run had left. */
  restored(resource: string, target: string, data: unknown): unknown;
}

const noUndo: Readonly<Record<string, string>> = {
  assistants: "an assistant's number is lost with it",
  calls: "a call was made",
  recordings: "an erased recording is lost",
};

/**
 * Yields the items of the undo in their order.
 * @param database of the undo; stores resources that are created again
 */
export function* undoItems(
  original: Journal,
  database: Database,
  scope: UndoScope,
): Generator<NewItem, void> {
  database.exec(
    "CREATE TABLE IF NOT EXISTS created_again (old TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
  );
  const referTo = (id: string): unknown => {
    const earlier = scope.newIdOf(id);
    if (earlier !== undefined) return earlier;
    const row = database.prepare("SELECT number FROM created_again WHERE old = ?").get(id);
    return row === undefined ? id : { $ref: Number(row["number"]) };
  };
  const createsAgain = (id: string, number: number) =>
    void database.prepare("INSERT OR IGNORE INTO created_again VALUES (?, ?)").run(id, number);
  let number = 0;
  for (const item of doneBackwards(original)) {
    for (const part of partsOf(original, item, scope)) {
      if (scope.isUndone(part.part)) continue;
      number += 1;
      if (part.recreates !== undefined) createsAgain(part.recreates, number);
      yield undoItem(part, number, referTo);
    }
  }
}

/** One resource to undo. */
interface Part {
  /** Number of the step; for a group member, followed by its own number. */
  part: string;
  item: Item;
  outcome: "deleted" | "restored" | "recreated" | "matched" | "not_undoable";
  resource: string;
  /** The sent fields: of a restore the former values, of a resource that is created again all fields. */
  body?: Fields;
  /** The id that it had. */
  recreates?: string;
  reason?: string;
  /** The last known state of the resource to delete. */
  data?: unknown;
}

function* partsOf(original: Journal, item: Item, scope: UndoScope): Generator<Part, void> {
  const { step, resource } = plannedStepOf(item);
  const part = { part: String(item.number), item, resource };
  const impossible = (reason: string): Part => ({ ...part, outcome: "not_undoable", reason });
  const steps = stepsOn(original, item.target ?? "");
  const isOwn = steps.first?.action === "create";
  const isDeleted = steps.last?.action === "delete";
  // A resource that the run created and then deleted or changed did not exist before.
  if (isOwn && isDeleted) return;
  if (resource === "calls" || resource === "recordings" || step.op === "assistants.delete") {
    yield impossible(noUndo[resource] ?? "it can't be undone");
    return;
  }
  if (isOwn) {
    // References to it are reverted first; the content of a group, before the group.
    const carrier = resource === "groups" ? steps.first : steps.last;
    if (carrier?.number === item.number)
      yield createdPart({ ...part, item: steps.first ?? item }, steps, scope);
    return;
  }
  if (item.action === "update") {
    if (isDeleted) return;
    const plain = Object.keys(plainFields(step.body ?? {}));
    const fields = [...plain, ...fieldsWithReferences(step)];
    const before = recordOf(item.before);
    const body = Object.fromEntries(
      fields.map((field) => [field, before[field] ?? emptyLike(before, field, step)]),
    );
    if (fields.length === 0) yield impossible("the former secret is unknown");
    else yield { ...part, outcome: "restored", body, data: item.answer };
    return;
  }
  yield* deletedParts(original, part, step, scope);
}

/** A field that an update set to something that the plan makes had another value before. */
function fieldsWithReferences({ body = {} }: PlanStep): string[] {
  return Object.keys(body).filter(
    (field) =>
      referencesOf({ body: { [field]: body[field] } }).length > 0 && secretsIn(body[field]).length === 0,
  );
}

/** A field that was not shown was empty. */
function emptyLike(before: Fields, field: string, { body = {} }: PlanStep): unknown {
  if (field in before) return before[field];
  const written = body[field];
  return Array.isArray(written) ? [] : typeof written === "string" ? "" : null;
}

function createdPart(
  part: Pick<Part, "part" | "item" | "resource">,
  { first, last }: StepsOn,
  { includeMatched, restored }: UndoScope,
): Part {
  if (recordOf(first?.detail)["matched"] !== undefined && !includeMatched)
    return {
      ...part,
      outcome: "matched",
      reason: "it was found by its content, and may belong to another user",
    };
  const data = last?.answer;
  const restoredData = restored(part.resource, last?.target ?? "", data);
  return { ...part, outcome: "deleted", data: restoredData ?? data };
}

/** The deleted resources in their state before the plan changed them; a group with its members. */
function* deletedParts(
  original: Journal,
  part: Pick<Part, "part" | "item" | "resource">,
  step: PlanStep,
  { createdFields }: UndoScope,
): Generator<Part, void> {
  const { item, resource } = part;
  const members = step.if?.members;
  if (resource === "groups" && members === undefined && step.undo === "none") {
    yield { ...part, outcome: "not_undoable", reason: "the former content of the group is unknown" };
    return;
  }
  const id = item.target ?? "";
  const value = createdFields(resource, { ...recordOf(item.before), ...earliest(original, id) });
  const hadSecret = recordOf(item.before)["has_secret"] === true;
  yield {
    ...part,
    outcome: "recreated",
    body: value,
    recreates: id,
    ...(hadSecret ? { reason: "without its secret, which has to be set again" } : {}),
  };
  let count = 0;
  for (const member of membersIn(original, item.number)) {
    count += 1;
    const of = resourceOf(member.op);
    const body = createdFields(of, { ...member.body, group_id: id });
    yield { part: `${item.number}.${count}`, item, outcome: "recreated", resource: of, body };
  }
}

function undoItem(
  { part, item, outcome, resource, body, recreates, reason, data }: Part,
  number: number,
  referTo: (id: string) => unknown,
): NewItem {
  const detail = {
    ...pickName(item.detail),
    undoes: part,
    ...(recreates === undefined ? {} : { was: recreates }),
    ...(reason === undefined ? {} : { reason }),
  };
  const { number: line, target } = item;
  if (outcome === "matched" || outcome === "not_undoable")
    return { number, line, state: "skipped", outcome, target, detail };
  const verb = outcome === "deleted" ? "delete" : outcome === "restored" ? "update" : "create";
  const op = operationOf(resource, verb);
  const step: PlanStep = {
    step: number,
    op,
    ...(verb === "create" ? {} : { path: pathOf(op, target) }),
    ...(body === undefined ? {} : { body: recordOf(mapIds(body, referTo)) }),
    undo: "none",
  };
  const planned: PlannedStep = {
    step,
    resource,
    requires: referencesOf(step),
    follows: [],
    previous: undefined,
    // A name must be free, and all references to a resource must be removed, before.
    isBarrier: uniqueNameOf(resource) || (verb === "delete" && referredTo.has(resource)),
  };
  return {
    ...newItemOf(planned),
    line,
    outcome,
    detail: { ...detail, op },
    // For resources that are deleted or restored, the state that the run had written.
    before: item.body,
    answer: data,
  };
}

function pickName(detail: unknown): Fields {
  const { name } = recordOf(detail);
  return name === undefined ? {} : { name };
}

/** Replaces the ids of resources that are created again in a value. */
function mapIds(value: unknown, referTo: (id: string) => unknown): unknown {
  if (typeof value === "string") return referTo(value);
  if (Array.isArray(value)) return value.map((entry) => mapIds(entry, referTo));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapIds(inner, referTo)]));
}

interface StepsOn {
  first: Item | undefined;
  last: Item | undefined;
}

/** The first and the last step of a run on a resource. */
function stepsOn({ database }: Journal, target: string): StepsOn {
  const readStep = (order: "ASC" | "DESC") => {
    const row = database
      .prepare(`SELECT * FROM items WHERE target = ? AND state = 'done' ORDER BY number ${order} LIMIT 1`)
      .get(target);
    return row === undefined ? undefined : itemOf(row);
  };
  return { first: readStep("ASC"), last: readStep("DESC") };
}

/** The fields of a resource that the run changed, in their state before the run. */
function earliest({ database }: Journal, target: string): Fields {
  const rows = database
    .prepare(
      "SELECT * FROM items WHERE target = ? AND state = 'done' AND action = 'update' ORDER BY number DESC",
    )
    .all(target);
  return Object.assign({}, ...rows.map(itemOf).map(({ before }) => recordOf(before)));
}

/** The changes of a run, the last first. */
function doneBackwards({ database }: Journal): Generator<Item, void> {
  return inPages(Number.MAX_SAFE_INTEGER, (before) =>
    database
      .prepare("SELECT * FROM items WHERE state = 'done' AND number < ? ORDER BY number DESC LIMIT 200")
      .all(before)
      .map(itemOf),
  );
}
