import type { ClientError } from "../../../client/errors.js";
import { organizationId, sentOrganizationId } from "../../../client/ids.js";
import type { RunAdapter } from "../../../write/engine/adapter.js";
import type { RunContext } from "../../../write/engine/context.js";
import { failureDetail, withoutId } from "../../../write/engine/judgement.js";
import { requeue, resend, retryLost } from "../../../write/engine/requeue.js";
import type { Item, Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { createPlannedSteps } from "../../../write/plan/planned-steps.js";
import { sentOf } from "../../../write/plan/sent.js";
import { recordOf } from "../../../write/values.js";
import { findOrganization, type Inventory, organizationOf } from "../inventory.js";
import { aboutOf, hasStep } from "../items.js";
import { missingResult, orphanedResult, resultWithMsp } from "./blocked.js";
import { createdResult, differencesOf, judgeItem, refreshItems } from "./judge.js";
import { readOfRun } from "./read-of-run.js";
import { judgeReversal } from "./reversal.js";
import { createSentIds } from "./sent-ids.js";
import { withNormalizedFields } from "./verify.js";

/** A resource to change or delete was read at most this long ago. */
const freshMilliseconds = 60_000;

/**
 * Sends the steps of a run of organizations, or of its undo, in their order. An interrupted run that is started again has the
 * same result: external ids are unique (v2.duplicate), so nothing is created twice, and existing organizations
 * are only compared. A refused request affects only its own item and the items that need it.
 * @param options.known the inventory of a moment ago
 */
export function organizationsAdapter(
  context: RunContext,
  journal: Journal,
  { known, isUndo = false }: { known?: Inventory | undefined; isUndo?: boolean } = {},
): RunAdapter {
  const { see, formOf, isWorthNumber } = createSentIds();
  known?.organizations.forEach(see);
  let last = known && { inventory: known, readAt: context.clock.now() };
  const read = async () => {
    const inventory = await readOfRun(context, journal, last?.inventory);
    inventory.organizations.forEach(see);
    last = { inventory, readAt: context.clock.now() };
    return inventory;
  };
  const plannedOf = createPlannedSteps(journal);
  const bodyOf = (item: Item) => sentOf(journal, plannedOf(item)).body ?? {};
  return {
    paces: "orgs.create",
    // The service shows organizations in the order in which they were created, and a license has to be free before it is
    // given away.
    inOrder: true,
    plannedRequests: () => countRequests(journal),
    batchKey: (item) => (hasStep(item) ? plannedOf(item).share : undefined),
    decided(item, settle) {
      // The items that it needs are read from the journal.
      settle();
      if (!hasStep(item)) return resultWithMsp(journal, item);
      const { requires } = plannedOf(item);
      return isUndo ? orphanedResult(journal, item, requires) : missingResult(journal, item, requires);
    },
    async prepare(item) {
      const { share, step } = plannedOf(item);
      const isRead = isUndo
        ? share === undefined
        : item.action === "delete" || step.op === "licenses.reassign";
      if (!isRead) return undefined;
      const isFresh = last !== undefined && context.clock.now() < last.readAt + freshMilliseconds;
      const inventory = isFresh && last !== undefined ? last.inventory : await read();
      return (isUndo ? judgeReversal : judgeItem)(item, inventory, journal);
    },
    request([item, ...moreItems]) {
      const { step } = plannedOf(item);
      const { path, body } = sentOf(journal, plannedOf(item));
      if (step.op === "licenses.upsert") {
        const licenses = mergeLicenses([item, ...moreItems].map(bodyOf));
        return { operation: step.op, input: { path, body: { licenses } } };
      }
      if (body === undefined) return { operation: step.op, input: { path } };
      const { parentOrganizationId: parent } = body;
      const sent = parent === undefined ? body : { ...body, parentOrganizationId: formOf(String(parent)) };
      return { operation: step.op, input: { ...(step.path === undefined ? {} : { path }), body: sent } };
    },
    toResult(item, data) {
      const { number, action, target, detail } = item;
      const { kind, external_id } = aboutOf(item);
      if (kind === "license") return { number, state: "done", target: external_id };
      if (action === "delete") return { number, state: "done", target: target ?? "" };
      const id = action === "create" ? organizationId(data) : target;
      if (id === undefined) return withoutId(number, recordOf(detail));
      if (action === "create") see({ id, sentId: sentOrganizationId(data) });
      // The fields of the organization according to the response (T1).
      const done: Result = { number, state: "done", target: id, answer: data };
      return withNormalizedFields(done, item, organizationOf(data));
    },
    async refused(item, error) {
      const { parentOrganizationId: parent } = bodyOf(item);
      if (parent !== undefined && isWorthNumber(String(parent), error)) return requeue(item);
      return isUndo ? refusedReversal(context, item, error) : refusedResult(context, item, error);
    },
    // Send the same request again: external ids are unique, so a conflict proves that the item exists (T5a).
    lookUp: async () => retryLost(journal, resend),
    ...(isUndo
      ? {}
      : {
          async compareAgain() {
            refreshItems(journal, await read());
          },
        }),
  };
}

/** Counts the planned requests; licenses of one step share one. */
function countRequests({ database }: Journal): number {
  const row = database
    .prepare(
      "SELECT count(DISTINCT coalesce(json_extract(input, '$.share'), number)) AS n FROM items WHERE state = 'planned'",
    )
    .get();
  return Number(row?.["n"] ?? 0);
}

/** The licenses of one request, each once. */
function mergeLicenses(bodies: readonly Readonly<Record<string, unknown>>[]): object[] {
  const merged = new Map<unknown, object>();
  for (const { licenses } of bodies) {
    for (const license of Array.isArray(licenses) ? licenses.map(recordOf) : []) {
      const id = license["externalLicenseId"];
      merged.set(id, { ...merged.get(id), ...license });
    }
  }
  return [...merged.values()];
}

/** Reads a refusal as the result of its item. */
async function refusedResult(context: RunContext, item: Item, error: ClientError): Promise<Result> {
  const { number, target = "", action, attempts } = item;
  const known = recordOf(item.detail);
  const about = aboutOf(item);
  const skipped = (outcome: string, more: object = {}): Result => ({
    ...{ number, state: "skipped", outcome },
    detail: { ...known, ...more },
  });
  if (error.status === 404 && action === "delete") {
    // An earlier request without a response deleted it.
    return attempts > 0 ? { number, state: "done", target } : skipped("gone");
  }
  if (error.status === 404 && action === "update") return skipped("left", { reason: "no longer exists" });
  // v2.delete.msp: another user's customers came to be in it.
  if (error.status === 409 && action === "delete") return skipped("left", { reason: error.message });
  if (error.status === 409 && about.kind !== "license") {
    const existing = await findOrganization(context, about.external_id, { isExpected: true });
    if (existing !== undefined && action === "create")
      // Without an earlier lost request, another user created it: an undo must not delete it.
      return createdResult(item, existing.id, differencesOf(about, existing));
    // A license that is assigned to it already can't be assigned: an earlier request did that.
    if (existing?.id === target && existing.license === recordOf(item.body)["externalLicenseId"])
      return createdResult(item, target, []);
  }
  const outcome = error.status === 409 ? "conflicts" : "failed";
  return { number, state: "rejected", outcome, detail: { ...known, ...failureDetail(error) } };
}

/** The meaning of a refusal for an organization that an undo changes. */
const refusals: Readonly<Record<number, string>> = { 404: "gone", 409: "changed" };

/** Reads the refusal of an undo as the result of its item. */
async function refusedReversal(context: RunContext, item: Item, error: ClientError): Promise<Result> {
  const { number, target = "", action, attempts } = item;
  const { kind, external_id } = aboutOf(item);
  // An earlier request without a response deleted the organization.
  if (action === "delete" && error.status === 404 && attempts > 0) return { number, state: "done", target };
  if (action !== "delete" && kind !== "license" && error.status === 409 && attempts > 0) {
    const existing = await findOrganization(context, external_id, { isExpected: true });
    const isDone = action === "create" || existing?.license === recordOf(item.body)["externalLicenseId"];
    if (existing !== undefined && isDone) return { number, state: "done", target: existing.id };
  }
  const outcome = action === "create" ? "failed" : (refusals[error.status ?? 0] ?? "failed");
  const detail = { ...recordOf(item.detail), ...failureDetail(error) };
  return { number, state: "rejected", outcome, detail };
}
