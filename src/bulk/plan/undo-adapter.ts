import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { failureDetail, withoutId } from "../engine/judgement.js";
import { type Fields, pick } from "../fields.js";
import { holdsNull, judgeReversal, withEmptyValues } from "../imports/undo-adapter.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { applyAdapter } from "./adapter.js";
import { assignedOf } from "./canonical.js";
import { plannedStepOf } from "./items.js";
import { membersOf, readResource } from "./remote.js";
import { sentOf } from "./sent.js";

/** Each resource is read right before it is changed (T6). */
export function undoAdapter(context: RunContext, journal: Journal): RunAdapter {
  const base = applyAdapter(context, journal, new Map());
  const { needs, decided, lookUp, complete, completes } = base;
  const withoutNull = new Set<number>();
  return {
    paces: base.paces,
    keepsCanary: true,
    ...(needs === undefined ? {} : { needs }),
    ...(decided === undefined ? {} : { decided }),
    lookUp,
    ...(complete === undefined ? {} : { complete }),
    ...(completes === undefined ? {} : { completes }),
    request([item]) {
      const { step } = plannedStepOf(item);
      const { path } = sentOf(journal, { step });
      const body = item.action === "delete" ? {} : { body: item.body };
      return { operation: step.op, input: { path, ...body } };
    },
    async prepare(item) {
      const planned = plannedStepOf(item);
      const body = sentOf(journal, planned).body ?? {};
      if (item.action === "create") return { ...item, body };
      const judgement = await judge(context, journal, item);
      if (judgement !== undefined && "state" in judgement) return judgement;
      const restored = judgement === undefined ? body : judgement.body;
      const sent = withoutNull.has(item.number) ? withEmptyValues(restored, recordOf(item.before)) : restored;
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
      const { number, action, attempts, target = "" } = item;
      const detail = { ...recordOf(item.detail), ...failureDetail(error) };
      if (error.status === 404 && action !== "create") {
        if (action === "delete" && attempts > 0) return { number, state: "done", target };
        return { number, state: "rejected", outcome: "gone", detail };
      }
      // A service may show an empty field as null and refuse null in a request.
      const mayBeNull = action === "update" && error.status === 400 && holdsNull(recordOf(item.body));
      if (mayBeNull && !withoutNull.has(number)) {
        withoutNull.add(number);
        return { number, state: "planned" };
      }
      return { number, state: "rejected", outcome: "failed", detail };
    },
  };
}

/**
 * Decides about the next undo of a resource (T6). Returns its result, a body to send instead, or undefined to
 * send the planned one.
 */
export async function judge(
  context: RunContext,
  journal: Journal,
  item: Item,
): Promise<Result | { body: Fields; detail: Fields } | undefined> {
  if (item.action === "create") return undefined;
  const planned = plannedStepOf(item);
  const { resource } = planned;
  const now = (await readResource(context, resource, item.target ?? "")) ?? undefined;
  const written = recordOf(item.before);
  const body = sentOf(journal, planned).body;
  const fields = Object.keys({ ...written, ...body }).filter((field) => !assignedOf(resource).has(field));
  const incomparable = recordOf(journal.setting("incomparable"))[resource];
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
