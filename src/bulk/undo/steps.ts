/**
 * The steps that undo a run: created resources are deleted, changed fields restored, deleted resources created
 * again with new ids. A step that needs a resource that another step creates again references that step. The
 * steps of a plan are undone in reverse order (A10); the rows of an import don't need each other, so they keep
 * their order and numbers.
 */
import type { Database } from "../../base/database.js";
import { operationOf, pathOf } from "../../contract/operation-names.js";
import type { Fields } from "../fields.js";
import { type Item, itemOf, type NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn, inPages } from "../journal/outcome.js";
import { uniqueNameOf } from "../plan/canonical.js";
import type { PlanStep } from "../plan/format.js";
import { newItemOf, referredTo } from "../plan/items.js";
import { createPlannedSteps, type PlannedStep } from "../plan/planned-steps.js";
import { referencesOf } from "../plan/references.js";
import { recordOf } from "../values.js";
import { type Part, partsOf, type UndoScope } from "./parts.js";

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
  const plannedOf = createPlannedSteps(original);
  let count = 0;
  for (const item of scope.isPlan ? doneBackwards(original) : eachIn(original, "done")) {
    for (const part of partsOf(original, item, plannedOf, scope)) {
      if (scope.isUndone(part.part, item.target)) continue;
      count += 1;
      const number = scope.isPlan ? count : item.number;
      if (part.recreates !== undefined) createsAgain(part.recreates, number);
      yield undoItem(part, number, referTo);
    }
  }
}

function undoItem(
  { part, item, outcome, resource, body, written = recordOf(item.body), recreates, reason, data }: Part,
  number: number,
  referTo: (id: string) => unknown,
): NewItem {
  const detail = {
    ...pickName(item.detail),
    undoes: part,
    ...(recreates === undefined ? {} : { was: recreates }),
    ...(reason === undefined ? {} : { reason }),
  };
  const { line, target } = item;
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
    before: written,
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

/** The changes of a run, the last first. */
function doneBackwards({ database }: Journal): Generator<Item, void> {
  return inPages(Number.MAX_SAFE_INTEGER, (before) =>
    database
      .prepare("SELECT * FROM items WHERE state = 'done' AND number < ? ORDER BY number DESC LIMIT 200")
      .all(before)
      .map(itemOf),
  );
}
