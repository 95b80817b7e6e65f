import type { PlanItem } from "./compare.js";

/**
 * Returns the licenses for a request: new licenses with all values, existing licenses with only the changed
 * values.
 */
export function upsertsOf(planned: readonly PlanItem[]): object[] {
  const upserts = new Map<string, object>();
  for (const { externalId, product, change } of planned) {
    const fields = change ?? (product === null ? {} : { product });
    upserts.set(externalId, { externalLicenseId: externalId, ...upserts.get(externalId), ...fields });
  }
  return [...upserts.values()];
}

export function bodyOf({ type, name, externalId, license, product }: PlanItem, msp: unknown): object {
  if (type === "customer") {
    return {
      type,
      name,
      parentOrganizationId: msp,
      externalOrganizationId: externalId,
      externalLicenseId: license,
    };
  }
  return {
    type,
    name,
    externalOrganizationId: externalId,
    license: { externalLicenseId: license, ...(product === null ? {} : { product }) },
  };
}
