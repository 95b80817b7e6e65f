import { isAlike } from "../fields.js";
import type { Inventory, KnownLicense, KnownOrganization } from "./inventory.js";
import type { PlannedCustomer, PlannedLicense, PlannedMsp, PlanProblem, ProvisionPlan } from "./plan.js";

/** The plan's demands, beside what is there. */
export interface PlanItem {
  /**
   * `differs`: is there, but otherwise than planned. `conflicts`: is not there, and can't be created. `failed`: the
   * service refused it for another reason.
   */
  action: "create" | "exists" | "differs" | "conflicts" | "failed";
  kind: "msp" | "license" | "customer";
  /** The license's id. */
  externalId: string;
  /** External id of the MSP it belongs to; its own of an MSP. */
  msp: string;
  name: string | null;
  /** For an organization: the license that it is created with. */
  license: string | null;
  /** For a license, and for the one that an MSP is created with. */
  product: string | null;
  /** The difference, or the reason why it can't be created, in words. Never changed by a run. */
  differences: string[];
}

export interface MspItems {
  planned: PlannedMsp;
  msp: PlanItem;
  licenses: PlanItem[];
  customers: PlanItem[];
}

/**
 * The plan beside what is there. `problems` are what makes it impossible: a license that neither the plan nor the
 * service has.
 */
export function comparePlan(
  plan: ProvisionPlan,
  inventory: Inventory,
): { msps: MspItems[]; problems: PlanProblem[] } {
  const problems: PlanProblem[] = [];
  const msps = plan.msps.map((planned): MspItems => {
    const known = inventory.organizations.get(planned.externalId);
    const owned = known && inventory.licenses.get(known.id);
    const msp = mspItem(planned, known, inventory);
    const reason =
      msp.action === "conflicts"
        ? `its MSP ${planned.externalId} can't be created`
        : known !== undefined && owned === undefined
          ? `${planned.externalId} is no MSP`
          : undefined;
    const unless = (item: PlanItem) =>
      reason !== undefined && item.action === "create" ? conflicting(item, reason) : item;
    const licenses = planned.licenses.map((license) =>
      unless(licenseItem(license, planned.externalId, known, inventory)),
    );
    const customers = planned.customers.map((customer) =>
      withLicense(unless(customerItem(customer, planned, known, inventory, problems)), licenses),
    );
    return { planned, msp, licenses, customers };
  });
  return { msps, problems };
}

function organizationItem(
  kind: "msp" | "customer",
  planned: { externalId: string; name: string; license: string | PlannedLicense },
  msp: string,
): PlanItem {
  const { externalId, name } = planned;
  const license = typeof planned.license === "string" ? { id: planned.license } : planned.license;
  const product = "product" in license ? (license.product ?? null) : null;
  return { action: "create", kind, externalId, msp, name, license: license.id, product, differences: [] };
}

function mspItem(planned: PlannedMsp, known: KnownOrganization | undefined, inventory: Inventory): PlanItem {
  const item = organizationItem("msp", planned, planned.externalId);
  const { license } = planned;
  if (!known) {
    const owner = otherOwner(license.id, undefined, inventory);
    return owner === undefined ? item : conflicting(item, takenText(license.id, owner));
  }
  const differences = [
    ...organizationDifferences(known, { ...planned, type: "msp", license: license.id }),
    ...productDifference(license, inventory.licenses.get(known.id)?.get(license.id)),
  ];
  return { ...item, action: differences.length > 0 ? "differs" : "exists", differences };
}

function licenseItem(
  license: PlannedLicense,
  externalId: string,
  msp: KnownOrganization | undefined,
  inventory: Inventory,
): PlanItem {
  const known = msp && inventory.licenses.get(msp.id)?.get(license.id);
  const differences = productDifference(license, known);
  const item: PlanItem = {
    action: known === undefined ? "create" : differences.length > 0 ? "differs" : "exists",
    kind: "license",
    externalId: license.id,
    msp: externalId,
    name: null,
    license: null,
    product: license.product ?? null,
    differences,
  };
  const owner = known ? undefined : otherOwner(license.id, msp?.id, inventory);
  return owner === undefined ? item : conflicting(item, takenText(license.id, owner));
}

/**
 * The external id of another MSP that owns a license, or holds it, as far as that was read (D-v2-create: license ids
 * are unique): the licenses of MSPs that the plan does not name show only where an organization holds them.
 */
function otherOwner(license: string, mspId: string | undefined, inventory: Inventory): string | undefined {
  const organizations = [...inventory.organizations.values()];
  const nameOf = (id: string) => organizations.find((one) => one.id === id)?.externalId ?? id;
  for (const [id, owned] of inventory.licenses) if (id !== mspId && owned.has(license)) return nameOf(id);
  const holder = organizations.find((one) => one.license === license);
  if (!holder) return undefined;
  const ownerId = holder.parentId ?? (holder.type === "customer" ? undefined : holder.id);
  return ownerId === undefined || ownerId === mspId ? undefined : nameOf(ownerId);
}

function takenText(license: string, owner: string): string {
  return `the license ${license} belongs to another MSP, ${owner}`;
}

function customerItem(
  customer: PlannedCustomer,
  planned: PlannedMsp,
  msp: KnownOrganization | undefined,
  inventory: Inventory,
  problems: PlanProblem[],
): PlanItem {
  const item = organizationItem("customer", customer, planned.externalId);
  const known = inventory.organizations.get(customer.externalId);
  if (known) {
    const differences = organizationDifferences(known, { ...customer, type: "customer" });
    if (known.parentId !== undefined && known.parentId !== msp?.id) {
      differences.push(`belongs to another MSP than ${planned.externalId}`);
    }
    return { ...item, action: differences.length > 0 ? "differs" : "exists", differences };
  }
  const owned = msp && inventory.licenses.get(msp.id)?.get(customer.license);
  const isPlanned = [planned.license, ...planned.licenses].some(({ id }) => id === customer.license);
  if (owned && owned.status !== undefined && owned.status !== "available") {
    return conflicting(item, licenseInUse(customer.license, owned.status, inventory));
  }
  // Where the service does not show an MSP's licenses, it judges itself.
  const isUnknown = msp !== undefined && inventory.unknownLicenses.has(msp.id);
  if (!owned && !isPlanned && !isUnknown) {
    problems.push({
      at: customer.at,
      message: `${planned.externalId} has no license ${customer.license}, and the plan brings none`,
    });
  }
  return item;
}

function licenseInUse(license: string, status: string, inventory: Inventory): string {
  for (const { externalId, license: held } of inventory.organizations.values()) {
    if (held === license) return `its license ${license} is ${status}, held by ${externalId}`;
  }
  return `its license ${license} is ${status}`;
}

/** The fields of an organization that differ from the plan; a field that the service does not show can't differ. */
export function organizationDifferences(
  known: KnownOrganization,
  planned: { type: string; name: string; license: string },
): string[] {
  const differences: string[] = [];
  if (known.type !== undefined && known.type !== planned.type) differences.push(`is of type ${known.type}`);
  // T3: a service may write a name otherwise than it was given.
  if (known.name !== undefined && !isAlike("name", known.name, planned.name)) {
    differences.push(`is named "${known.name}", planned "${planned.name}"`);
  }
  if (known.license !== undefined && known.license !== planned.license) {
    differences.push(
      known.license === null
        ? `has no license, planned ${planned.license}`
        : `has the license ${known.license}, planned ${planned.license}`,
    );
  }
  return differences;
}

function productDifference(planned: PlannedLicense, known: KnownLicense | undefined): string[] {
  if (planned.product === undefined || known?.product === undefined) return [];
  if (isAlike("product", known.product, planned.product)) return [];
  return [`${planned.id} is of product ${known.product ?? "none"}, planned ${planned.product}`];
}

/** The plan's demand can't be created as it is. */
function conflicting(item: PlanItem, reason: string): PlanItem {
  return { ...item, action: "conflicts", differences: [...item.differences, reason] };
}

/** A customer needs the license that it is planned with. */
function withLicense(customer: PlanItem, licenses: readonly PlanItem[]): PlanItem {
  const lacks = licenses.some((one) => one.action === "conflicts" && one.externalId === customer.license);
  return lacks && customer.action === "create"
    ? conflicting(customer, `its license ${customer.license} can't be created`)
    : customer;
}
