import { organizationId, sentOrganizationId } from "../../../client/ids.js";
import type { RunAdapter } from "../../../write/engine/adapter.js";
import type { RunContext } from "../../../write/engine/context.js";
import { withoutId } from "../../../write/engine/judgement.js";
import { requeue, resend, retryLost } from "../../../write/engine/requeue.js";
import type { Item, Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { createPlannedSteps } from "../../../write/plan/planned-steps.js";
import { sentOf } from "../../../write/plan/sent.js";
import { recordOf } from "../../../write/values.js";
import { type Inventory, organizationOf } from "../inventory.js";
import { aboutOf, hasStep } from "../items.js";
import { resultWithMsp } from "./blocked.js";
import type { Direction } from "./direction.js";
import { forward } from "./forward.js";
import { refreshItems } from "./judge.js";
import { readOfRun } from "./read-of-run.js";
import { createSentIds } from "./sent-ids.js";
import { withNormalizedFields } from "./verify.js";

/** Maximum age, in milliseconds, of the state of a resource to change or delete. */
const freshMilliseconds = 60_000;

/**
 * Creates the adapter that sends the steps of an organization run or its undo, in order. Resuming an interrupted
 * run has the same result as an uninterrupted run: external ids are unique (v2.duplicate), so nothing is created
 * twice, and existing organizations are only compared. A refused request affects only its own item and the items
 * that need it.
 * @param options.known recent inventory
 */
export function organizationsAdapter(
  context: RunContext,
  journal: Journal,
  { known, direction = forward }: { known?: Inventory | undefined; direction?: Direction } = {},
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
    // The service lists organizations in the order of their creation, and a license must be free before it can be
    // assigned.
    inOrder: true,
    plannedRequests: () => countRequests(journal),
    batchKey: (item) => (hasStep(item) ? plannedOf(item).share : undefined),
    decided(item, settle) {
      // Write pending results first, because the required items are read from the journal.
      settle();
      return hasStep(item)
        ? direction.missing(journal, item, plannedOf(item).requires)
        : resultWithMsp(journal, item);
    },
    async prepare(item) {
      if (!direction.isRead(item, plannedOf(item))) return undefined;
      const isFresh = last !== undefined && context.clock.now() < last.readAt + freshMilliseconds;
      const inventory = isFresh && last !== undefined ? last.inventory : await read();
      return direction.judge(item, inventory, journal);
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
      // Keep the response, because the service may normalize fields.
      const done: Result = { number, state: "done", target: id, answer: data };
      return withNormalizedFields(done, item, organizationOf(data));
    },
    async refused(item, error) {
      const { parentOrganizationId: parent } = bodyOf(item);
      if (parent !== undefined && isWorthNumber(String(parent), error)) return requeue(item);
      return direction.refused(context, item, error);
    },
    // Send the same request again: external ids are unique, so a conflict proves that the item exists.
    lookUp: async () => retryLost(journal, resend),
    ...(direction.isComparedAgain
      ? {
          async compareAgain() {
            refreshItems(journal, await read());
          },
        }
      : {}),
  };
}

/** Counts the planned requests; the licenses of a step share one. */
function countRequests({ database }: Journal): number {
  const row = database
    .prepare(
      "SELECT count(DISTINCT coalesce(json_extract(input, '$.share'), number)) AS n FROM items WHERE state = 'planned'",
    )
    .get();
  return Number(row?.["n"] ?? 0);
}

/** Merges the licenses of several bodies, each license once. */
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
