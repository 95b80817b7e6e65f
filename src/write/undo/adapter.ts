import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { failureDetail, withoutId } from "../engine/judgement.js";
import { requeue } from "../engine/requeue.js";
import { type Fields, pick } from "../fields.js";
import { type Item, isFinal, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { applyAdapter } from "../plan/adapter.js";
import { assignedOf } from "../plan/canonical.js";
import { membersOf } from "../plan/members.js";
import { createPlannedSteps, type PlannedStep } from "../plan/planned-steps.js";
import { sentOf } from "../plan/sent.js";
import { readResource } from "../remote.js";
import { recordOf } from "../values.js";
import { holdsNull, judgeReversal, missingResult, withEmptyValues } from "./reversal.js";
import type { ReadCurrent } from "./subject.js";

/** Sends the steps of an undo. Each resource is read right before it is changed (T6). */
export function undoAdapter(context: RunContext, journal: Journal): RunAdapter {
  const { prepare: _, takeHidden: __, ...base } = applyAdapter(context, journal, new Map());
  const plannedOf = createPlannedSteps(journal);
  /** A service may show an empty field as null and refuse null in a request. */
  let refusesNull = false;
  const withoutNull = new Set<number>();
  return {
    ...base,
    async lookUp() {
      // The read right before the next request decides about updates and deletes.
      for (const item of eachIn(journal, "unknown"))
        if (item.action !== "create" && !isFinal(item)) journal.record([requeue(item)], []);
      await base.lookUp();
    },
    request([item]) {
      const { step } = plannedOf(item);
      const { path } = sentOf(journal, { step });
      const body = item.action === "delete" ? {} : { body: item.body };
      return { operation: step.op, input: { path, ...body } };
    },
    async prepare(item) {
      const planned = plannedOf(item);
      const body = sentOf(journal, planned).body ?? {};
      if (item.action === "create") return { ...item, body };
      const judgement = await judge(context, journal, item, planned);
      if (judgement !== undefined && "state" in judgement) return judgement;
      const restored = judgement === undefined ? body : judgement.body;
      const isRewritten = refusesNull && item.action === "update";
      if (isRewritten) withoutNull.add(item.number);
      const sent = isRewritten ? withEmptyValues(restored, recordOf(item.before)) : restored;
      journal.amend(item.number, sent, { ...recordOf(item.detail), ...judgement?.detail });
      return { ...item, body: sent };
    },
    toResult({ number, action, target = "", detail }, data) {
      if (action === "delete") return { number, state: "done", target };
      const responseData = recordOf(data);
      const id = action === "create" ? responseData["id"] : target;
      return typeof id === "string" && id !== ""
        ? { number, state: "done", target: id, answer: responseData }
        : withoutId(number, recordOf(detail));
    },
    refused(item, error) {
      const { number, action } = item;
      const detail = { ...recordOf(item.detail), ...failureDetail(error) };
      if (error.status === 404 && action !== "create") return missingResult({ ...item, detail });
      const mayBeNull = action === "update" && error.status === 400 && holdsNull(recordOf(item.body));
      if (!mayBeNull || withoutNull.has(number))
        return { number, state: "rejected", outcome: "failed", detail };
      refusesNull = true;
      return { number, state: "planned" };
    },
  };
}

/**
 * Decides about the next undo of a resource (T6). Returns its result, a body to send instead, or undefined to
 * send the planned one.
 * @param read default: from the service
 */
export async function judge(
  context: RunContext,
  journal: Journal,
  item: Item,
  planned: PlannedStep,
  read: ReadCurrent = (resource, id) => readResource(context, resource, id),
): Promise<Result | { body: Fields; detail: Fields } | undefined> {
  if (item.action === "create") return undefined;
  const { resource } = planned;
  const now = (await read(resource, item.target ?? "")) ?? undefined;
  const written = recordOf(item.before);
  const body = sentOf(journal, planned).body;
  const fields = Object.keys({ ...written, ...body }).filter((field) => !assignedOf(resource).has(field));
  const sampled = journal.setting("incomparable");
  // An import's undo by an earlier version has the fields of its only resource type.
  const incomparable = Array.isArray(sampled) ? sampled : recordOf(sampled)[resource];
  const responseData = item.action === "update" ? pick(recordOf(item.answer), fields) : item.answer;
  const judgement = judgeReversal(
    { type: resource, fields },
    { ...item, body, answer: responseData },
    now,
    new Set(Array.isArray(incomparable) ? incomparable.map(String) : []),
  );
  if (judgement !== undefined || now === undefined || resource !== "groups" || item.action !== "delete")
    return withDetail(item, judgement);
  const reason = await keptReason(context, item.target ?? "", String(now["type"]));
  if (reason === undefined) return undefined;
  return withDetail(item, { number: item.number, state: "rejected", outcome: "changed", detail: { reason } });
}

/** Adds the reason to the results of items that an undo keeps. */
function withDetail<T extends Result | { body: Fields; detail: Fields } | undefined>(
  item: Item,
  judgement: T,
): T {
  if (judgement === undefined || !("state" in judgement) || judgement.state !== "rejected") return judgement;
  return { ...judgement, detail: { ...recordOf(item.detail), ...recordOf(judgement.detail) } };
}

/** A group is deleted only if two reads, a settle time apart, show it empty (T6). */
async function keptReason(context: RunContext, id: string, type: string): Promise<string | undefined> {
  const { clock, signal, settleMilliseconds, listener } = context;
  const holdsAny = async () => {
    for await (const member of membersOf(context, id, type)) {
      // A list may still show deleted items.
      if ((await readResource(context, member.resource, member.id)) !== null) return true;
    }
    return false;
  };
  const reason = `it contains resources that the run did not create: to delete it with them, use \`voxctl groups delete ${id}\``;
  if (await holdsAny()) return reason;
  if (settleMilliseconds === 0) return undefined;
  listener.rereading(settleMilliseconds, "before the group is deleted");
  await clock.sleep(settleMilliseconds, signal);
  return (await holdsAny()) ? reason : undefined;
}
