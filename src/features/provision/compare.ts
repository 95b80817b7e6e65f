import {
  type Change,
  customerDifferences,
  type Difference,
  licenseDifferences,
  mspDifferences,
} from "./differences.js";
import type { Inventory, KnownOrganization } from "./inventory.js";
import type {
  OrganizationSpec,
  PlannedCustomer,
  PlannedLicense,
  PlannedMsp,
  SpecProblem,
} from "./organization-spec.js";

/** The demands of the spec next to the existing organizations, and the actions of converging. */
export interface PlanItem {
  /**
   * `differs`: exists, but differs from the spec. `conflicts`: doesn't exist and can't be created. `failed`:
   * the service refused it for another reason. `change`, `delete`: actions of `--converge` and `--prune`.
   * `left`: can't be deleted yet. `gone`: another user deleted it. `extra`: exists, but neither the spec nor
   * a run refers to it.
   */
  action:
    | "create"
    | "exists"
    | "differs"
    | "conflicts"
    | "failed"
    | "change"
    | "delete"
    | "left"
    | "gone"
    | "extra";
  type: "msp" | "license" | "customer";
  /** The license's id. */
  externalId: string;
  /** External id of the MSP it belongs to; its own of an MSP. */
  msp: string;
  name: string | null;
  /** For an organization: the license that it is created with, or that it holds when it is deleted. */
  license: string | null;
  /** For a license, and for the one that an MSP is created with. */
  product: string | null;
  /** Set for an organization that is deleted. */
  status?: string | undefined;
  /** The new values, and those that they replace. */
  change?: Change | undefined;
  from?: { product?: string | null; status?: string; license?: string | null } | undefined;
  /** The difference, or the reason why it can't be created, in words. Never changed by a run. */
  differences: string[];
  /** The remedy for each difference as a text (O1); empty if it is part of another item. */
  remedies: string[];
}

/** The resources that a run will free, so that they don't block others. */
export interface Freed {
  isLicenseFreed(license: string): boolean;
  isDeleted(mspId: string): boolean;
}

const nothingFreed: Freed = { isLicenseFreed: () => false, isDeleted: () => false };

export interface MspItems {
  planned: PlannedMsp;
  msp: PlanItem;
  licenses: PlanItem[];
  customers: PlanItem[];
}

/**
 * Compares the spec with the existing organizations. `problems` make it impossible: a license that neither
 * the spec nor the service has.
 */
export function compareSpec(
  spec: OrganizationSpec,
  inventory: Inventory,
  freed: Freed = nothingFreed,
): { msps: MspItems[]; problems: SpecProblem[] } {
  const problems: SpecProblem[] = [];
  const msps = spec.msps.map((planned): MspItems => {
    const known = inventory.organizations.get(planned.externalId);
    const owned = known && inventory.licenses.get(known.id);
    const msp = mspItem(planned, known, inventory, freed);
    const reason =
      msp.action === "conflicts"
        ? `its MSP ${planned.externalId} can't be created`
        : known !== undefined && owned === undefined
          ? `${planned.externalId} is not an MSP`
          : undefined;
    const licenses = planned.licenses.map((license) =>
      unless(reason, licenseItem(license, planned.externalId, known, inventory, freed)),
    );
    const impossible = new Set(
      licenses.filter(({ action }) => action === "conflicts").map(({ externalId }) => externalId),
    );
    const brought = new Set([planned.license, ...planned.licenses].map(({ id }) => id));
    const own = planned.license.id;
    const further = new Set(planned.licenses.map(({ id }) => id));
    if (owned !== undefined && known?.license !== own && isLicenseMissing(own, known, inventory, further))
      problems.push(missingLicense(planned, own, planned));
    const customers = planned.customers.map((customer) => {
      const item = customerItem(customer, planned, known, { inventory, problems, freed, brought });
      const { license } = customer;
      return unless(
        reason ?? (impossible.has(license) ? `its license ${license} can't be created` : undefined),
        item,
      );
    });
    return { planned, msp, licenses, customers };
  });
  return { msps, problems };
}

/** Marks an item that can't be created for a reason outside of itself. */
function unless(reason: string | undefined, item: PlanItem): PlanItem {
  return reason !== undefined && item.action === "create"
    ? conflicting(item, { text: reason, remedy: "" })
    : item;
}

const noDifferences = { differences: [], remedies: [] };

/** Marks an existing item as equal to or different from the spec. */
function existing(item: PlanItem, differences: readonly Difference[]): PlanItem {
  return {
    ...item,
    action: differences.length > 0 ? "differs" : "exists",
    differences: differences.map(({ text }) => text),
    remedies: differences.map(({ remedy }) => remedy),
  };
}

function mspItem(
  planned: PlannedMsp,
  known: KnownOrganization | undefined,
  inventory: Inventory,
  freed: Freed,
): PlanItem {
  const { externalId, name, license } = planned;
  const item: PlanItem = {
    action: "create",
    type: "msp",
    externalId,
    msp: externalId,
    name,
    license: license.id,
    product: license.product ?? null,
    ...noDifferences,
  };
  if (known) return existing(item, mspDifferences(planned, known, inventory));
  const owner = findOtherOwner(license.id, undefined, inventory, freed);
  return owner === undefined ? item : conflicting(item, taken(license.id, owner));
}

function licenseItem(
  license: PlannedLicense,
  externalId: string,
  msp: KnownOrganization | undefined,
  inventory: Inventory,
  freed: Freed,
): PlanItem {
  const known = msp && inventory.licenses.get(msp.id)?.get(license.id);
  const item: PlanItem = {
    action: "create",
    type: "license",
    externalId: license.id,
    msp: externalId,
    name: null,
    license: null,
    product: license.product ?? null,
    ...noDifferences,
  };
  if (known) return existing(item, licenseDifferences(license, known));
  const owner = findOtherOwner(license.id, msp?.id, inventory, freed);
  return owner === undefined ? item : conflicting(item, taken(license.id, owner));
}

/**
 * Returns the external id of another MSP that owns or holds a license, as far as that was read (license ids
 * are unique, D-v2-create). Licenses of MSPs outside the spec are visible only if an organization holds them.
 */
function findOtherOwner(
  license: string,
  mspId: string | undefined,
  inventory: Inventory,
  { isDeleted }: Freed,
): string | undefined {
  const organizations = [...inventory.organizations.values()];
  const nameOf = (id: string) =>
    organizations.find((organization) => organization.id === id)?.externalId ?? id;
  for (const [id, owned] of inventory.licenses)
    if (id !== mspId && owned.has(license) && !isDeleted(id)) return nameOf(id);
  const holder = organizations.find((organization) => organization.license === license);
  if (!holder) return undefined;
  const ownerId = holder.parentId ?? (holder.type === "customer" ? undefined : holder.id);
  return ownerId === undefined || ownerId === mspId || isDeleted(ownerId) ? undefined : nameOf(ownerId);
}

function taken(license: string, owner: string): Difference {
  return {
    text: `the license ${license} belongs to another MSP, ${owner}`,
    remedy: "a license can't change its MSP: let the plan name another one",
  };
}

function customerItem(
  customer: PlannedCustomer,
  planned: PlannedMsp,
  msp: KnownOrganization | undefined,
  {
    inventory,
    problems,
    freed,
    brought,
  }: {
    inventory: Inventory;
    problems: SpecProblem[];
    freed: Freed;
    /** Licenses that the plan has for this MSP. */
    brought: ReadonlySet<string>;
  },
): PlanItem {
  const { externalId, name, license } = customer;
  const item: PlanItem = {
    action: "create",
    type: "customer",
    externalId,
    msp: planned.externalId,
    name,
    license,
    product: null,
    ...noDifferences,
  };
  const known = inventory.organizations.get(externalId);
  if (known) {
    const parent = { externalId: planned.externalId, id: msp?.id };
    const isElsewhere = known.parentId !== undefined && known.parentId !== msp?.id;
    const isMissing = known.license !== license && isLicenseMissing(license, msp, inventory, brought);
    if (isMissing && !isElsewhere) problems.push(missingLicense(customer, license, planned));
    return existing(item, customerDifferences(customer, known, parent));
  }
  const owned = msp && inventory.licenses.get(msp.id)?.get(license);
  const isTaken = owned?.status !== undefined && owned.status !== "available";
  if (isTaken && !freed.isLicenseFreed(license)) {
    return conflicting(item, licenseInUse(license, owned.status ?? "", inventory));
  }
  if (isLicenseMissing(license, msp, inventory, brought))
    problems.push(missingLicense(customer, license, planned));
  return item;
}

/** Returns whether an MSP has no such license, and the spec brings none. */
function isLicenseMissing(
  license: string,
  msp: KnownOrganization | undefined,
  inventory: Inventory,
  brought: ReadonlySet<string>,
): boolean {
  if (brought.has(license)) return false;
  // If the service does not show the licenses of an MSP, it decides itself.
  if (msp === undefined) return true;
  return !inventory.unknownLicenses.has(msp.id) && inventory.licenses.get(msp.id)?.has(license) !== true;
}

function missingLicense(
  { at }: Pick<PlannedCustomer, "at">,
  license: string,
  { externalId }: PlannedMsp,
): SpecProblem {
  return { at, message: `${externalId} has no license ${license}, and the spec brings none` };
}

function licenseInUse(license: string, status: string, inventory: Inventory): Difference {
  const remedy =
    status === "disabled"
      ? "--converge enables it, where the plan has it"
      : "use another license in the spec, or free this one (--converge, --prune)";
  for (const { externalId, license: held } of inventory.organizations.values()) {
    if (held === license)
      return { text: `its license ${license} is ${status}, held by ${externalId}`, remedy };
  }
  return { text: `its license ${license} is ${status}`, remedy };
}

/** Marks a demand of the spec that can't be created. */
export function conflicting(item: PlanItem, { text, remedy }: Pick<Difference, "text" | "remedy">): PlanItem {
  return {
    ...item,
    action: "conflicts",
    differences: [...item.differences, text],
    remedies: [...item.remedies, remedy],
  };
}

/** External ids and license ids are unique each in their type (v2.duplicate). */
export function keyOf({ type, externalId }: Pick<PlanItem, "type" | "externalId">): string {
  return `${type === "license" ? "license" : "organization"} ${externalId}`;
}
