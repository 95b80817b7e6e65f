/**
 * The steps of a plan with what each of them expects (P4), for whoever seals one: `createStep`, `updateStep` and
 * `deleteStep` say it the same way for an import, a synchronization and a rehearsal.
 */
import { parsePathParameters } from "../../contract/operation.js";
import { wire } from "../../contract/wire.js";
import type { Fields } from "../fields.js";
import { recordOf } from "../values.js";
import { createdFingerprint, fingerprintOf, scopeOf, uniqueNameOf } from "./canonical.js";
import { isOperationName, type PlanStep, type UndoClass } from "./format.js";
import { plainFields, referencesOf, secretsIn } from "./references.js";

/** The subject of a step beside its action. */
interface StepOrigin {
  /** From 1, in the order of the plan. */
  step: number;
  /** The caller's own name for the row or file that it comes from, and the hash of what was sent for it. */
  key?: string;
  sent?: string;
  /** Earlier steps without which it is not sent. */
  needs?: number[];
}

/** The things beside which something is created. */
interface CreateNeighbours {
  equal?: number;
  sharing?: Fields | undefined;
  isCounted?: boolean;
}

/**
 * A create that expects its scope to hold no more equal things than `equal`. A group id in its body that is a text must
 * be there; a reference to an earlier step needs no check.
 * @param origin.sharing values by which it would be taken for another thing, and which none has
 * @param origin.isCounted how many there are is yet to be found out: it expects nothing
 */
export function createStep(
  resource: string,
  body: Readonly<Record<string, unknown>>,
  { equal = 0, sharing, isCounted = false, ...origin }: StepOrigin & CreateNeighbours,
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
      // A thing that is to lie in a group that the plan itself makes has no neighbours yet.
      ...(scope === undefined || isCounted ? {} : { absent: { in: scope, ...expected() } }),
      ...(typeof group_id === "string" ? { exists: [`groups/${group_id}`] } : {}),
    },
    undo: resource === "calls" ? "none" : "full",
  };
}

/**
 * An update that expects the fields which it changes to be as they were seen.
 * @param origin.identity fields that do not change, and by which the thing was found: they are to be as seen, too
 * @param target the thing's id, or a reference to the step that makes it
 * @param before the thing as it was seen; undefined where an earlier step of the plan has made or changed it
 */
export function updateStep(
  resource: string,
  target: unknown,
  changes: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | undefined,
  { identity = [], ...origin }: StepOrigin & { identity?: readonly string[] },
): PlanStep {
  const op = operationOf(resource, "update");
  const plain = Object.keys(changes).filter((field) => secretsIn(changes[field]).length === 0);
  const seen = (names: readonly string[]) =>
    before && Object.fromEntries(names.map((field) => [field, before[field] ?? null]));
  const fields = seen(plain);
  const isReplacingSecret = secretsIn(changes).length > 0;
  return {
    ...origin,
    op,
    path: pathOf(op, target),
    body: changes,
    ...(fields === undefined
      ? {}
      : { if: { fields: { ...fields, ...seen(identity) } }, before: withGroup(fields, before) }),
    undo: isReplacingSecret ? "none" : "full",
  };
}

/** The fields by which a person knows the thing, beside the fields that change. */
export function named(step: PlanStep, before: unknown): PlanStep {
  const shown = recordOf(before);
  const names = ["name", "first_name", "last_name", "term", "token"].filter((field) => field in shown);
  return {
    ...step,
    before: { ...Object.fromEntries(names.map((field) => [field, shown[field]])), ...step.before },
  };
}

/**
 * A knowledge item that is saved without a change, so that it is indexed again (public.operations.2).
 * @param before the item as it was seen
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
 * A delete that expects the thing to be as it was seen, in all its fields.
 * @param before the thing as it was seen
 * @param members of a group, where they follow as lines of their own: so that it can be made again with them
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

/** P5: how much of a delete can be taken back. */
function undoOfDelete(
  resource: string,
  before: Readonly<Record<string, unknown>> | undefined,
  hasMembers: boolean,
): UndoClass {
  // An assistant's number is lost with it.
  if (resource === "assistants" || resource === "recordings") return "none";
  // The service makes no item without a text again: a scan that could not be read, say.
  if (resource === "knowledge" && before?.["text"] === "") return "none";
  if (resource === "groups") return hasMembers ? "new-id" : "none";
  return before?.["has_secret"] === true ? "partial" : "new-id";
}

/** Where a thing lies decides whose lock its update takes (T20). */
function withGroup(
  fields: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  const group = before?.["group_id"];
  return group === undefined ? { ...fields } : { ...fields, group_id: group };
}

/** @throws TypeError where the contract has no such operation */
export function operationOf(resource: string, verb: string): PlanStep["op"] {
  const name = `${resource}.${verb}`;
  if (isOperationName(name)) return name;
  throw new TypeError(`the contract has no operation ${name}`);
}

export function pathOf(op: PlanStep["op"], target: unknown): Record<string, unknown> {
  const [parameter = ""] = parsePathParameters(wire[op].path);
  return { [parameter]: target };
}

/** The subject of a step, as text: `contacts/65f1…`, or `contacts/#3` for what step 3 makes. */
export function findResourceKey(resource: string, { path, op, step }: PlanStep): string | undefined {
  if (op.endsWith(".create")) return `${resource}/#${step}`;
  const [target] = Object.values(recordOf(path));
  if (typeof target === "string") return `${resource}/${target}`;
  const [reference] = referencesOf({ path });
  return reference === undefined ? undefined : `${resource}/#${reference}`;
}
