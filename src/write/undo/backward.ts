import type { RunContext } from "../engine/context.js";
import { requeue } from "../engine/requeue.js";
import { type Fields, omit, pick } from "../fields.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { assignedOf } from "../plan/canonical.js";
import { forwardCourse, refusedResult } from "../plan/forward.js";
import { membersOf } from "../plan/members.js";
import type { PlannedStep } from "../plan/planned-steps.js";
import { sentOf } from "../plan/sent.js";
import { findResult } from "../plan/unconfirmed-steps.js";
import { readResource } from "../remote.js";
import type { Course, Sending } from "../subject.js";
import { recordOf } from "../values.js";
import { holdsNull, judgeReversal, withEmptyValues } from "./reversal.js";

/** Reads each resource right before it is changed. */
export function backwardCourse(sending: Sending): Course {
  const { journal } = sending;
  const { idIn, missing, findListed = async () => {} } = forwardCourse(sending);
  /** Whether the service rejects null in requests. Such a service may still return null for empty fields. */
  let refusesNull = false;
  const withoutNull = new Set<number>();
  return {
    ...{ idIn, missing, findListed },
    async judge(item, planned) {
      if (item.action === "create") return undefined;
      const judgement = await judge(sending, item, planned);
      if (judgement !== undefined && "state" in judgement) return judgement;
      if (item.action === "delete") return undefined;
      const restored = judgement?.body ?? sentOf(journal, planned).body ?? {};
      if (refusesNull) withoutNull.add(item.number);
      const body = refusesNull ? withEmptyValues(restored, recordOf(item.before)) : restored;
      journal.amend(item.number, body, { ...recordOf(item.detail), ...judgement?.detail });
      return { ...item, body, input: { ...planned, step: { ...planned.step, body } } };
    },
    async refused(item, planned, error) {
      const isNullRefused =
        item.action === "update" &&
        error.status === 400 &&
        holdsNull(recordOf(item.body)) &&
        !withoutNull.has(item.number);
      if (!isNullRefused) return refusedResult(sending, item, planned, { error, missing: "gone" });
      refusesNull = true;
      return { number: item.number, state: "planned" };
    },
    // Send updates and deletes again. A read right before the request shows whether it is still required.
    lost: async (item, planned) =>
      item.action === "create" ? findResult(sending, item, planned) : requeue(item),
  };
}

/** Returns the result if no request is required, or a body to send instead. */
async function judge(
  sending: Sending,
  item: Item,
  planned: PlannedStep,
): Promise<Result | { body: Fields; detail: Fields } | undefined> {
  const { context, journal, read } = sending;
  const { resource, step } = planned;
  const current = await read(resource, item.target ?? "");
  // The journal omits these fields, so they can't be compared.
  const now = current === null ? undefined : omit(current, step.hidden ?? []);
  const written = recordOf(item.before);
  const body = sentOf(journal, planned).body;
  const fields = Object.keys({ ...written, ...body }).filter((field) => !assignedOf(resource).has(field));
  const sampled = journal.setting("incomparable");
  // An earlier version of voxctl stored a list for imports, with the fields of one resource type.
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
  const reason = await keptReason(context, journal, { id: item.target ?? "", type: String(now["type"]) });
  if (reason === undefined) return undefined;
  return withDetail(item, { number: item.number, state: "rejected", outcome: "changed", detail: { reason } });
}

function withDetail<T extends Result | { body: Fields; detail: Fields } | undefined>(
  item: Item,
  judgement: T,
): T {
  if (judgement === undefined || !("state" in judgement) || judgement.state !== "rejected") return judgement;
  return { ...judgement, detail: { ...recordOf(item.detail), ...recordOf(judgement.detail) } };
}

/** Returns whether the undo will still delete the resource, for example in a preview. */
function isDeletionPlanned({ database }: Journal, id: string): boolean {
  const row = database
    .prepare("SELECT 1 FROM items WHERE target = ? AND action = 'delete' AND state = 'planned' LIMIT 1")
    .get(id);
  return row !== undefined;
}

/**
 * Returns why a group must be kept. Returns undefined if two readings, a settle time apart, show only members
 * that will be deleted.
 */
async function keptReason(
  context: RunContext,
  journal: Journal,
  { id, type }: { id: string; type: string },
): Promise<string | undefined> {
  const { clock, signal, settleMilliseconds, listener } = context;
  const holdsAny = async () => {
    for await (const member of membersOf(context, id, type)) {
      if (isDeletionPlanned(journal, member.id)) continue;
      // A list may still contain deleted members.
      if ((await readResource(context, member.resource, member.id)) !== null) return true;
    }
    return false;
  };
  const reason = `the group contains resources that the run did not create; to delete the group and these resources, run \`voxctl groups delete ${id}\``;
  if (await holdsAny()) return reason;
  if (settleMilliseconds === 0) return undefined;
  listener.rereading(settleMilliseconds, "before the group is deleted");
  await clock.sleep(settleMilliseconds, signal);
  return (await holdsAny()) ? reason : undefined;
}
