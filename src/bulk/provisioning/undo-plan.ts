import { isAlike } from "../fields.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import type { PlanItem } from "./compare.js";
import { organizationDifferences } from "./differences.js";
import {
  type Inventory,
  type InventoryContext,
  type KnownOrganization,
  organizationOf,
  readInventory,
} from "./inventory.js";
import { LicensesBefore, planItemOf, stepOf } from "./items.js";
import { KeptPlan, type ProvisionPlan } from "./plan.js";
import { namesOf } from "./prune.js";

/**
 * The decision of an undo about one thing that its run did. `deleted`: the run made it. `restored`: it gets its former
 * value. `recreated`: the run deleted it, and it comes to be again, empty and under a new id. `changed`: another user has
 * changed it, or uses it, and it stays. `kept`: the service has no way to take it back. `with_msp`: a license of an MSP
 * that goes; whether the service keeps it can't be read without the MSP. `gone`: it is not there any more.
 */
export interface Reversal {
  item: Item;
  planned: PlanItem;
  /** The organization's; of a license its own. */
  id: string;
  outcome: "deleted" | "restored" | "recreated" | "changed" | "kept" | "with_msp" | "gone";
  reason: string | undefined;
}

/** Has an earlier undo, or this one, taken an item of the run back? */
export type IsUndone = (item: Pick<Item, "number">) => boolean;

/** The present state of everything that the plan of a run names. */
export async function readForUndo(
  original: Journal,
  context: InventoryContext,
  isUndone: IsUndone,
  earlier?: Inventory,
): Promise<{ plan: ProvisionPlan; inventory: Inventory }> {
  const plan = KeptPlan.parse(original.setting("plan"));
  const targets = [...itemsIn(original)]
    .filter((item) => stepOf(item) === "create")
    .filter((item) => item.state === "unknown" || (item.state === "done" && !isUndone(item)))
    .map(planItemOf)
    .filter(({ kind }) => kind !== "license")
    .map(({ externalId }) => externalId);
  return { plan, inventory: await readInventory(context, plan, { targets, earlier }) };
}

/**
 * The decisions about everything that a run did, the last first, as each was possible when it was done: customers before
 * their MSPs, and licenses that it made at the end. They can't be deleted, and go with their MSP (D-v2-delete).
 */
export function planReversals(
  original: Journal,
  plan: ProvisionPlan,
  inventory: Inventory,
  isUndone: IsUndone,
): Reversal[] {
  const done = [...itemsIn(original)]
    .filter((item) => item.state === "done" && !isUndone(item))
    .map((item) => ({ item, planned: planItemOf(item) }));
  const made = done.filter(({ item }) => stepOf(item) === "create");
  const { organizations } = inventory;
  const customers = made
    .filter(({ planned }) => planned.kind === "customer")
    .map((one) => reversalOf(one, organizations));
  const goes = new Set(
    customers.flatMap(({ planned, outcome }) => (outcome === "deleted" ? planned.externalId : [])),
  );
  const msps = made
    .filter(({ planned }) => planned.kind === "msp")
    .map((one) => {
      const reversal = reversalOf(one, organizations);
      const reason =
        reversal.outcome === "deleted" ? usedByOthers(one.planned, plan, inventory, goes) : undefined;
      return reason === undefined ? reversal : { ...reversal, outcome: "changed" as const, reason };
    });
  const outcomes = new Map(msps.map(({ planned, outcome }) => [planned.externalId, outcome]));
  const licenses = made
    .filter(({ planned }) => planned.kind === "license")
    .map(({ item, planned }): Reversal => {
      const outcome = outcomes.get(planned.msp);
      const id = planned.externalId;
      return outcome === "deleted" || outcome === "gone"
        ? { item, planned, id, outcome: "with_msp", reason: undefined }
        : { item, planned, id, outcome: "kept", reason: keptReason };
    });
  const changes = done.flatMap((one): Reversal[] => {
    if (stepOf(one.item) === "change") return [changeReversal(one, done, inventory)];
    return stepOf(one.item) === "delete" ? deleteReversals(one, inventory) : [];
  });
  const backwards = [...customers, ...msps, ...changes].toSorted(
    (one, other) => other.item.number - one.item.number,
  );
  return [...backwards, ...licenses];
}

/** Why a license stays. */
export const keptReason = "a license goes with its MSP only, and that stays";

interface Done {
  item: Item;
  planned: PlanItem;
}

function reversalOf(
  { item, planned }: Done,
  organizations: ReadonlyMap<string, KnownOrganization>,
): Reversal {
  const found = organizations.get(planned.externalId);
  const { target = "" } = item;
  // It has the same name, but is not the one that the run made; without an id in its answer the name is all that is
  // known.
  if (!found || (target !== found.id && target !== planned.externalId))
    return { item, planned, id: target, outcome: "gone", reason: undefined };
  const { kind: type, name, license } = planned;
  // T1: it is compared with what the answer to its creation showed.
  const answered = organizationOf(item.answer);
  const differences = [
    ...organizationDifferences(found, { type, name: name ?? "", license: license ?? "" }).map(
      ({ text }) => text,
    ),
    ...(answered === undefined ? [] : changedFields(answered, found)),
  ];
  return differences.length > 0
    ? { item, planned, id: found.id, outcome: "changed", reason: differences.join("; ") }
    : { item, planned, id: found.id, outcome: "deleted", reason: undefined };
}

/** A thing that a run changed gets its former value, where it still has the run's. */
function changeReversal(
  { item, planned }: Done,
  done: readonly Done[],
  { organizations, licenses }: Inventory,
): Reversal {
  const { target = "" } = item;
  const { kind, externalId, msp, change = {}, from = {} } = planned;
  const as = (outcome: Reversal["outcome"], reason?: string): Reversal => ({
    item,
    planned: { ...planned, change: from as NonNullable<PlanItem["change"]>, from: change },
    id: target,
    outcome,
    reason,
  });
  const restored = (isUnchanged: boolean, now: string) =>
    isUnchanged ? as("restored") : as("changed", `is otherwise by now: ${now}`);
  if (kind !== "license") {
    const found = organizations.get(externalId);
    if (found?.id !== target) return as("gone");
    if (from.license == null)
      return as("kept", "the interface can't take a license away from an organization");
    // The last one of several in a row, which swap licenses, tells what it should hold.
    const last = done.findLast((one) => one.item.target === target && stepOf(one.item) === "change");
    const isUnchanged = found.license === undefined || found.license === last?.planned.change?.license;
    return restored(isUnchanged, `it holds ${found.license ?? "no license"}`);
  }
  const owner = organizations.get(msp)?.id ?? "";
  const found = licenses.get(owner)?.get(externalId);
  if (found === undefined) return as("gone");
  if (change.status !== undefined) {
    const isUnchanged =
      found.status === undefined || (found.status === "disabled") === (change.status === "disabled");
    const former = change.status === "disabled" ? "available" : "disabled";
    const reversal = restored(isUnchanged, `it is ${found.status}`);
    return { ...reversal, planned: { ...reversal.planned, change: { status: former } } };
  }
  if (from.product == null) return as("kept", "the interface can't take a product away from a license");
  const isUnchanged = found.product === undefined || isAlike("product", found.product, change.product);
  return restored(isUnchanged, `its product is ${found.product ?? "none"}`);
}

/** A thing that a run deleted is created again, an MSP with its licenses. */
function deleteReversals({ item, planned }: Done, { organizations }: Inventory): Reversal[] {
  const { target = "" } = item;
  const found = organizations.get(planned.externalId);
  const as = (outcome: Reversal["outcome"], reason?: string): Reversal => ({
    item,
    planned,
    id: target,
    outcome,
    reason,
  });
  if (found) return [as("changed", "there is one of this external id again")];
  if (planned.license === null) return [as("kept", "it had no license, and can't be created without one")];
  if (planned.kind === "customer") return [as("recreated")];
  const licenses = LicensesBefore.safeParse(item.before).data?.licenses ?? [];
  const product = licenses.find(({ id }) => id === planned.license)?.product ?? null;
  const others = licenses.filter(({ id }) => id !== planned.license);
  return [
    { ...as("recreated"), planned: { ...planned, product } },
    ...others.map((license): Reversal => {
      const { id, product: own = null } = license;
      const again = { ...planned, kind: "license" as const, externalId: id, name: null, license: null };
      return { ...as("recreated"), planned: { ...again, product: own }, id };
    }),
  ];
}

function changedFields(answered: KnownOrganization, now: KnownOrganization): string[] {
  const changed: string[] = [];
  if (answered.name !== undefined && now.name !== undefined && answered.name !== now.name)
    changed.push(`is named "${now.name}", was "${answered.name}"`);
  if (answered.status !== undefined && now.status !== undefined && answered.status !== now.status)
    changed.push(`is ${now.status}, was ${answered.status}`);
  if (answered.parentId !== undefined && now.parentId !== undefined && answered.parentId !== now.parentId)
    changed.push("belongs to another MSP");
  return changed;
}

/** v2.delete.msp, and licenses that another user has added: they would be lost with the MSP. */
function usedByOthers(
  msp: PlanItem,
  plan: ProvisionPlan,
  { organizations, licenses }: Inventory,
  goes: ReadonlySet<string>,
): string | undefined {
  const id = organizations.get(msp.externalId)?.id;
  const stay = [...organizations.values()].filter(
    ({ parentId, externalId }) => parentId !== undefined && parentId === id && !goes.has(externalId),
  );
  if (stay.length > 0) return `has customers that stay: ${namesOf(stay.map(({ externalId }) => externalId))}`;
  const planned = plan.msps.find(({ externalId }) => externalId === msp.externalId);
  const known = new Set([planned?.license, ...(planned?.licenses ?? [])].map((license) => license?.id));
  const others = [...(licenses.get(id ?? "")?.keys() ?? [])].filter((license) => !known.has(license));
  return others.length > 0 ? `has licenses that the run did not add: ${namesOf(others)}` : undefined;
}
