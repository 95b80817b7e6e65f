import type { PlanItem } from "./compare.js";

/** Returns the licenses for one request, each with its changes or, if it is new, with its values. */
export function upsertsOf(planned: readonly PlanItem[]): object[] {
  const upserts = new Map<string, object>();
  for (const { externalId, product, change } of planned) {
    const fields = change ?? (product === null ? {} : { product });
    upserts.set(externalId, { externalLicenseId: externalId, ...upserts.get(externalId), ...fields });
  }
  return [...upserts.values()];
}

/** Returns the body that creates an organization. */
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
