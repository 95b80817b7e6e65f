/**
 * An undo recreates deleted resources with new IDs. A step that needs a recreated resource references the
 * step that recreates it.
 */
import type { Database } from "../../base/database.js";
import { mapInner } from "../../base/fields.js";
import { operationOf, pathOf } from "../../contract/operation-names.js";
import type { Fields } from "../fields.js";
import { identityOf } from "../journal/identity.js";
import type { Item, NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { labelOf, resourceOf, uniqueNameOf } from "../plan/canonical.js";
import type { PlanStep } from "../plan/format.js";
import { newItemOf, referredTo } from "../plan/items.js";
import type { PlannedStep } from "../plan/planned-steps.js";
import { referencesOf } from "../plan/references.js";
import { recordOf } from "../values.js";
import type { ListParts, Part, UndoScope } from "./parts.js";

/** @param database the undo's database, which stores recreated resources */
export function* undoItems(
  original: Journal,
  database: Database,
  scope: UndoScope,
  listParts: ListParts,
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
  const currentId = (id: string | undefined) => (id === undefined ? undefined : (scope.newIdOf(id) ?? id));
  const createsAgain = (id: string, number: number) =>
    void database.prepare("INSERT OR IGNORE INTO created_again VALUES (?, ?)").run(id, number);
  const deleteOf = (id: string) => {
    const row = database.prepare("SELECT number FROM items WHERE target = ? AND action = 'delete'").get(id);
    return row === undefined ? undefined : Number(row["number"]);
  };
  let count = 0;
  for (const part of listParts(original, scope)) {
    const { item } = part;
    if (part.isRepeated !== true && scope.isUndone(part.part, item.target)) continue;
    count += 1;
    const number = scope.isPlan ? count : item.number;
    if (part.recreates !== undefined) createsAgain(part.recreates, number);
    const current = { ...part, item: { ...item, target: currentId(item.target) } };
    yield part.outcome === "with_msp"
      ? waitingItem(current, number, deleteOf(currentId(part.goesWith) ?? ""))
      : undoItem(current, number, referTo);
  }
  const resource = resourceOf(identityOf(original)?.kind ?? "");
  for (const item of eachIn(original, "unknown")) {
    count += 1;
    yield unconfirmedItem(item, scope.isPlan ? count : item.number, resource);
  }
}

/** Returns the item for a change of the run that may have taken effect. An undo can't revert such a change. */
function unconfirmedItem(item: Item, number: number, resource: string): NewItem {
  const { line, target } = item;
  // Only the items of a plan have a name.
  const name = labelOf(resource, { ...recordOf(item.before), ...recordOf(item.body) });
  const detail = { ...(name === "" ? {} : { name }), ...recordOf(item.detail) };
  return { number, line, state: "skipped", outcome: "unknown", target, detail };
}

function undoItem(undone: Part, number: number, referTo: (id: string) => unknown): NewItem {
  const { part, item, outcome, resource, request, body, written = recordOf(item.body) } = undone;
  const { recreates, reason, data, about, hidden, label = pickName(item.detail), share, needs } = undone;
  const detail = {
    ...label,
    undoes: part,
    ...(recreates === undefined ? {} : { was: recreates }),
    ...(reason === undefined ? {} : { reason }),
  };
  const { line, target } = item;
  const noted = about === undefined ? {} : { input: { about } };
  if (outcome !== "deleted" && outcome !== "restored" && outcome !== "recreated")
    return { number, line, state: "skipped", outcome, target, ...noted, detail };
  const action = actions[outcome];
  const op = request?.op ?? operationOf(resource, action);
  const path =
    request === undefined && action !== "create" ? pathOf(op, target) : mapIds(request?.path, referTo);
  const needed = recordOf(mapIds(needs, referTo))["$ref"];
  const step: PlanStep = {
    step: number,
    op,
    ...(path === undefined ? {} : { path: recordOf(path) }),
    ...(body === undefined ? {} : { body: recordOf(mapIds(body, referTo)) }),
    ...(typeof needed === "number" ? { needs: [needed] } : {}),
    undo: "none",
    ...(hidden === undefined ? {} : { hidden }),
  };
  const planned: PlannedStep = {
    step,
    resource,
    requires: referencesOf(step),
    follows: [],
    previous: undefined,
    // Earlier items may free the resource's name or remove references to it, so wait for them.
    isBarrier: uniqueNameOf(resource) || (action === "delete" && referredTo.has(resource)),
    share,
  };
  return {
    ...newItemOf(planned),
    input: { ...planned, about },
    line,
    outcome,
    action,
    target: action === "create" ? undefined : target,
    detail: { ...detail, op },
    before: written,
    answer: data,
  };
}

/**
 * Returns the item for a resource that is deleted with another resource. The result of the other resource's
 * deletion becomes the item's result.
 */
function waitingItem(
  { part, item, about, label, reason }: Part,
  number: number,
  deleteNumber: number | undefined,
): NewItem {
  const { line, target } = item;
  const detail = { ...label, undoes: part };
  const input = { about, requires: [deleteNumber] };
  if (deleteNumber === undefined)
    return { number, line, state: "skipped", outcome: "kept", target, input, detail: { ...detail, reason } };
  return { number, line, state: "planned", outcome: "with_msp", action: "delete", target, input, detail };
}

const actions = { deleted: "delete", restored: "update", recreated: "create" } as const;

function pickName(detail: unknown): Fields {
  const { name } = recordOf(detail);
  return name === undefined ? {} : { name };
}

export function mapIds(value: unknown, referTo: (id: string) => unknown): unknown {
  if (typeof value === "string") return referTo(value);
  return mapInner(value, (inner) => mapIds(inner, referTo));
}
