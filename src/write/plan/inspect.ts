import { wire } from "../../contract/wire.js";
import { BulkError } from "../errors.js";
import { recordOf } from "../values.js";
import { resourceOf } from "./canonical.js";
import type { PlanHeader, PlanStep, UndoClass } from "./format.js";
import { findDeletedMembers } from "./members.js";
import { assertPlanApi, planApiOf } from "./plan-api.js";
import { secretsIn } from "./references.js";

/** Totals that are counted from the steps, because the header may have been edited. */
export interface PlanTotals {
  undo: Record<UndoClass, number>;
  summary: PlanHeader["summary"];
  /** Number of resources that are deleted with their groups, by resource type. */
  members: ReadonlyMap<string, number>;
  /** Number of steps for each action that the user must allow, such as `assistants:create`. */
  words: ReadonlyMap<string, number>;
  secrets: ReadonlySet<string>;
}

export interface PlanNeeds extends PlanTotals {
  /** Groups that the plan writes to: IDs, or names of new groups. */
  groups: ReadonlySet<string>;
  newGroups: readonly { type: string; name: string }[];
  /** Number of the first step whose effect no read request can show. */
  unprovable: number | undefined;
}

/** Actions that cost money or can't be undone, by operation. */
const words: Readonly<Record<string, string>> = {
  "assistants.create": "assistants:create",
  "assistants.delete": "assistants:delete",
  // The contents of a deleted organization can't be restored.
  "orgs.delete": "orgs:delete",
  "groups.delete": "groups:delete",
  "calls.recording.delete": "recordings:delete",
  "calls.create": "calls:create",
};

export interface Inspection {
  add(step: PlanStep): void;
  readonly totals: PlanTotals;
  /** @throws BulkError `plan_of_other_api` */
  needs(plan: { id: string; header: Pick<PlanHeader, "target"> }): PlanNeeds;
}

export function createInspection(): Inspection {
  const undo: PlanTotals["undo"] = { full: 0, "new-id": 0, partial: 0, none: 0 };
  const summary: PlanTotals["summary"] = {};
  const members = new Map<string, number>();
  const wordCounts = new Map<string, number>();
  const secrets = new Set<string>();
  const totals: PlanTotals = { undo, summary, members, words: wordCounts, secrets };
  const groups = new Set<string>();
  const newGroups: { type: string; name: string }[] = [];
  const operations = new Map<PlanStep["op"], number>();
  let unprovable: number | undefined;
  return {
    totals,
    add(step) {
      const { op, body } = step;
      if (!operations.has(op)) operations.set(op, step.step);
      undo[step.undo] += 1;
      countStep(summary, step);
      const word = words[op];
      if (word !== undefined) wordCounts.set(word, (wordCounts.get(word) ?? 0) + 1);
      const deleted = findDeletedMembers(step);
      if (deleted !== undefined)
        members.set(deleted.resource, (members.get(deleted.resource) ?? 0) + deleted.count);
      for (const name of secretsIn(body)) secrets.add(name);
      for (const id of groupsOf(step)) groups.add(id);
      const { type, name } = body ?? {};
      if (op === "groups.create" && typeof type === "string" && typeof name === "string")
        newGroups.push({ type, name });
      if (!isProvable(step)) unprovable ??= step.step;
    },
    needs(plan) {
      assertPlanApi(plan);
      for (const [op, step] of operations) assertPlannable(plan, { step, op });
      return { ...totals, groups, newGroups, unprovable };
    },
  };
}

/**
 * If several steps change the same license, counts only the first, because only the first has a precondition
 * about the license.
 */
export function countStep(summary: PlanHeader["summary"], step: PlanStep): void {
  const { op, reindex } = step;
  const resource = resourceOf(op);
  summary[resource] ??= { created: 0, updated: 0, deleted: 0 };
  const counts = summary[resource];
  if (op === "licenses.upsert") {
    const { made, changed } = licensesOf(step);
    counts.created += made;
    counts.updated += changed;
  } else if (op.endsWith(".create")) counts.created += 1;
  else if (op.endsWith(".delete")) counts.deleted += 1;
  else if (op === "licenses.reassign") {
    const count = Object.hasOwn(step.if?.fields ?? {}, "externalLicenseId") ? 1 : 0;
    counts.updated += count;
    counts.reassigned = (counts.reassigned ?? 0) + count;
  } else if (!reindex) counts.updated += 1;
}

function licensesOf({ body, if: expected }: PlanStep): { made: number; changed: number } {
  const fields = recordOf(expected?.fields);
  const all = Array.isArray(body?.["licenses"]) ? body["licenses"].map(recordOf) : [];
  const ids = all.map((license) => String(license["externalLicenseId"])).filter((id) => id in fields);
  const made = ids.filter((id) => fields[id] === null).length;
  return { made, changed: ids.length - made };
}

/**
 * Yields the IDs of the groups that a step changes or whose members it changes. Omits groups whose IDs the
 * step doesn't contain.
 */
export function* groupsOf({ op, path, body, before, if: expected }: PlanStep): Generator<string, void> {
  const groupIds = [body?.["group_id"], before?.["group_id"], expected?.fields?.["group_id"]];
  if (resourceOf(op) === "groups") groupIds.push(path?.["group_id"]);
  for (const groupId of groupIds) if (typeof groupId === "string") yield groupId;
}

/** Returns whether read requests can show that the step was already done. */
function isProvable({ op, reindex, if: expected }: PlanStep): boolean {
  if (op === "calls.create") return expected?.no_call !== undefined;
  return !reindex || expected?.updated_at !== undefined;
}

/** @throws BulkError `plan_of_other_api` */
function assertPlannable(
  { id, header }: { id: string; header: Pick<PlanHeader, "target"> },
  { step, op }: Pick<PlanStep, "step" | "op">,
): void {
  const api = planApiOf(header);
  const isOrganizations = api !== "public";
  if (wire[op].api === api && wire[op].method !== "GET") return;
  throw new BulkError(
    "plan_of_other_api",
    `step ${step} of plan ${id} uses ${op}, which ${isOrganizations ? "plan files for organizations don't" : "plan files don't"} support`,
    isOrganizations
      ? "plan files for organizations support only changes made with the distributor API v2"
      : "plan files support only changes made with the Public API",
  );
}
