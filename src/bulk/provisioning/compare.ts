import type { Inventory, KnownLicense, KnownOrganization } from "./inventory.js";
import type { PlannedCustomer, PlannedLicense, PlannedMsp, PlanProblem, ProvisionPlan } from "./plan.js";

/** What a plan asks for, beside what is there. */
export interface PlanItem {
  action: "create" | "exists" | "differs";
  kind: "msp" | "license" | "customer";
  /** Of a license its id. */
  externalId: string;
  /** External id of the MSP it belongs to; its own of an MSP. */
  msp: string;
  name: string | null;
  license: string | null;
  /** What differs, in words. Never changed by a run. */
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
    const msp = organizationItem("msp", planned, planned.externalId);
    const owned = known && inventory.licenses.get(known.id);
    if (known) {
      msp.differences.push(
        ...organizationDifferences(known, { ...planned, type: "msp", license: planned.license.id }),
      );
      msp.differences.push(...productDifference(planned.license, owned?.get(planned.license.id)));
      msp.action = msp.differences.length > 0 ? "differs" : "exists";
    }
    const unusable = known !== undefined && owned === undefined;
    const licenses = planned.licenses.map((license) => {
      const item = licenseItem(license, planned.externalId, owned?.get(license.id));
      return unusable ? blocked(item, `${planned.externalId} is no MSP`) : item;
    });
    const customers = planned.customers.map((customer) => {
      const item = customerItem(customer, planned, known, inventory, problems);
      return unusable && item.action === "create" ? blocked(item, `${planned.externalId} is no MSP`) : item;
    });
    return { planned, msp, licenses, customers };
  });
  return { msps, problems };
}

function organizationItem(
  kind: "msp" | "customer",
  planned: { externalId: string; name: string; license: string | PlannedLicense },
  msp: string,
): PlanItem {
  const { externalId, name, license } = planned;
  return {
    action: "create",
    kind,
    externalId,
    msp,
    name,
    license: typeof license === "string" ? license : license.id,
    differences: [],
  };
}

function licenseItem(license: PlannedLicense, msp: string, known: KnownLicense | undefined): PlanItem {
  const differences = productDifference(license, known);
  return {
    action: known === undefined ? "create" : differences.length > 0 ? "differs" : "exists",
    kind: "license",
    externalId: license.id,
    msp,
    name: license.product ?? null,
    license: null,
    differences,
  };
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
    return blocked(item, licenseInUse(customer.license, owned.status, inventory));
  }
  if (!owned && !isPlanned) {
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

/** What an organization has otherwise than it was planned; what the service does not tell can't differ. */
export function organizationDifferences(
  known: KnownOrganization,
  planned: { type: string; name: string; license: string },
): string[] {
  const differences: string[] = [];
  if (known.type !== undefined && known.type !== planned.type) differences.push(`is of type ${known.type}`);
  if (known.name !== undefined && known.name !== planned.name) {
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
  if (planned.product === undefined || !known || known.product === planned.product) return [];
  return [`${planned.id} is of product ${known.product ?? "none"}, planned ${planned.product}`];
}

/** What is planned can't be created as it is. */
export function blocked(item: PlanItem, reason: string): PlanItem {
  return { ...item, action: "differs", differences: [...item.differences, reason] };
}
