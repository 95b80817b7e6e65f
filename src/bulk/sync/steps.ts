/** The decisions as steps of a plan: updates, creates, deletes (S3); and the memory for the next run. */
import { createHash } from "node:crypto";
import type { Fields } from "../fields.js";
import { isSameInstant } from "../group/answers.js";
import type { Item } from "../journal/item.js";
import { eachIn } from "../journal/outcome.js";
import { createdFingerprint } from "../plan/canonical.js";
import type { PlanStep } from "../plan/format.js";
import { createStep, deleteStep, updateStep } from "../plan/steps.js";
import { recordOf } from "../values.js";
import type { SyncPlan } from "./plan.js";
import type { StateTable } from "./state.js";

/** The plan's steps in their order; `numbered` is told which step decides about which row. */
export function* stepsOf(
  plan: SyncPlan,
  groupId: string,
  numbered: (row: number, step: number) => void,
): Generator<PlanStep, void> {
  const { journal, workspace } = plan;
  let step = 0;
  const origin = (item: Item) => {
    step += 1;
    numbered(item.number, step);
    const key = workspace.keyOf(item.number);
    return { step, ...(key === undefined ? {} : { key }), sent: hashOf(item.input ?? item.body) };
  };
  for (const item of eachIn(journal, "planned")) {
    const { action, target = "", body, before } = item;
    if (action !== "update") continue;
    const record = workspace.shown(target) ?? recordOf(before);
    yield updateStep("contacts", target, recordOf(body), { group_id: groupId, ...record }, origin(item));
  }
  const equal = equalCounter(plan);
  for (const item of eachIn(journal, "planned")) {
    if (item.action !== "create") continue;
    const body = { group_id: groupId, ...recordOf(item.body) };
    yield createStep("contacts", body, { ...origin(item), equal: equal(body) });
  }
  for (const { id, record, reason } of plan.unmatched()) {
    if (reason !== undefined) continue;
    step += 1;
    yield deleteStep("contacts", id, { group_id: groupId, ...record }, { step });
  }
}

/** So many contacts equal what is to be created: two people of one name, told apart by their keys. */
function equalCounter({ workspace }: SyncPlan): (body: Fields) => number {
  const counts = new Map<string, Map<string, number>>();
  return (body) => {
    const fields = Object.keys(body).sort();
    let ofFields = counts.get(fields.join());
    if (ofFields === undefined) {
      ofFields = new Map();
      for (const { record } of workspace.allShown()) {
        const fingerprint = createdFingerprint("contacts", fields, record);
        ofFields.set(fingerprint, (ofFields.get(fingerprint) ?? 0) + 1);
      }
      counts.set(fields.join(), ofFields);
    }
    return ofFields.get(createdFingerprint("contacts", fields, body)) ?? 0;
  };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}

/** Writes down what the next run is to know, as far as no step decides it. */
export function fillNext(
  plan: SyncPlan,
  next: StateTable,
  stepOf: (row: number) => number | undefined,
): void {
  const { journal, workspace, state, existing } = plan;
  next.transaction(() => {
    const items = journal.database.prepare("SELECT number FROM items ORDER BY number").all();
    for (const { number } of items) {
      const item = journal.item(Number(number));
      if (item !== undefined) addRow(plan, next, item, stepOf(item.number));
    }
    for (const row of state.all()) {
      if (row.id === null || next.byId(row.id) !== undefined || existing.get(row.id) === undefined) continue;
      // Its key was given to another contact.
      const key = row.key !== null && workspace.rowOfKey(row.key) === undefined ? row.key : null;
      next.add({ ...row, key, position: null });
    }
  });
}

function addRow(
  { workspace, state }: SyncPlan,
  next: StateTable,
  item: Item,
  step: number | undefined,
): void {
  const { number, target, input, outcome } = item;
  const key = workspace.keyOf(number) ?? null;
  const common = { position: number, key, digest: workspace.digestOf(number) ?? null };
  if (step !== undefined) {
    next.add({ ...common, id: target ?? null, sent: recordOf(input), answer: {}, written: false }, step);
    return;
  }
  if (outcome === "unchanged" && target !== undefined) {
    const before = state.byId(target);
    const shown = workspace.shown(target) ?? before?.answer ?? {};
    const written =
      before?.written === true && isSameInstant(before.answer["updated_at"], shown["updated_at"]);
    next.add({ ...common, id: target, sent: recordOf(input), answer: shown, written });
    return;
  }
  // A row that can't be used keeps its contact.
  const before = key === null ? undefined : state.byKey(key);
  const nothing = { id: null, sent: {}, answer: {}, written: false };
  next.add({ ...nothing, ...before, ...common });
}
