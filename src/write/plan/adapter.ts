import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { failureDetail, withoutId } from "../engine/judgement.js";
import { type Fields, isSame, pick } from "../fields.js";
import { findChangedFields } from "../group/changed-fields.js";
import { type Item, json, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { readResource } from "../remote.js";
import { recordOf } from "../values.js";
import { assignedOf, unlistedOf } from "./canonical.js";
import { differenceOf } from "./conditions.js";
import { memberFailure } from "./members.js";
import { createPlannedSteps, type PlannedStep } from "./planned-steps.js";
import { plainFields, secretsIn } from "./references.js";
import { isAsSent, type PlanSecrets, sentOf, targetOf } from "./sent.js";
import { findRefused, resolveUnconfirmedSteps } from "./unconfirmed-steps.js";

/**
 * Applies a plan: sends each step unchanged, once the steps that it needs are done. A resource is read right
 * before it is updated or deleted, and is kept if it is not in the state that the plan expects (A4).
 */
export function applyAdapter(context: RunContext, journal: Journal, secrets: PlanSecrets): ApplyAdapter {
  /** Fields of responses that no journal stores, kept until each step is reported. */
  const hidden = new Map<number, Fields>();
  const read = (resource: string, id: string) => readResource(context, resource, id);
  const hide = ({ number }: Item, { step }: PlannedStep, responseData: Fields): Fields => {
    const { open, secret } = splitResponse(step, responseData);
    if (Object.keys(secret).length > 0) hidden.set(number, { ...hidden.get(number), ...secret });
    return open;
  };
  const plannedOf = createPlannedSteps(journal);
  /** Ids created by finished steps that other steps need. */
  const done = new Map<number, string | undefined>();
  const isDone = (number: number) => {
    const item = done.has(number) ? undefined : journal.item(number);
    if (item?.state === "done") done.set(number, item.target);
    return done.has(number);
  };
  const idOf = (number: number) => (isDone(number) ? done.get(number) : journal.item(number)?.target);
  return {
    paces: "contacts.create",
    keepsCanary: true,
    needs(item, settle) {
      const { requires, follows, isBarrier } = plannedOf(item);
      if (!isBarrier) return follows.length === 0 ? requires : [...requires, ...follows];
      settle();
      const open = journal.openBefore(item.number);
      return [...requires, ...follows, ...(open === undefined ? [] : [open])];
    },
    decided(item, settle) {
      const { requires } = plannedOf(item);
      if (requires.some((number) => !done.has(number))) settle();
      const missing = requires.find((number) => !isDone(number));
      return missing === undefined ? undefined : blockedResult(item, missing);
    },
    request([item]) {
      const planned = plannedOf(item);
      const { path, body } = sentOf(journal, planned, secrets, idOf);
      return { operation: planned.step.op, input: { path, ...(body === undefined ? {} : { body }) } };
    },
    async prepare(item) {
      const planned = plannedOf(item);
      const target = targetOf(journal, item, planned);
      if (target === undefined) return undefined;
      return judgeNow(context, journal, item, planned, target, await read(planned.resource, target));
    },
    toResult(item, data) {
      const planned = plannedOf(item);
      const result = buildDoneResult(journal, item, planned, data);
      if (result.state !== "done" || result.answer === undefined) return result;
      return { ...result, answer: hide(item, planned, recordOf(result.answer)) };
    },
    takeHidden(number) {
      const fields = hidden.get(number) ?? {};
      hidden.delete(number);
      return fields;
    },
    refused: async (item, error) => {
      const { number, action, attempts } = item;
      const planned = plannedOf(item);
      const detail = { ...recordOf(item.detail), ...failureDetail(error) };
      if (error.status === 404 && action !== "create") {
        const target = targetOf(journal, item, planned) ?? "";
        if (action === "delete" && attempts > 0) return { number, state: "done", target };
        return { number, state: "rejected", outcome: "drifted", detail };
      }
      const match = error.status === 409 ? await findRefused(context, journal, item) : undefined;
      return match ?? { number, state: "rejected", outcome: "failed", detail };
    },
    lookUp: () => resolveUnconfirmedSteps(context, journal),
    // Read fields that a response does not show by a get (T1).
    completes: (item) => item.action !== "delete" && unlistedOf(plannedOf(item).resource).length > 0,
    async complete(item) {
      const planned = plannedOf(item);
      const now = await read(planned.resource, item.target ?? "");
      return now === null ? undefined : hide(item, planned, now);
    },
  };
}

/** Applies a plan and passes on the fields that its journal does not store. */
export interface ApplyAdapter extends RunAdapter {
  /** Returns once the fields of a step's response that show values sent by reference. */
  takeHidden?(number: number): Fields;
}

/**
 * Splits a response into the fields to journal and those that the step sends by reference: their values must
 * not be in a journal.
 */
function splitResponse(
  { body = {} }: PlannedStep["step"],
  responseData: Fields,
): { open: Fields; secret: Fields } {
  const isSecret = (field: string) => field in body && secretsIn(body[field]).length > 0;
  const fields = Object.keys(responseData);
  return {
    open: pick(
      responseData,
      fields.filter((field) => !isSecret(field)),
    ),
    secret: pick(responseData, fields.filter(isSecret)),
  };
}

/** A step is not sent if a step that it needs failed. */
function blockedResult(item: Item, missing: number): Result {
  const detail = { ...recordOf(item.detail), reason: `it needs step ${missing}, which was not done` };
  return { number: item.number, state: "rejected", outcome: "blocked", detail };
}

/**
 * Decides about a step by the current state of its resource (A4).
 * @param now null if it was deleted
 * @returns undefined to send the step
 */
async function judgeNow(
  context: RunContext,
  journal: Journal,
  item: Item,
  planned: PlannedStep,
  target: string,
  now: Fields | null,
): Promise<Result | undefined> {
  const { number, action, attempts } = item;
  const { step, resource, previous } = planned;
  if (now === null && action === "delete" && attempts > 0 && resource !== "recordings")
    return { number, state: "done", target };
  const difference = await differenceNow(context, journal, planned, previous, now);
  if (difference !== undefined) {
    // An earlier request without a response has already made this change.
    const { body } = sentOf(journal, planned);
    const isDone = attempts > 0 && action === "update" && now !== null && isAsSent(body ?? {}, now, step);
    if (isDone) return { number, state: "done", target, answer: now };
    const detail = { ...recordOf(item.detail), reason: difference };
    return { number, state: "rejected", outcome: "drifted", detail };
  }
  if (now === null || resource === "recordings") return undefined;
  // The state to restore in an undo; mostly equal to the plan, which the journal contains already.
  const changed = action === "delete" ? now : pick(now, Object.keys(step.body ?? {}));
  const before = splitResponse(step, changed).open;
  const isKept = item.before !== undefined && (attempts > 0 || json(item.before) === json(before));
  if (!isKept) journal.keepBefore(number, before);
  return undefined;
}

async function differenceNow(
  context: RunContext,
  journal: Journal,
  { step, resource }: PlannedStep,
  previous: number | undefined,
  now: Fields | null,
): Promise<string | undefined> {
  if (now === null) return "no longer exists";
  const previousData = previous === undefined ? undefined : journal.item(previous)?.answer;
  if (previousData !== undefined) {
    const previousFields = recordOf(previousData);
    const shown = Object.keys(previousFields).filter((field) => field in now);
    // Compare only fields that both the response and this read show (T1).
    const changed = findChangedFields(resource, pick(previousFields, shown), pick(now, shown), new Set());
    if (changed.length > 0) return `was changed since step ${previous}: ${changed.join(", ")}`;
    return undefined;
  }
  if (resource === "recordings") return undefined;
  const difference = differenceOf(resource, step.if ?? {}, now);
  if (difference !== undefined) return difference;
  const { members } = step.if ?? {};
  return members === undefined ? undefined : memberFailure(context, step, members);
}

/**
 * Returns the stored state according to the response (T1), and the values that the service normalized (A9).
 */
function buildDoneResult(journal: Journal, item: Item, planned: PlannedStep, data: unknown): Result {
  const { number, action } = item;
  const responseData = recordOf(data);
  if (action === "delete") return { number, state: "done", target: targetOf(journal, item, planned) ?? "" };
  const id = responseData["id"] ?? responseData["call_id"] ?? targetOf(journal, item, planned);
  if (id === undefined || id === "") return withoutId(number, recordOf(item.detail));
  const normalizedFields = findNormalizedFields(planned, responseData);
  const detail = { ...recordOf(item.detail), stored_otherwise: normalizedFields };
  return {
    number,
    state: "done",
    target: String(id),
    answer: responseData,
    ...(normalizedFields.length > 0 ? { detail } : {}),
  };
}

/** A field that the service did not store as it was sent, or as the rehearsal had stored it. */
interface NormalizedField {
  field: string;
  expected: unknown;
  found: unknown;
}

function findNormalizedFields({ step, resource }: PlannedStep, responseData: Fields): NormalizedField[] {
  const sent = plainFields(step.body ?? {});
  const placeholders = new Set(Object.keys(step.body ?? {}).filter((field) => !(field in sent)));
  const expected: Fields = step.after ?? sent;
  const assigned = assignedOf(resource);
  return Object.entries(expected)
    .filter(([field]) => field in responseData && !assigned.has(field) && !placeholders.has(field))
    .filter(([field, value]) => !isStored(value, responseData[field]))
    .map(([field, value]) => ({ field, expected: value, found: responseData[field] }));
}

/**
 * An object may be shown with more fields than were sent, because the service fills omitted ones with
 * defaults.
 */
function isStored(expected: unknown, actual: unknown): boolean {
  if (expected === actual) return true;
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(expected) || !isObject(actual)) return isSame(actual, expected);
  const actualFields = recordOf(actual);
  return Object.entries(recordOf(expected)).every(([name, value]) => isStored(value, actualFields[name]));
}
