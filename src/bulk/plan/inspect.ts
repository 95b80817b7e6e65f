import { wire } from "../../contract/wire.js";
import { BulkError } from "../errors.js";
import { recordOf } from "../values.js";
import { resourceOf } from "./canonical.js";
import type { PlanHeader, PlanStep, UndoClass } from "./format.js";
import type { Plan } from "./read.js";
import { secretsIn } from "./references.js";

/** The facts about a plan's steps that have to be known before any of them is sent. */
export interface PlanNeeds {
  /** How many steps there are of each class of undo. */
  undo: Record<UndoClass, number>;
  /** The steps, by resource: a header can be edited. */
  summary: PlanHeader["summary"];
  /** The actions that need a word of their own (A8), with the number of their steps: `assistants:create`. */
  words: ReadonlyMap<string, number>;
  secrets: ReadonlySet<string>;
  /** Groups that it writes into (T20): ids, and the names of those that it makes. */
  groups: ReadonlySet<string>;
  newGroups: readonly { type: string; name: string }[];
  /** The first step of which nothing tells whether it was done before (A2). */
  unprovable: number | undefined;
}

/** A8: steps that cost something, or can't be taken back. */
const words: Readonly<Record<string, string>> = {
  "assistants.create": "assistants:create",
  "assistants.delete": "assistants:delete",
  "groups.delete": "groups:delete",
  "calls.recording.delete": "recordings:delete",
  "calls.create": "calls:create",
};

/** Reads a plan once for what it needs. */
export async function inspectPlan(plan: Plan): Promise<PlanNeeds> {
  const undo: PlanNeeds["undo"] = { full: 0, "new-id": 0, partial: 0, none: 0 };
  const summary: PlanNeeds["summary"] = {};
  const wanted = new Map<string, number>();
  const secrets = new Set<string>();
  const groups = new Set<string>();
  const newGroups: { type: string; name: string }[] = [];
  let unprovable: number | undefined;
  for await (const entry of plan.entries()) {
    if (entry.type !== "step") continue;
    const { step } = entry;
    assertPublic(plan, step);
    undo[step.undo] += 1;
    countStep(summary, step);
    const word = words[step.op];
    if (word !== undefined) wanted.set(word, (wanted.get(word) ?? 0) + 1);
    for (const name of secretsIn(step.body)) secrets.add(name);
    for (const id of groupsOf(step)) groups.add(id);
    const { type, name } = recordOf(step.body);
    if (step.op === "groups.create" && typeof type === "string" && typeof name === "string")
      newGroups.push({ type, name });
    if (!isProvable(step)) unprovable ??= step.step;
  }
  return { undo, summary, words: wanted, secrets, groups, newGroups, unprovable };
}

/** Adds a step to what a plan does. */
export function countStep(summary: PlanHeader["summary"], { op, reindex }: PlanStep): void {
  const resource = resourceOf(op);
  summary[resource] ??= { created: 0, updated: 0, deleted: 0 };
  const counts = summary[resource];
  if (op.endsWith(".create")) counts.created += 1;
  else if (op.endsWith(".delete")) counts.deleted += 1;
  else if (!reindex) counts.updated += 1;
}

/** The groups that a step's thing lies in, or that it is about, as far as the plan says. */
export function* groupsOf({ op, path, body, before, if: expected }: PlanStep): Generator<string, void> {
  const places = [body?.["group_id"], before?.["group_id"], expected?.fields?.["group_id"]];
  if (resourceOf(op) === "groups") places.push(path?.["group_id"]);
  for (const place of places) if (typeof place === "string") yield place;
}

/** A2: could a run without this one's journal tell that the step was done? */
function isProvable({ op, reindex, if: expected }: PlanStep): boolean {
  if (op === "calls.create") return expected?.no_call !== undefined;
  return !reindex || expected?.updated_at !== undefined;
}

/** @throws BulkError `plan_of_other_surface` */
function assertPublic({ id }: Plan, { step, op }: PlanStep): void {
  if (wire[op].surface === "public" && wire[op].method !== "GET") return;
  throw new BulkError(
    "plan_of_other_surface",
    `step ${step} of the plan ${id} is ${op}, which no plan can do`,
    "plans hold what the Public API creates, changes and deletes",
  );
}
