import type { RunAdapter } from "./engine/adapter.js";
import type { RunContext } from "./engine/context.js";
import { failedResult, withoutId } from "./engine/judgement.js";
import type { Fields } from "./fields.js";
import { type Item, isFinal, type Result } from "./journal/item.js";
import type { Journal } from "./journal/journal.js";
import { eachIn } from "./journal/outcome.js";
import { createPlannedSteps } from "./plan/planned-steps.js";
import { type PlanSecrets, sentOf, targetOf } from "./plan/sent.js";
import type { ApplyTask } from "./plan/task.js";
import { readResource } from "./remote.js";
import type { Course, ReadCurrent, Sending, Subject } from "./subject.js";
import { recordOf } from "./values.js";

interface AdapterOptions {
  isUndo?: boolean;
  /** Whether the items were just compared with the current state. */
  isCompared?: boolean;
  secrets?: PlanSecrets;
  /** Called for each step once its response is complete. */
  done?: ApplyTask["done"];
}

const noSecrets: PlanSecrets = new Map();

/** @param read reads a resource; by default from the service */
export function sendingOf(
  context: RunContext,
  journal: Journal,
  isUndo: boolean,
  read: ReadCurrent = (resource, id) => readResource(context, resource, id),
): Sending {
  return { context, journal, isUndo, plannedOf: createPlannedSteps(journal), read };
}

/** Each step is sent after the steps that it needs. */
export function createAdapter(
  context: RunContext,
  journal: Journal,
  subject: Subject,
  { isUndo = false, isCompared = false, secrets = noSecrets, done: report }: AdapterOptions = {},
): RunAdapter {
  const sending = sendingOf(context, journal, isUndo);
  const { plannedOf, read } = sending;
  const course = subject.course(sending);
  const { shareOf, noteResult, buildBody, judge, findNormalized, compareAgain } = course;
  const { unlistedOf, unshown } = subject;
  const finished = createFinishedSteps(journal);
  /** Responses, including the secret fields that the journal omits. Kept only until the step is reported. */
  const responses = new Map<number, Fields>();
  const isIncomplete = (item: Item) =>
    item.action !== "delete" && (unlistedOf?.(plannedOf(item).resource).length ?? 0) > 0;
  const complete = async (item: Item) => {
    const now = isIncomplete(item) ? await read(plannedOf(item).resource, item.target ?? "") : null;
    const response = responses.get(item.number);
    responses.delete(item.number);
    const data = item.answer === undefined ? undefined : { ...recordOf(item.answer), ...response, ...now };
    await report?.({ step: plannedOf(item).step, id: item.target ?? "", data });
    return now ?? undefined;
  };
  return {
    paces: subject.paces,
    inOrder: subject.inOrder,
    keepsCanary: !subject.inOrder,
    ...(shareOf && { batchKey: shareOf }),
    plannedRequests: () => (shareOf === undefined ? journal.count("planned") : countRequests(journal)),
    needs(item, settle) {
      const { requires, follows, isBarrier } = plannedOf(item);
      if (!isBarrier) return follows.length === 0 ? requires : [...requires, ...follows];
      settle();
      const open = journal.openBefore(item.number);
      return [...requires, ...follows, ...(open === undefined ? [] : [open])];
    },
    decided(item, settle) {
      // Earlier results affect the decision, so write them to the journal first.
      if (subject.inOrder) settle();
      const noted = noteResult?.(item);
      if (noted !== undefined) return noted;
      const { requires } = plannedOf(item);
      if (!requires.every(finished.isKnown)) settle();
      for (const number of requires) {
        const needed = finished.isDone(number) ? undefined : journal.item(number);
        const result = needed && course.missing(item, needed);
        if (result !== undefined) return result;
      }
      return undefined;
    },
    request(batch) {
      const [item] = batch;
      const { op } = plannedOf(item).step;
      const { path, body: own } = sentOf(journal, plannedOf(item), secrets, finished.idOf);
      const body =
        own === undefined || buildBody === undefined
          ? own
          : buildBody(op, [
              own,
              ...batch.slice(1).map((shared) => sentOf(journal, plannedOf(shared), secrets).body ?? {}),
            ]);
      return { operation: op, input: { path, ...(body === undefined ? {} : { body }) } };
    },
    prepare: (item) => judge?.(item, plannedOf(item)),
    toResult(item, data): Result {
      const { number, action, detail } = item;
      const planned = plannedOf(item);
      const known = action === "create" ? undefined : targetOf(journal, item, planned);
      const target = known ?? course.idIn(item, data);
      if (target === undefined) return withoutId(number, recordOf(detail));
      if (action === "delete" || unshown?.has(planned.resource)) return { number, state: "done", target };
      const answer = recordOf(data);
      if (report !== undefined) responses.set(number, answer);
      const normalized = findNormalized?.(item, planned, answer);
      if (normalized === undefined || normalized.length === 0)
        return { number, state: "done", target, answer };
      const withNormalized = { ...recordOf(detail), stored_otherwise: normalized };
      return { number, state: "done", target, answer, detail: withNormalized };
    },
    async refused(item, error) {
      return (await course.refused(item, plannedOf(item), error)) ?? failedResult(item, error);
    },
    // Responses to writes omit some fields, so read the resource again.
    ...((report ?? unlistedOf) && { complete, completes: report === undefined ? isIncomplete : () => true }),
    lookUp: () => lookUpLost(sending, course),
    ...(isCompared || compareAgain === undefined ? {} : { compareAgain }),
  };
}

/**
 * Determines the results of items whose responses were lost. Must not be called while their requests can
 * still take effect.
 * @throws if the results can't be read; the items then stay unconfirmed
 */
export async function lookUpLost(
  { context, journal, plannedOf }: Sending,
  { lost, findListed }: Pick<Course, "lost" | "findListed">,
): Promise<void> {
  for (const item of eachIn(journal, "unknown")) {
    if (isFinal(item)) continue;
    context.signal.throwIfAborted();
    const result = await lost(item, plannedOf(item));
    if (result !== undefined) journal.record([result], []);
  }
  await findListed?.();
}

/** Caches finished steps, so that each step is queried only once. */
function createFinishedSteps(journal: Journal) {
  const ids = new Map<number, string | undefined>();
  const isDone = (number: number) => {
    const item = ids.has(number) ? undefined : journal.item(number);
    if (item?.state === "done") ids.set(number, item.target);
    return ids.has(number);
  };
  return {
    isKnown: (number: number) => ids.has(number),
    isDone,
    idOf: (number: number) => (isDone(number) ? ids.get(number) : journal.item(number)?.target),
  };
}

/** Several items may share one request. */
function countRequests({ database }: Journal): number {
  const row = database
    .prepare(
      "SELECT count(DISTINCT coalesce(json_extract(input, '$.share'), number)) AS n FROM items WHERE state = 'planned'",
    )
    .get();
  return Number(row?.["n"] ?? 0);
}
