import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { organizationDifferences, type PlanItem } from "./compare.js";
import {
  type Inventory,
  type InventoryContext,
  type KnownOrganization,
  organizationOf,
  readInventory,
} from "./inventory.js";
import { itemsIn, planItemOf } from "./items.js";
import { KeptPlan, type ProvisionPlan } from "./plan.js";

/**
 * The decision of an undo about one thing that its run made. `changed`: another user has changed it, or uses it, and it
 * stays. `kept`: the service has no way to take it away. `with_msp`: a license of an MSP that goes; whether the service
 * keeps it can't be read without the MSP. `gone`: it is not there any more.
 */
export interface Reversal {
  item: Item;
  planned: PlanItem;
  /** The organization's; of a license its own. */
  id: string;
  outcome: "deleted" | "changed" | "kept" | "with_msp" | "gone";
  reason: string | undefined;
}

/** The present state of everything that the plan of a run names. */
export async function readForUndo(
  original: Journal,
  context: InventoryContext,
  isUndone: (target: string) => boolean,
  earlier?: Inventory,
): Promise<{ plan: ProvisionPlan; inventory: Inventory }> {
  const plan = KeptPlan.parse(original.setting("plan"));
  const targets = [...itemsIn(original)]
    .filter(({ state, target = "" }) => state === "unknown" || (state === "done" && !isUndone(target)))
    .map(planItemOf)
    .filter(({ kind }) => kind !== "license")
    .map(({ externalId }) => externalId);
  return { plan, inventory: await readInventory(context, plan, { targets, earlier }) };
}

/**
 * The decisions about everything that a run made, customers before their MSPs: deleted, where it is as the run made
 * it. Licenses can't be deleted; they go with their MSP (D-v2-delete).
 * @param isUndone what an earlier undo has taken back
 */
export function planReversals(
  original: Journal,
  plan: ProvisionPlan,
  inventory: Inventory,
  isUndone: (target: string) => boolean,
): Reversal[] {
  const made = [...itemsIn(original)]
    .filter(({ state, target = "" }) => state === "done" && !isUndone(target))
    .map((item) => ({ item, planned: planItemOf(item) }));
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
  return [...customers, ...msps, ...licenses];
}

/** Why a license stays. */
export const keptReason = "a license goes with its MSP only, and that stays";

function reversalOf(
  { item, planned }: { item: Item; planned: PlanItem },
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
    ...organizationDifferences(found, { type, name: name ?? "", license: license ?? "" }),
    ...(answered === undefined ? [] : changedFields(answered, found)),
  ];
  return differences.length > 0
    ? { item, planned, id: found.id, outcome: "changed", reason: differences.join("; ") }
    : { item, planned, id: found.id, outcome: "deleted", reason: undefined };
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

function namesOf(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more` : ids.join(", ");
}
