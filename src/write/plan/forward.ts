import type { ClientError } from "../../client/errors.js";
import { failureDetail } from "../engine/judgement.js";
import { type Fields, isSame, omit, pick } from "../fields.js";
import { findChangedFields } from "../group/changed-fields.js";
import { type Item, json, type Result } from "../journal/item.js";
import type { Course, NormalizedField, Sending } from "../subject.js";
import { recordOf } from "../values.js";
import { assignedOf } from "./canonical.js";
import { compareAgain } from "./compare.js";
import { differenceOf } from "./conditions.js";
import { memberFailure } from "./members.js";
import type { PlannedStep } from "./planned-steps.js";
import { plainFields } from "./references.js";
import { isAsSent, sentOf, targetOf } from "./sent.js";
import { findListedSteps, findRefused, findResult } from "./unconfirmed-steps.js";

/**
 * Reads each resource right before it is updated or deleted, and skips the step if the resource differs from
 * the plan's expectation.
 */
export function forwardCourse(sending: Sending): Course {
  const { context, journal } = sending;
  return {
    idIn(_, data) {
      const { id, call_id } = recordOf(data);
      const own = id ?? call_id;
      return own === undefined || own === "" ? undefined : String(own);
    },
    missing: blockedResult,
    judge(item, planned) {
      const target = targetOf(journal, item, planned);
      return target === undefined ? undefined : judgeNow(sending, item, planned, target);
    },
    findNormalized: (_, planned, data) => findNormalizedFields(planned, recordOf(data)),
    refused: (item, planned, error) => refusedResult(sending, item, planned, { error, missing: "drifted" }),
    lost: (item, planned) => findResult(sending, item, planned),
    findListed: () => findListedSteps(sending),
    compareAgain: () => compareAgain(context, journal),
  };
}

export function blockedResult({ number, detail }: Item, { line }: Item): Result {
  const reason = `requires step ${line}, which was not done`;
  return { number, state: "rejected", outcome: "blocked", detail: { ...recordOf(detail), reason } };
}

/**
 * Returns the result of a rejected request if the resource was deleted or already exists.
 * @param missing outcome if the resource to change was deleted
 * @returns undefined if the request failed for another reason
 */
export async function refusedResult(
  sending: Sending,
  item: Item,
  planned: PlannedStep,
  { error, missing }: { error: ClientError; missing: "drifted" | "failed" | "gone" },
): Promise<Result | undefined> {
  const { number, action, attempts } = item;
  if (error.status === 409 && action === "create") return findRefused(sending, item, planned);
  if (error.status !== 404 || action === "create") return undefined;
  // An earlier request without a response has deleted the resource.
  if (action === "delete" && attempts > 0)
    return { number, state: "done", target: targetOf(sending.journal, item, planned) ?? "" };
  const detail = { ...recordOf(item.detail), ...failureDetail(error) };
  return { number, state: "rejected", outcome: missing, detail };
}

/** @returns undefined to send the step */
async function judgeNow(
  sending: Sending,
  item: Item,
  planned: PlannedStep,
  target: string,
): Promise<Result | undefined> {
  const { journal, read } = sending;
  const { number, action, attempts } = item;
  const { step, resource } = planned;
  const now = await read(resource, target);
  if (now === null && action === "delete" && attempts > 0 && resource !== "recordings")
    return { number, state: "done", target };
  const difference = await differenceNow(sending, planned, now);
  if (difference !== undefined) {
    // An earlier request without a response has already made this change.
    const { body } = sentOf(journal, planned);
    const isDone = attempts > 0 && action === "update" && now !== null && isAsSent(body ?? {}, now, step);
    if (isDone) return { number, state: "done", target, answer: now };
    const detail = { ...recordOf(item.detail), reason: difference };
    return { number, state: "rejected", outcome: "drifted", detail };
  }
  if (now === null || resource === "recordings") return undefined;
  // An undo needs this state, so store it unless the journal already contains it.
  const before = action === "delete" ? now : pick(now, Object.keys(step.body ?? {}));
  const isKept = item.before !== undefined && (attempts > 0 || json(item.before) === json(before));
  if (!isKept) journal.keepBefore(number, before);
  return undefined;
}

async function differenceNow(
  { context, journal }: Sending,
  { step, resource, previous }: PlannedStep,
  now: Fields | null,
): Promise<string | undefined> {
  if (now === null) return "no longer exists with this ID";
  const previousData = previous === undefined ? undefined : journal.item(previous)?.answer;
  if (previousData !== undefined) {
    const previousFields = recordOf(previousData);
    const shown = Object.keys(previousFields).filter((field) => field in now);
    const changed = findChangedFields(resource, pick(previousFields, shown), pick(now, shown), new Set());
    if (changed.length > 0) return `was changed after step ${previous}: ${changed.join(", ")}`;
    return undefined;
  }
  if (resource === "recordings") return undefined;
  const difference = differenceOf(resource, step.if ?? {}, now);
  if (difference !== undefined) return difference;
  const { members } = step.if ?? {};
  return members === undefined ? undefined : memberFailure(context, step, members);
}

function findNormalizedFields({ step, resource }: PlannedStep, responseData: Fields): NormalizedField[] {
  const sent = plainFields(step.body ?? {});
  const placeholders = Object.keys(step.body ?? {}).filter((field) => !(field in sent));
  const expected = omit(step.after ?? sent, [...placeholders, ...(step.hidden ?? [])]);
  const assigned = assignedOf(resource);
  return (
    Object.entries(expected)
      .filter(([field]) => field in responseData && !assigned.has(field))
      // A plan that was edited by hand may contain an outdated `after`.
      .filter(([field]) => !isSame(responseData[field], sent[field]))
      .filter(([field, value]) => !isStored(value, responseData[field]))
      .map(([field, value]) => ({ field, expected: value, found: responseData[field] }))
  );
}

/**
 * Returns whether the service stored a value as expected. An object may have additional fields, because the
 * service sets omitted fields to defaults.
 */
function isStored(expected: unknown, actual: unknown): boolean {
  if (expected === actual) return true;
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(expected) || !isObject(actual)) return isSame(actual, expected);
  const actualFields = recordOf(actual);
  return Object.entries(recordOf(expected)).every(([name, value]) => isStored(value, actualFields[name]));
}
