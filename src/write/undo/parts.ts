/** The resources that the step of a run wrote, and what undoes each. */
import { emptyOf, type Fields } from "../fields.js";
import { type Item, itemOf } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn, inPages } from "../journal/outcome.js";
import { resourceOf } from "../plan/canonical.js";
import type { CreatedFields } from "../plan/created-fields.js";
import type { PlanStep } from "../plan/format.js";
import { membersIn } from "../plan/items.js";
import { createPlannedSteps, type PlannedStep } from "../plan/planned-steps.js";
import { secretsIn } from "../plan/references.js";
import { recordOf } from "../values.js";

/** The options of an undo, and the results of earlier ones. */
export interface UndoScope {
  /** Delete also resources that were found by their content. */
  includeMatched: boolean;
  /** The steps are those of a plan. */
  isPlan: boolean;
  /**
   * Returns whether an earlier undo has reverted this step, or the group member with its number after the
   * step's.
   */
  isUndone(part: string, target: string | undefined): boolean;
  /** Returns the id under which an undo of this or another run created this resource again. */
  newIdOf(id: string): string | undefined;
  createdFields: CreatedFields;
  /**
   * Returns the state in which the run left a resource, with current ids; if the undo of another run restored that state,
   * the response to it.
   */
  currentState(resource: string, target: string, data: unknown): unknown;
}

const noUndo: Readonly<Record<string, string>> = {
  assistants: "an assistant's number is lost with it",
  calls: "a call was made",
  recordings: "an erased recording is lost",
};

/** One resource to undo. */
export interface Part {
  /** Number of the step; for a group member, followed by its own number. */
  part: string;
  item: Item;
  outcome: "deleted" | "restored" | "recreated" | "matched" | "not_undoable" | "kept" | "with_msp" | "failed";
  resource: string;
  /** The request; default: the operation of the resource on the item's target. */
  request?: Pick<PlanStep, "op" | "path">;
  /** Parts with the same text share one request. */
  share?: string;
  /** The former id of a resource that must have been created again before. */
  needs?: string | undefined;
  /** Earlier undos don't count: they did not create its resource again. */
  isRepeated?: boolean;
  /** Id of the resource that is deleted together with it. */
  goesWith?: string;
  /** Data of the subject, kept with the step. */
  about?: unknown;
  /** Names it in the results file; default: the name of the item. */
  label?: Fields;
  /** The sent fields: of a restore the former values, of a resource that is created again all fields. */
  body?: Fields;
  /** The state that the run had written; default: the body of the step. */
  written?: Fields;
  /** The id that it had. */
  recreates?: string;
  reason?: string;
  /** The last known state of the resource to delete. */
  data?: unknown;
}

/** Yields the parts of a run in the order in which they are undone. */
export type ListParts = (original: Journal, scope: UndoScope) => Iterable<Part>;

/** Yields the parts of a plan backwards; the rows of an import don't need each other. */
export function* listParts(original: Journal, scope: UndoScope): Generator<Part, void> {
  const plannedOf = createPlannedSteps(original);
  for (const item of scope.isPlan ? doneBackwards(original) : eachIn(original, "done"))
    yield* partsOf(original, item, plannedOf, scope);
}

/** The changes of a run, the last first. */
export function doneBackwards({ database }: Journal): Generator<Item, void> {
  return inPages(Number.MAX_SAFE_INTEGER, (before) =>
    database
      .prepare("SELECT * FROM items WHERE state = 'done' AND number < ? ORDER BY number DESC LIMIT 200")
      .all(before)
      .map(itemOf),
  );
}

/** Yields the parts of a finished step that can be undone, or the reason why it can't. */
function* partsOf(
  original: Journal,
  item: Item,
  plannedOf: (item: Item) => PlannedStep,
  scope: UndoScope,
): Generator<Part, void> {
  const { step, resource } = plannedOf(item);
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
    const carrier = resource === "groups" || !scope.isPlan ? steps.first : steps.last;
    if (carrier?.number === item.number)
      yield createdPart({ ...part, item: steps.first ?? item }, steps, scope);
    return;
  }
  if (item.action === "update") {
    if (isDeleted) return;
    // Several rows of a file may have changed the same resource.
    const updates = scope.isPlan ? [item] : updatesOf(original, item.target ?? "");
    const [first, last] = [updates[0] ?? item, updates.at(-1) ?? item];
    if (first.number !== item.number) return;
    const { body, written } = changesBy(updates, plannedOf);
    if (Object.keys(body).length === 0) yield impossible("the former secret is unknown");
    else yield { ...part, outcome: "restored", body, written, data: last.answer };
    return;
  }
  yield* deletedParts(original, part, step, scope);
}

/** The fields that updates of a resource changed: before the first update, and after the last. */
function changesBy(
  updates: readonly Item[],
  plannedOf: (item: Item) => PlannedStep,
): { body: Fields; written: Fields } {
  const former: Record<string, unknown> = {};
  const written: Record<string, unknown> = {};
  for (const item of updates) {
    const before = recordOf(item.before);
    for (const [field, value] of Object.entries(plannedOf(item).step.body ?? {})) {
      // No response shows a former secret.
      if (secretsIn(value).length > 0) continue;
      // A field that was not shown was empty.
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
      reason: "it was found by its content, and may belong to another user",
    };
  const data = currentState(part.resource, last?.target ?? "", last?.answer);
  return { ...part, outcome: "deleted", data };
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
  const value = createdFields(resource, {
    ...recordOf(item.before),
    // The fields that the run had changed, in their state before the run.
    ...Object.assign(
      {},
      ...updatesOf(original, id)
        .reverse()
        .map(({ before }) => recordOf(before)),
    ),
  });
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

/** The updates of a resource, in their order. */
function updatesOf({ database }: Journal, target: string): Item[] {
  return database
    .prepare("SELECT * FROM items WHERE target = ? AND state = 'done' AND action = 'update' ORDER BY number")
    .all(target)
    .map(itemOf);
}
