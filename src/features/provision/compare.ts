import { quoteWord } from "../../base/shell-words.js";
import { isAlike } from "../../write/fields.js";
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

export interface PlanItem {
  /**
   * `differs`: exists but differs from the spec. `conflicts`: can't be created. `failed`: rejected by the
   * service for another reason. `left`: can't be deleted yet. `gone`: deleted by another user. `extra`:
   * exists, but is in neither the spec nor a run. `change`, `delete`: actions of `--converge` and `--prune`.
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
  /** External ID of the organization, or ID of the license. */
  externalId: string;
  /** External ID of the organization's MSP. For an MSP, its own external ID. */
  msp: string;
  name: string | null;
  /** License of the organization, if the organization will be created or deleted. */
  license: string | null;
  /** Product of the license, or of the license of an MSP that will be created. */
  product: string | null;
  /** Status of the organization, if the organization will be deleted. */
  status?: string | undefined;
  /** `from` contains the former values. */
  change?: Change | undefined;
  from?: { product?: string | null; status?: string; license?: string | null } | undefined;
  /** Differences that no change resolves, or why the item can't be created. */
  differences: string[];
  /** How to fix each difference. A text is empty if another item contains the fix. */
  remedies: string[];
}

/** Licenses that the run frees and MSPs that the run deletes. They don't block other items. */
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

/** `problems` lists assigned licenses that neither exist nor are in the spec. */
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
        ? `belongs to MSP ${planned.externalId}, which can't be created`
        : known !== undefined && owned === undefined
          ? `belongs to ${planned.externalId}, which is not an MSP`
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
    if (known && owned && known.license !== own && isLicenseMissing(own, known, inventory, further))
      problems.push(foreignLicense(planned, known));
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

function unless(reason: string | undefined, item: PlanItem): PlanItem {
  return reason !== undefined && item.action === "create"
    ? conflicting(item, { text: reason, remedy: "" })
    : item;
}

const noDifferences = { differences: [], remedies: [] };

function existing(
  item: PlanItem,
  { name }: Partial<KnownOrganization>,
  differences: readonly Difference[],
): PlanItem {
  return {
    ...item,
    // A name that differs only in case or spaces is not a difference.
    name: differences.length > 0 ? item.name : (name ?? item.name),
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
  if (known) return existing(item, known, mspDifferences(planned, known, inventory));
  const owner = findOtherOwner(license.id, undefined, inventory, freed);
  return owner === undefined ? item : conflicting(item, taken(`its license ${license.id} belongs`, owner));
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
  if (known) return existing(item, {}, licenseDifferences(license, known));
  const owner = findOtherOwner(license.id, msp?.id, inventory, freed);
  return owner === undefined ? item : conflicting(item, taken("belongs", owner));
}

/**
 * Returns the external ID of another MSP that owns this license, if known. License IDs are unique
 * (D-v2-create). If an MSP's billing data can't be read, only its licenses that an organization holds are known.
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

function taken(belongs: string, owner: string): Difference {
  return {
    text: `${belongs} to another MSP, ${owner}`,
    remedy: "a license can't be moved to another MSP: use a different license in the spec",
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
    return existing(item, known, customerDifferences(customer, known, parent, inventory.organizations));
  }
  const owned = msp && inventory.licenses.get(msp.id)?.get(license);
  const isTaken = owned?.status !== undefined && owned.status !== "available";
  if (isTaken && !freed.isLicenseFreed(license)) {
    return conflicting(item, licenseInUse(license, owned.status ?? "", planned, inventory));
  }
  if (isLicenseMissing(license, msp, inventory, brought))
    problems.push(missingLicense(customer, license, planned));
  return item;
}

function isLicenseMissing(
  license: string,
  msp: KnownOrganization | undefined,
  inventory: Inventory,
  brought: ReadonlySet<string>,
): boolean {
  if (brought.has(license)) return false;
  if (msp === undefined) return true;
  // If the service doesn't list the MSP's licenses, assume that the license exists: the service rejects the
  // request otherwise.
  return !inventory.unknownLicenses.has(msp.id) && inventory.licenses.get(msp.id)?.has(license) !== true;
}

function missingLicense(
  { at }: Pick<PlannedCustomer, "at">,
  license: string,
  { externalId }: PlannedMsp,
): SpecProblem {
  return { at, message: `${externalId} has no license ${license}, and the spec doesn't list it` };
}

/** If the name differs as well as the license, the spec probably means a different organization. */
function foreignLicense(
  { at, externalId, name, license }: PlannedMsp,
  known: KnownOrganization,
): SpecProblem {
  if (known.name !== undefined && !isAlike("name", known.name, name))
    return {
      at,
      message: `the external ID ${externalId} belongs to an organization with a different name, "${known.name}"`,
      hint: "to compare this organization, use its name in the spec; to create an organization, use an external ID that no organization has",
    };
  return {
    at,
    message: `${externalId} already exists and has no license ${license.id}`,
    hint:
      known.license == null
        ? `add the license: \`voxctl licenses upsert ${quoteWord(externalId)} ${quoteWord(license.id)}\``
        : `use its license ${known.license} in the spec`,
  };
}

function licenseInUse(
  license: string,
  status: string,
  msp: PlannedMsp,
  { organizations }: Inventory,
): Difference {
  const holder = [...organizations.values()].find((organization) => organization.license === license);
  const text = `its license ${license} is ${status}${holder === undefined ? "" : ` and held by ${holder.externalId}`}`;
  const inSpec = [msp, ...msp.customers].some(({ externalId }) => externalId === holder?.externalId);
  const free = inSpec
    ? `free this license with --converge, which assigns the spec's license to ${holder?.externalId}`
    : holder === undefined
      ? "free this license"
      : `assign a different license to ${holder.externalId}: \`voxctl licenses reassign ${quoteWord(holder.externalId)} LICENSE\``;
  const remedy =
    status === "disabled"
      ? "list the license in the spec and use --converge to enable it"
      : `use a different license in the spec, or ${free}`;
  return { text, remedy };
}

export function conflicting(item: PlanItem, { text, remedy }: Pick<Difference, "text" | "remedy">): PlanItem {
  return {
    ...item,
    action: "conflicts",
    differences: [...item.differences, text],
    remedies: [...item.remedies, remedy],
  };
}

/**
 * Returns a unique key of an item. The key contains the type, because an organization and a license may have
 * the same ID (v2.duplicate).
 */
export function keyOf({ type, externalId }: Pick<PlanItem, "type" | "externalId">): string {
  return `${type === "license" ? "license" : "organization"} ${externalId}`;
}

/**
 * Returns only the first create or change of each organization and license: a swap of licenses changes an
 * organization twice.
 */
export function countedItems(items: readonly PlanItem[]): PlanItem[] {
  const changed = new Set<string>();
  return items.filter((item) => {
    if (item.action !== "create" && item.action !== "change") return true;
    const isFirst = !changed.has(keyOf(item));
    changed.add(keyOf(item));
    // An MSP is created together with its license (v2.create.msp).
    if (item.action === "create" && item.type === "msp")
      changed.add(keyOf({ type: "license", externalId: item.license ?? "" }));
    return isFirst;
  });
}
