import * as z from "zod";
import { ExternalId, OrganizationName } from "../../contract/distributor/primitives.js";
import type { Schema } from "../../contract/operation.js";
import type { MspItems, PlanItem } from "./compare.js";
import type { PlannedLicense, SpecProblem } from "./organization-spec.js";

/** Maximum number of characters of a value in a message. */
const mostQuoted = 40;

/**
 * Returns warnings about new items that the emulator would reject. A service might accept them, because the
 * documents don't define the format of IDs and names (D-v2-org, D-text).
 */
export function validationWarnings(msps: readonly MspItems[]): SpecProblem[] {
  return msps.flatMap(({ planned, msp, licenses, customers }) => [
    ...(isNew(msp)
      ? [
          ...warningFor(planned.at, "external id", ExternalId, planned.externalId),
          ...warningFor(planned.at, "name", OrganizationName, planned.name),
          ...licenseWarnings(planned.license),
        ]
      : []),
    ...planned.licenses.filter((_, index) => isNew(licenses[index])).flatMap(licenseWarnings),
    ...planned.customers
      .filter((_, index) => isNew(customers[index]))
      .flatMap(({ at, externalId, name }) => [
        ...warningFor(at, "external id", ExternalId, externalId),
        ...warningFor(at, "name", OrganizationName, name),
      ]),
  ]);
}

function isNew(item: PlanItem | undefined): boolean {
  return item?.action === "create";
}

function licenseWarnings({ at, id, product }: PlannedLicense): SpecProblem[] {
  return [
    ...warningFor(at, "license ID", ExternalId, id),
    ...(product === undefined ? [] : warningFor(at, "product", OrganizationName, product)),
  ];
}

function warningFor(at: string, what: string, schema: Schema, value: string): SpecProblem[] {
  const issue = z.safeParse(schema, value).error?.issues[0];
  const quoted = value.length > mostQuoted ? `${value.slice(0, mostQuoted - 1)}…` : value;
  return issue ? [{ at, message: `the ${what} "${quoted}" ${issue.message}` }] : [];
}
