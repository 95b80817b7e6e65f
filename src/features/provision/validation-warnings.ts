import * as z from "zod";
import { hasControlCharacters } from "../../base/text.js";
import { ExternalId, OrganizationName } from "../../contract/distributor/primitives.js";
import type { Schema } from "../../contract/operation.js";
import type { MspItems, PlanItem } from "./compare.js";
import type { PlannedCustomer, PlannedLicense, PlannedMsp, SpecProblem } from "./organization-spec.js";

/** Maximum number of characters of a value in a message. */
const mostQuoted = 40;

interface NewValue {
  at: string;
  what: string;
  schema: Schema;
  value: string;
}

/**
 * Returns errors and warnings about new items. `warnings` are about values that the emulator would reject. A
 * service might accept them, because the documents don't define the format of IDs and names (D-v2-org, D-text).
 * Control characters are errors: they show that the file is damaged, and names can't be changed later.
 */
export function checkNewValues(msps: readonly MspItems[]): {
  errors: SpecProblem[];
  warnings: SpecProblem[];
} {
  const errors: SpecProblem[] = [];
  const warnings: SpecProblem[] = [];
  for (const { at, what, schema, value } of newValues(msps)) {
    if (hasControlCharacters(value)) {
      errors.push({
        at,
        message: `the ${what} ${JSON.stringify(value)} contains a control character or line break`,
      });
      continue;
    }
    const issue = z.safeParse(schema, value).error?.issues[0];
    const quoted = value.length > mostQuoted ? `${value.slice(0, mostQuoted - 1)}…` : value;
    if (issue) warnings.push({ at, message: `the ${what} "${quoted}" ${issue.message}` });
  }
  return { errors, warnings };
}

function newValues(msps: readonly MspItems[]): NewValue[] {
  return msps.flatMap(({ planned, msp, licenses, customers }) => [
    ...(isNew(msp) ? [...organizationValues(planned), ...licenseValues(planned.license)] : []),
    ...planned.licenses.filter((_, index) => isNew(licenses[index])).flatMap(licenseValues),
    ...planned.customers.filter((_, index) => isNew(customers[index])).flatMap(organizationValues),
  ]);
}

function isNew(item: PlanItem | undefined): boolean {
  return item?.action === "create";
}

function organizationValues({ at, externalId, name }: PlannedMsp | PlannedCustomer): NewValue[] {
  return [
    { at, what: "external id", schema: ExternalId, value: externalId },
    { at, what: "name", schema: OrganizationName, value: name },
  ];
}

function licenseValues({ at, id, product }: PlannedLicense): NewValue[] {
  return [
    { at, what: "license ID", schema: ExternalId, value: id },
    ...(product === undefined ? [] : [{ at, what: "product", schema: OrganizationName, value: product }]),
  ];
}
