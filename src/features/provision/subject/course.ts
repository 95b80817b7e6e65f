import { organizationId, sentOrganizationId } from "../../../client/ids.js";
import { requeue, resend } from "../../../write/engine/requeue.js";
import type { Item } from "../../../write/journal/item.js";
import { sentOf } from "../../../write/plan/sent.js";
import type { Course, Sending } from "../../../write/subject.js";
import { recordOf } from "../../../write/values.js";
import { type Inventory, organizationOf } from "../inventory.js";
import { aboutOf, hasStep } from "../items.js";
import { missingResult, orphanedResult, resultWithMsp } from "./blocked.js";
import { judgeItem, judgeLicense, refreshItems } from "./judge.js";
import { createOwnedLicenses } from "./owned-licenses.js";
import { readOfRun } from "./read-of-run.js";
import { refusedResult } from "./refused.js";
import { judgeReversal, refusedReversal } from "./reversal.js";
import { createSentIds } from "./sent-ids.js";
import { findNormalizedFields } from "./verify.js";

/** Age, in milliseconds, after which organizations are read again before a change or deletion. */
const freshMilliseconds = 60_000;

/**
 * A resumed run creates nothing twice, because external IDs are unique (v2.duplicate).
 * @param known recent inventory
 */
export function organizationsCourse(sending: Sending, known: Inventory | undefined): Course {
  const { context, journal, isUndo, plannedOf } = sending;
  const { see, formOf, isWorthNumber } = createSentIds();
  known?.organizations.forEach(see);
  let last = known && { inventory: known, readAt: context.clock.now() };
  const owned = createOwnedLicenses(context);
  const createdAt = new Map<string, number>();
  const read = async () => {
    const readAt = context.clock.now();
    const inventory = await readOfRun(context, journal, last?.inventory);
    inventory.organizations.forEach(see);
    owned.see(inventory, readAt);
    last = { inventory, readAt: context.clock.now() };
    return inventory;
  };
  const readFresh = async () =>
    last !== undefined && context.clock.now() < last.readAt + freshMilliseconds ? last.inventory : read();
  return {
    idIn(item, data) {
      const { kind, external_id } = aboutOf(item);
      if (kind === "license") return external_id;
      const id = organizationId(data);
      if (id === undefined) return id;
      see({ id, sentId: sentOrganizationId(data) });
      const sentAt = createdAt.get(external_id);
      if (sentAt !== undefined) owned.seeCreated(id, sentAt);
      return id;
    },
    buildBody(operation, bodies) {
      if (operation === "licenses.upsert") return { licenses: mergeLicenses(bodies) };
      const [body = {}] = bodies;
      const { parentOrganizationId: parent } = body;
      return parent === undefined ? body : { ...body, parentOrganizationId: formOf(String(parent)) };
    },
    shareOf: (item) => (hasStep(item) ? plannedOf(item).share : undefined),
    missing: (item, needed) => (isUndo ? orphanedResult(item, needed) : missingResult(journal, item, needed)),
    async judge(item, planned) {
      if (isUndo)
        return planned.share === undefined ? judgeReversal(item, await readFresh(), journal) : undefined;
      const { op } = planned.step;
      if (op === "licenses.upsert") {
        const { organizationId: mspId = "" } = sentOf(journal, planned).path;
        return judgeLicense(item, (await owned.of(mspId))?.get(aboutOf(item).external_id), journal);
      }
      if (op !== "orgs.create") return judgeItem(item, await readFresh(), journal);
      const { kind, external_id } = aboutOf(item);
      if (kind === "msp") createdAt.set(external_id, context.clock.now());
      return undefined;
    },
    findNormalized: (item, _, data) => findNormalizedFields(item, organizationOf(data)),
    async refused(item, planned, error) {
      const { parentOrganizationId: parent } = recordOf(sentOf(journal, planned).body);
      if (parent !== undefined && isWorthNumber(String(parent), error)) return requeue(item);
      return (isUndo ? refusedReversal : refusedResult)(context, item, error);
    },
    // If a response was lost, send the request again. If the first request succeeded, the second one causes a
    // conflict, because external IDs are unique.
    lost: async (item) => resend(item),
    ...(isUndo
      ? { noteResult: (item: Item) => (hasStep(item) ? undefined : resultWithMsp(journal, item)) }
      : { compareAgain: async () => refreshItems(journal, await read()) }),
  };
}

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
