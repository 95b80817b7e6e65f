import { operationOf, pathOf } from "../../contract/operation-names.js";
import type { Fields } from "../fields.js";
import { recordOf } from "../values.js";
import { createdFingerprint, fingerprintOf, scopeOf, uniqueNameOf } from "./canonical.js";
import type { PlanStep, UndoClass } from "./format.js";
import { plainFields, referencesOf, secretsIn } from "./references.js";

interface StepOrigin {
  step: number;
  /** The user's key for the step's row or file. `sent` is the hash of the sent values. */
  key?: string;
  sent?: string;
  needs?: number[];
}

interface CreateNeighbors {
  /** Number of existing resources that equal the new one. */
  equal?: number;
  /** Values that no other resource may share. */
  sharing?: Fields | undefined;
  /** True to expect nothing about other resources, because they are counted later. */
  isCounted?: boolean;
}

/** The step expects that the group exists. */
export function createStep(
  resource: string,
  body: Readonly<Record<string, unknown>>,
  { equal = 0, sharing, isCounted = false, ...origin }: StepOrigin & CreateNeighbors,
): PlanStep {
  const scope = scopeOf(resource, body);
  const { name } = body;
  const isNamed = uniqueNameOf(resource) && typeof name === "string";
  const alike = () =>
    sharing === undefined
      ? { fingerprint: createdFingerprint(resource, Object.keys(plainFields(body)).sort(), body) }
      : { sharing };
  const expected = () => (isNamed ? { name } : { ...alike(), count: equal });
  const { group_id } = body;
  return {
    ...origin,
    op: operationOf(resource, "create"),
    body,
    if: {
      // A group that the plan creates contains no other resources yet.
      ...(scope === undefined || isCounted ? {} : { absent: { in: scope, ...expected() } }),
      ...(typeof group_id === "string" ? { exists: [`groups/${group_id}`] } : {}),
    },
    undo: resource === "calls" ? "none" : "full",
  };
}

/**
 * The step expects that the fields to change, and the unsent fields in `determined`, still have the values in
 * `before`. The step's row determines the fields in `determined`.
 * @param target ID of the resource, or a reference to the step that creates it
 * @param before the resource as it was read; undefined if an earlier step of the plan creates or changes it
 */
export function updateStep(
  resource: string,
  target: unknown,
  changes: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | undefined,
  { determined = [], ...origin }: StepOrigin & { determined?: readonly string[] },
): PlanStep {
  const op = operationOf(resource, "update");
  const plain = Object.keys(changes).filter((field) => secretsIn(changes[field]).length === 0);
  const seen = (names: readonly string[]) =>
    before && Object.fromEntries(names.map((field) => [field, before[field] ?? null]));
  const fields = seen(plain);
  const isReplacingSecret = plain.length < Object.keys(changes).length;
  return {
    ...origin,
    op,
    path: pathOf(op, target),
    body: changes,
    ...(fields === undefined
      ? {}
      : { if: { fields: { ...fields, ...seen(determined) } }, before: withGroup(fields, before) }),
    undo: !isReplacingSecret ? "full" : plain.length > 0 ? "partial" : "none",
  };
}

/** Adds fields that help the user to recognize the resource. */
export function named(step: PlanStep, before: unknown): PlanStep {
  const shown = recordOf(before);
  const names = ["name", "first_name", "last_name", "term", "token"].filter((field) => field in shown);
  return {
    ...step,
    before: { ...Object.fromEntries(names.map((field) => [field, shown[field]])), ...step.before },
  };
}

/**
 * Returns a step that saves a knowledge item unchanged, so that the service indexes it again
 * (public.operations.2).
 * @param before the item as it was read
 */
export function reindexStep(
  target: string,
  before: Readonly<Record<string, unknown>>,
  origin: StepOrigin,
): PlanStep {
  const { active, updated_at, group_id } = before;
  return {
    ...origin,
    op: "knowledge.update",
    path: pathOf("knowledge.update", target),
    body: { active },
    if: { fields: { active }, ...(typeof updated_at === "string" ? { updated_at } : {}) },
    before: withGroup({ active }, { group_id }),
    reindex: true,
    undo: "full",
  };
}

/**
 * The step expects that all fields still have the values in `before`.
 * @param before the resource as it was read
 * @param members number and hash of a group's members; set if the lines after the step contain the members,
 * so that an undo can recreate them
 */
export function deleteStep(
  resource: string,
  target: unknown,
  before: Readonly<Record<string, unknown>> | undefined,
  { members, ...origin }: StepOrigin & { members?: { count: number; hash: string; late?: true } },
): PlanStep {
  const op = operationOf(resource, "delete");
  const expected = {
    ...(before === undefined ? {} : { same: fingerprintOf(resource, before) }),
    ...(members === undefined ? {} : { members }),
  };
  return {
    ...origin,
    op,
    path: pathOf(op, target),
    ...(Object.keys(expected).length === 0 ? {} : { if: expected }),
    ...(before === undefined ? {} : { before }),
    undo: undoOfDelete(resource, before, members !== undefined),
  };
}

function undoOfDelete(
  resource: string,
  before: Readonly<Record<string, unknown>> | undefined,
  hasMembers: boolean,
): UndoClass {
  // An assistant's phone number is lost when the assistant is deleted.
  if (resource === "assistants" || resource === "recordings") return "none";
  // An item without text may come from an uploaded file, such as an unreadable scan. An undo can't upload the
  // file again.
  if (resource === "knowledge" && before?.["text"] === "") return "none";
  if (resource === "groups") return hasMembers ? "new-id" : "none";
  return before?.["has_secret"] === true ? "partial" : "new-id";
}

/** The run must lock the resource's group, so add the group to the update. */
function withGroup(
  fields: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  const group = before?.["group_id"];
  return group === undefined ? { ...fields } : { ...fields, group_id: group };
}

/** Returns a key such as `contacts/65f1…`, or `contacts/#3` if step 3 creates the resource. */
export function findResourceKey(resource: string, { path, op, step }: PlanStep): string | undefined {
  if (op.endsWith(".create")) return `${resource}/#${step}`;
  const [target] = Object.values(recordOf(path));
  if (typeof target === "string") return `${resource}/${target}`;
  const [reference] = referencesOf({ path });
  return reference === undefined ? undefined : `${resource}/#${reference}`;
}
