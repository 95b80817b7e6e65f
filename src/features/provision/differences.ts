import { isAlike } from "../../write/fields.js";
import type { Inventory, KnownLicense, KnownOrganization } from "./inventory.js";
import type { PlannedCustomer, PlannedLicense, PlannedMsp } from "./organization-spec.js";

/**
 * A change that the API can make: the product or state of a license, or the license of an organization (O2).
 */
export interface Change {
  product?: string;
  status?: "available" | "disabled";
  license?: string;
}

/** A difference and its remedy. */
export interface Difference {
  text: string;
  remedy: string;
  /** The change that `--converge` makes about it. */
  change?: Change;
}

/** Compares an existing MSP with the spec: the MSP itself and the license that it is sold. */
export function mspDifferences(
  planned: PlannedMsp,
  known: KnownOrganization,
  inventory: Inventory,
): Difference[] {
  const { license } = planned;
  return [
    ...organizationDifferences(known, { ...planned, type: "msp", license: license.id }),
    ...licenseDifferences(license, inventory.licenses.get(known.id)?.get(license.id)),
  ];
}

/** Compares an existing customer with the spec. */
export function customerDifferences(
  customer: PlannedCustomer,
  known: KnownOrganization,
  msp: { externalId: string; id: string | undefined },
): Difference[] {
  const differences = organizationDifferences(known, { ...customer, type: "customer" });
  const isElsewhere = known.parentId !== undefined && known.parentId !== msp.id;
  return isElsewhere
    ? [
        // The licenses of another MSP are out of its reach.
        ...differences.map(({ text }) => ({ text, remedy: cantMove })),
        { text: `belongs to another MSP than ${msp.externalId}`, remedy: cantMove },
      ]
    : differences;
}

const cantMove = "customers can't be moved: write the customer below its MSP in the spec";

/** The fields of an organization that differ from the plan; a field that the service does not show can't differ. */
export function organizationDifferences(
  known: KnownOrganization,
  planned: { type: string; name: string; license: string },
): Difference[] {
  const differences: Difference[] = [];
  if (known.type !== undefined && known.type !== planned.type) {
    differences.push({
      text: `is of type ${known.type}`,
      remedy: "types can't be changed: write another external ID in the spec",
    });
  }
  // A service may normalize a name (T3).
  if (known.name !== undefined && !isAlike("name", known.name, planned.name)) {
    differences.push({
      text: `is named "${known.name}", planned "${planned.name}"`,
      remedy: `organizations can't be renamed: write "${known.name}" in the spec`,
    });
  }
  if (known.license !== undefined && known.license !== planned.license) {
    differences.push({
      text:
        known.license === null
          ? `has no license, planned ${planned.license}`
          : `has the license ${known.license}, planned ${planned.license}`,
      remedy: "--converge gives it the planned one",
      change: { license: planned.license },
    });
  }
  return differences;
}

/** The product and the state of a license that differ from the plan. */
export function licenseDifferences(planned: PlannedLicense, known: KnownLicense | undefined): Difference[] {
  if (known === undefined) return [];
  const { id, product, isDisabled = false } = planned;
  const differences: Difference[] = [];
  const isDifferentProduct =
    product !== undefined && known.product !== undefined && !isAlike("product", known.product, product);
  if (isDifferentProduct) {
    differences.push({
      text: `${id} is of product ${known.product ?? "none"}, planned ${product}`,
      remedy: "--converge changes its product",
      change: { product },
    });
  }
  if (known.status !== undefined && (known.status === "disabled") !== isDisabled) {
    const status = isDisabled ? "disabled" : "available";
    differences.push({
      text: isDisabled ? `${id} is ${known.status}, planned disabled` : `${id} is disabled`,
      remedy: `--converge ${isDisabled ? "disables" : "enables"} it`,
      change: { status },
    });
  }
  return differences;
}
