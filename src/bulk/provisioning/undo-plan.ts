import * as z from "zod";
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
import { aboutOf, planItemOf } from "./items.js";
import { namesOf } from "./prune.js";

const LicensesBefore = z.object({
  licenses: z.array(z.object({ id: z.string(), product: z.string().nullish() })),
});

/**
 * The decision of an undo about one item of its run. `deleted`: the run created it. `restored`: it gets its
 * former value. `recreated`: the run deleted it, and it is created again, empty and with a new id. `changed`:
 * another user changed or uses it, so it is kept. `kept`: the service can't undo it. `with_msp`: a license of
 * a deleted MSP; without the MSP, it can't be read whether the service keeps it. `gone`: it no longer exists.
 */
export interface Reversal {
  item: Item;
  planned: PlanItem;
  /** The organization's; of a license its own. */
  id: string;
  outcome: "deleted" | "restored" | "recreated" | "changed" | "kept" | "with_msp" | "gone";
  reason: string | undefined;
}

/** Returns whether an earlier undo, or this one, reverted an item of the run. */
export type IsUndone = (item: Pick<Item, "number">) => boolean;

/** The present state of everything that the plan of a run names. */
export async function readForUndo(
  original: Journal,
  context: InventoryContext,
  isUndone: IsUndone,
  earlier?: Inventory,
): Promise<Inventory> {
  const targets = [...itemsIn(original)]
    .filter((item) => item.action === "create")
    .filter((item) => item.state === "unknown" || (item.state === "done" && !isUndone(item)))
    .map(planItemOf)
    .filter(({ type }) => type !== "license")
    .map(({ externalId }) => externalId);
  const msps = new Set([...itemsIn(original)].map((item) => aboutOf(item).msp));
  const findMoreMsps = async (all: Inventory["organizations"]) =>
    [...msps].flatMap((msp) => all.get(msp) ?? []);
  return readInventory(context, { msps: [] }, { targets, earlier, findMoreMsps });
}

/**
 * The decisions about everything that a run did, the last first, as each was possible when it was done: customers before
 * their MSPs, and licenses that it made at the end. They can't be deleted, and go with their MSP (D-v2-delete).
 */
export function planReversals(original: Journal, inventory: Inventory, isUndone: IsUndone): Reversal[] {
  const done = [...itemsIn(original)]
    .filter((item) => item.state === "done" && !isUndone(item))
    .map((item) => ({ item, planned: planItemOf(item) }));
  const made = done.filter(({ item }) => item.action === "create");
  const { organizations } = inventory;
  const customers = made
    .filter(({ planned }) => planned.type === "customer")
    .map((entry) => reversalOf(entry, organizations));
  const deletedIds = new Set(
    customers.flatMap(({ planned, outcome }) => (outcome === "deleted" ? planned.externalId : [])),
  );
  const msps = made
    .filter(({ planned }) => planned.type === "msp")
    .map((entry) => {
      const reversal = reversalOf(entry, organizations);
      const reason =
        reversal.outcome === "deleted"
          ? findUseReason(entry.planned, original, inventory, deletedIds)
          : undefined;
      return reason === undefined ? reversal : { ...reversal, outcome: "changed" as const, reason };
    });
  const outcomes = new Map(msps.map(({ planned, outcome }) => [planned.externalId, outcome]));
  const licenses = made
    .filter(({ planned }) => planned.type === "license")
    .map(({ item, planned }): Reversal => {
      const outcome = outcomes.get(planned.msp);
      const id = planned.externalId;
      return outcome === "deleted" || outcome === "gone"
        ? { item, planned, id, outcome: "with_msp", reason: undefined }
        : { item, planned, id, outcome: "kept", reason: keptReason };
    });
  const changes = done.flatMap((entry): Reversal[] => {
    if (entry.item.action === "update") return [changeReversal(entry, done, inventory)];
    return entry.item.action === "delete" ? deleteReversals(entry, inventory) : [];
  });
  const backwards = [...customers, ...msps, ...changes].toSorted(
    (left, right) => right.item.number - left.item.number,
  );
  return [...backwards, ...licenses];
}

/** Why a license stays. */
export const keptReason = "a license is deleted only with its MSP, which is kept";

interface Done {
  item: Item;
  planned: PlanItem;
}

function reversalOf(
  { item, planned }: Done,
  organizations: ReadonlyMap<string, KnownOrganization>,
): Reversal {
  const organization = organizations.get(planned.externalId);
  const { target = "" } = item;
  // It has the same name, but another id than the one that the run created. If its response had no id, only
  // the name is known.
  if (!organization || (target !== organization.id && target !== planned.externalId))
    return { item, planned, id: target, outcome: "gone", reason: undefined };
  const { type, name, license } = planned;
  // Compare it with the response to its create (T1).
  const recorded = organizationOf(item.answer);
  const differences = [
    ...organizationDifferences(organization, { type, name: name ?? "", license: license ?? "" }).map(
      ({ text }) => text,
    ),
    ...(recorded === undefined ? [] : changedFields(recorded, organization)),
  ];
  return differences.length > 0
    ? { item, planned, id: organization.id, outcome: "changed", reason: differences.join("; ") }
    : { item, planned, id: organization.id, outcome: "deleted", reason: undefined };
}

/** Restores the former value of a changed item if it still has the run's value. */
function changeReversal(
  { item, planned }: Done,
  done: readonly Done[],
  { organizations, licenses }: Inventory,
): Reversal {
  const { target = "" } = item;
  const { type, externalId, msp, change = {}, from = {} } = planned;
  const as = (outcome: Reversal["outcome"], reason?: string): Reversal => ({
    item,
    planned: { ...planned, change: from as NonNullable<PlanItem["change"]>, from: change },
    id: target,
    outcome,
    reason,
  });
  const restored = (isUnchanged: boolean, now: string) =>
    isUnchanged ? as("restored") : as("changed", `was changed since then: ${now}`);
  if (type !== "license") {
    const existing = organizations.get(externalId);
    if (existing?.id !== target) return as("gone");
    if (from.license == null) return as("kept", "the API can't remove a license from an organization");
    // Of several changes that swap licenses, the last one shows the expected license.
    const last = done.findLast((entry) => entry.item.target === target && entry.item.action === "update");
    const isUnchanged = existing.license === undefined || existing.license === last?.planned.change?.license;
    return restored(isUnchanged, `it has ${existing.license ?? "no license"}`);
  }
  const owner = organizations.get(msp)?.id ?? "";
  const existing = licenses.get(owner)?.get(externalId);
  if (existing === undefined) return as("gone");
  if (change.status !== undefined) {
    const isUnchanged =
      existing.status === undefined || (existing.status === "disabled") === (change.status === "disabled");
    const former = change.status === "disabled" ? "available" : "disabled";
    const reversal = restored(isUnchanged, `it is ${existing.status}`);
    return { ...reversal, planned: { ...reversal.planned, change: { status: former } } };
  }
  if (from.product == null) return as("kept", "the API can't remove the product of a license");
  const isUnchanged = existing.product === undefined || isAlike("product", existing.product, change.product);
  return restored(isUnchanged, `its product is ${existing.product ?? "none"}`);
}

/** Creates a deleted item again; an MSP with its licenses. */
function deleteReversals({ item, planned }: Done, { organizations }: Inventory): Reversal[] {
  const { target = "" } = item;
  const existing = organizations.get(planned.externalId);
  const as = (outcome: Reversal["outcome"], reason?: string): Reversal => ({
    item,
    planned,
    id: target,
    outcome,
    reason,
  });
  if (existing) return [as("changed", "an organization with this external id exists again")];
  if (planned.license === null) return [as("kept", "it had no license, and can't be created without one")];
  if (planned.type === "customer") return [as("recreated")];
  const licenses = licensesBefore(item);
  const product = licenses.find(({ id }) => id === planned.license)?.product ?? null;
  const moreLicenses = licenses.filter(({ id }) => id !== planned.license);
  return [
    { ...as("recreated"), planned: { ...planned, product } },
    ...moreLicenses.map((license): Reversal => {
      const { id, product: own = null } = license;
      const again = { ...planned, type: "license" as const, externalId: id, name: null, license: null };
      return { ...as("recreated"), planned: { ...again, product: own }, id };
    }),
  ];
}

function changedFields(recorded: KnownOrganization, now: KnownOrganization): string[] {
  const changed: string[] = [];
  if (recorded.name !== undefined && now.name !== undefined && recorded.name !== now.name)
    changed.push(`is named "${now.name}", was "${recorded.name}"`);
  if (recorded.status !== undefined && now.status !== undefined && recorded.status !== now.status)
    changed.push(`is ${now.status}, was ${recorded.status}`);
  if (recorded.parentId !== undefined && now.parentId !== undefined && recorded.parentId !== now.parentId)
    changed.push("belongs to another MSP");
  return changed;
}

/** The licenses that went with an MSP that the run deleted. */
function licensesBefore({ before }: Item): { id: string; product?: string | null | undefined }[] {
  return LicensesBefore.safeParse(before).data?.licenses ?? [];
}

/** Licenses that another user added would be lost with the MSP (v2.delete.msp). */
function findUseReason(
  msp: PlanItem,
  original: Journal,
  { organizations, licenses }: Inventory,
  deletedIds: ReadonlySet<string>,
): string | undefined {
  const id = organizations.get(msp.externalId)?.id;
  const stay = [...organizations.values()].filter(
    ({ parentId, externalId }) => parentId !== undefined && parentId === id && !deletedIds.has(externalId),
  );
  if (stay.length > 0) return `has customers that stay: ${namesOf(stay.map(({ externalId }) => externalId))}`;
  const known = new Set(
    [...itemsIn(original)].map(aboutOf).flatMap((about) => {
      if (about.msp !== msp.externalId) return [];
      return about.kind === "license" ? [about.external_id] : about.kind === "msp" ? [about.license] : [];
    }),
  );
  const unmanagedLicenses = [...(licenses.get(id ?? "")?.keys() ?? [])].filter(
    (license) => !known.has(license),
  );
  return unmanagedLicenses.length > 0
    ? `has licenses that the run did not add: ${namesOf(unmanagedLicenses)}`
    : undefined;
}
