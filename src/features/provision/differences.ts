import { isAlike } from "../../write/fields.js";
import type { Inventory, KnownLicense, KnownOrganization } from "./inventory.js";
import type { PlannedCustomer, PlannedLicense, PlannedMsp } from "./organization-spec.js";

export interface Change {
  product?: string;
  status?: "available" | "disabled";
  license?: string;
}

export interface Difference {
  text: string;
  remedy: string;
  change?: Change;
}

export function mspDifferences(
  planned: PlannedMsp,
  known: KnownOrganization,
  inventory: Inventory,
): Difference[] {
  const { license } = planned;
  return [
    ...organizationDifferences(known, { ...planned, type: "msp", license: license.id }),
    ...licenseDifferences(license, inventory.licenses.get(known.id)?.get(license.id)).map((difference) => ({
      ...difference,
      text: `its license ${license.id} ${difference.text}`,
    })),
  ];
}

export function customerDifferences(
  customer: PlannedCustomer,
  known: KnownOrganization,
  msp: { externalId: string; id: string | undefined },
  organizations: Inventory["organizations"],
): Difference[] {
  const isElsewhere = known.parentId !== undefined && known.parentId !== msp.id;
  if (!isElsewhere) return organizationDifferences(known, { ...customer, type: "customer" });
  const current = [...organizations.values()].find(({ id }) => id === known.parentId)?.externalId;
  // The license depends on the MSP, so report only the MSP.
  const license = known.license ?? customer.license;
  return [
    ...organizationDifferences({ ...known, license }, { ...customer, license, type: "customer" }).map(
      ({ text }) => ({ text, remedy: "" }),
    ),
    {
      text: `belongs to ${current ?? "a different MSP"}, not ${msp.externalId}`,
      remedy: `a customer can't be moved to another MSP: list this customer under ${current ?? "its current MSP"}, or, to create a new customer, use an external ID that no organization has`,
    },
  ];
}

/** Compares an organization with the spec. Ignores fields that the service doesn't return. */
export function organizationDifferences(
  known: KnownOrganization,
  planned: { type: string; name: string; license: string },
): Difference[] {
  const differences: Difference[] = [];
  const isOtherType = known.type !== undefined && known.type !== planned.type;
  if (isOtherType) {
    differences.push({
      text: `is of type ${known.type}`,
      remedy: "types can't be changed: use an external ID that no organization has",
    });
  }
  // Ignore differences in case and spaces, because the service may normalize names.
  if (known.name !== undefined && !isAlike("name", known.name, planned.name)) {
    differences.push({
      text: `is named "${known.name}", expected "${planned.name}"`,
      remedy: isOtherType ? "" : `organizations can't be renamed: use "${known.name}" in the spec`,
    });
  }
  if (known.license !== undefined && known.license !== planned.license) {
    differences.push({
      text:
        known.license === null
          ? `has no license, expected ${planned.license}`
          : `has the license ${known.license}, expected ${planned.license}`,
      // If the type differs, the spec probably means another organization, so don't change its license.
      ...(isOtherType
        ? { remedy: "" }
        : { remedy: "use --converge to assign it", change: { license: planned.license } }),
    });
  }
  return differences;
}

/**
 * Compares a license's product and status with the spec. The texts, such as "is disabled", have no subject.
 */
export function licenseDifferences(planned: PlannedLicense, known: KnownLicense | undefined): Difference[] {
  if (known === undefined) return [];
  const { product, isDisabled = false } = planned;
  const differences: Difference[] = [];
  const isDifferentProduct =
    product !== undefined && known.product !== undefined && !isAlike("product", known.product, product);
  if (isDifferentProduct) {
    differences.push({
      text: `has ${known.product ? `product ${known.product}` : "no product"}, expected ${product}`,
      remedy: "use --converge to change it",
      change: { product },
    });
  }
  if (known.status !== undefined && (known.status === "disabled") !== isDisabled) {
    const status = isDisabled ? "disabled" : "available";
    differences.push({
      text: isDisabled ? `is ${known.status}, expected disabled` : "is disabled",
      remedy: `use --converge to ${isDisabled ? "disable" : "enable"} it`,
      change: { status },
    });
  }
  return differences;
}
