import { emptyOf, type Fields, omit } from "../fields.js";
import { type Item, itemOf } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn, inPages } from "../journal/outcome.js";
import { labelOf, resourceOf } from "../plan/canonical.js";
import type { CreatedFields } from "../plan/created-fields.js";
import type { PlanStep } from "../plan/format.js";
import { membersIn } from "../plan/items.js";
import { createPlannedSteps, type PlannedStep } from "../plan/planned-steps.js";
import { recordOf } from "../values.js";

export interface UndoScope {
  /** Whether to delete resources that were only matched by content after a lost response. */
  includeMatched: boolean;
  isPlan: boolean;
  /**
   * Returns whether an earlier undo reverted this part.
   * @param part number of a step; for a group member, the step's and the member's number
   */
  isUndone(part: string, target: string | undefined): boolean;
  newIdOf(id: string): string | undefined;
  createdFields: CreatedFields;
  /**
   * Returns the state in which the run left a resource, with current IDs. If another undo restored this
   * state, returns that undo's response.
   */
  currentState(resource: string, target: string, data: unknown): unknown;
}

const noUndo: Readonly<Record<string, string>> = {
  assistants: "an assistant's number is lost when the assistant is deleted",
  calls: "a call can't be undone",
  recordings: "an erased recording can't be restored",
};

/** A change to one resource, which an undo reverts. */
export interface Part {
  /** Number of the step. A group member's number is appended. */
  part: string;
  item: Item;
  outcome: "deleted" | "restored" | "recreated" | "matched" | "not_undoable" | "kept" | "with_msp" | "failed";
  resource: string;
  /** Operation and path of the request (default: the resource type's operation, with the item's target). */
  request?: Pick<PlanStep, "op" | "path">;
  /** See `PlanStep`. */
  hidden?: string[] | undefined;
  /** Key of the request. Parts with the same key share one request. */
  share?: string;
  /** Previous ID of a resource that must be recreated first. */
  needs?: string | undefined;
  /** Whether to repeat this part, because an earlier undo did not recreate the resource. */
  isRepeated?: boolean;
  /** ID of the resource whose deletion also deletes this part's resource. */
  goesWith?: string;
  about?: unknown;
  /** Fields that identify the part in the results file (default: the item's name). */
  label?: Fields;
  /** Fields to send: the previous values to restore, or all fields of a resource to recreate. */
  body?: Fields;
  /** State that the run wrote (default: the step's body). */
  written?: Fields;
  /** Previous ID of the resource to recreate. */
  recreates?: string;
  reason?: string;
  /** Last known state of the resource to delete. */
  data?: unknown;
}

export type ListParts = (original: Journal, scope: UndoScope) => Iterable<Part>;

/** A plan is undone in reverse order. An import's rows are independent, so they keep their order. */
export function* listParts(original: Journal, scope: UndoScope): Generator<Part, void> {
  const plannedOf = createPlannedSteps(original);
  for (const item of scope.isPlan ? doneBackwards(original) : eachIn(original, "done"))
    yield* partsOf(original, item, plannedOf, scope);
}

export function doneBackwards({ database }: Journal): Generator<Item, void> {
  return inPages(Number.MAX_SAFE_INTEGER, (before) =>
    database
      .prepare("SELECT * FROM items WHERE state = 'done' AND number < ? ORDER BY number DESC LIMIT 200")
      .all(before)
      .map(itemOf),
  );
}

function* partsOf(
  original: Journal,
  item: Item,
  plannedOf: (item: Item) => PlannedStep,
  scope: UndoScope,
): Generator<Part, void> {
  const { step, resource } = plannedOf(item);
  const part = { part: String(item.number), item, resource, hidden: step.hidden };
  const impossible = (reason: string): Part => ({ ...part, outcome: "not_undoable", reason });
  const steps = stepsOn(original, item.target ?? "");
  const isOwn = steps.first?.action === "create";
  const isDeleted = steps.last?.action === "delete";
  // The run itself created and deleted this resource.
  if (isOwn && isDeleted) return;
  if (resource === "calls" || resource === "recordings" || step.op === "assistants.delete") {
    yield impossible(noUndo[resource] ?? "this change can't be undone");
    return;
  }
  if (isOwn) {
    // Deleting a created resource also undoes later changes. But references to it must be reverted first, and
    // a group's members must be deleted first.
    const carrier = resource === "groups" || !scope.isPlan ? steps.first : steps.last;
    if (carrier?.number === item.number)
      yield createdPart({ ...part, item: steps.first ?? item }, steps, scope);
    return;
  }
  if (item.action === "update") {
    if (isDeleted) return;
    // Several rows in a file may have changed the same resource.
    const updates = scope.isPlan ? [item] : updatesOf(original, item.target ?? "");
    const [first, last] = [updates[0] ?? item, updates.at(-1) ?? item];
    if (first.number !== item.number) return;
    const { body, written } = changesBy(updates, plannedOf);
    const isRestored = Object.keys(body).length > 0;
    if (isRestored) yield { ...part, outcome: "restored", body, written, data: last.answer };
    // A separate part, because an undo that restored the other fields did not revert the secret.
    if (!isRestored || step.hidden?.some((field) => field in (step.body ?? {})) === true)
      yield { ...impossible("the previous secret is unknown"), part: `${item.number}.secret` };
    return;
  }
  yield* deletedParts(original, part, step, scope);
}

/** Returns the changed fields, with the values before the first and after the last update. */
function changesBy(
  updates: readonly Item[],
  plannedOf: (item: Item) => PlannedStep,
): { body: Fields; written: Fields } {
  const former: Record<string, unknown> = {};
  const written: Record<string, unknown> = {};
  for (const item of updates) {
    const before = recordOf(item.before);
    const { step } = plannedOf(item);
    // The journal contains no secrets, so the previous secret is unknown.
    for (const [field, value] of Object.entries(omit(step.body ?? {}, step.hidden ?? []))) {
      // The field was empty if the response did not contain it.
      if (!(field in former)) former[field] = field in before ? before[field] : emptyOf(value);
      written[field] = value;
    }
  }
  return { body: former, written };
}

function createdPart(
  part: Pick<Part, "part" | "item" | "resource">,
  { first, last }: StepsOn,
  { includeMatched, currentState }: UndoScope,
): Part {
  if (recordOf(first?.detail)["matched"] !== undefined && !includeMatched)
    return {
      ...part,
      outcome: "matched",
      reason: "the resource was only matched by content and may belong to another user",
    };
  const data = currentState(part.resource, last?.target ?? "", last?.answer);
  return { ...part, outcome: "deleted", data };
}

/** For a group, also yields its members. */
function* deletedParts(
  original: Journal,
  part: Pick<Part, "part" | "item" | "resource" | "hidden">,
  step: PlanStep,
  { createdFields }: UndoScope,
): Generator<Part, void> {
  const { item, resource } = part;
  const members = step.if?.members;
  if (resource === "groups" && members === undefined && step.undo === "none") {
    yield { ...part, outcome: "not_undoable", reason: "the previous members of the group are unknown" };
    return;
  }
  const id = item.target ?? "";
  const value = createdFields(resource, {
    ...recordOf(item.before),
    // If the run changed the resource before deleting it, use the values from before the changes.
    ...Object.assign(
      {},
      ...updatesOf(original, id)
        .reverse()
        .map(({ before }) => recordOf(before)),
    ),
  });
  const hadSecret = recordOf(item.before)["has_secret"] === true || part.hidden !== undefined;
  yield {
    ...part,
    outcome: "recreated",
    body: value,
    recreates: id,
    ...(hadSecret ? { reason: "recreated without its secret; set the secret again" } : {}),
  };
  let count = 0;
  for (const member of membersIn(original, item.number)) {
    count += 1;
    const of = resourceOf(member.op);
    const body = createdFields(of, { ...member.body, group_id: id });
    const label = { name: labelOf(of, body) };
    yield { part: `${item.number}.${count}`, item, outcome: "recreated", resource: of, body, label };
  }
}

interface StepsOn {
  first: Item | undefined;
  last: Item | undefined;
}

function stepsOn({ database }: Journal, target: string): StepsOn {
  const readStep = (order: "ASC" | "DESC") => {
    const row = database
      .prepare(`SELECT * FROM items WHERE target = ? AND state = 'done' ORDER BY number ${order} LIMIT 1`)
      .get(target);
    return row === undefined ? undefined : itemOf(row);
  };
  return { first: readStep("ASC"), last: readStep("DESC") };
}

function updatesOf({ database }: Journal, target: string): Item[] {
  return database
    .prepare("SELECT * FROM items WHERE target = ? AND state = 'done' AND action = 'update' ORDER BY number")
    .all(target)
    .map(itemOf);
}
