import type { PlanItem } from "./compare.js";
import { type Inventory, isMsp, type KnownOrganization } from "./inventory.js";
import { licensesOf, type OrganizationSpec } from "./organization-spec.js";

export interface Made {
  hasOrganization(id: string): boolean;
  /** A license ID can be reused for another MSP. */
  hasLicense(mspId: string, license: string): boolean;
}

export interface Prune {
  made: Made;
  /** Whether to also delete customers that no run created, if their MSP is in the spec. */
  adopted: boolean;
}

export interface Deletions {
  customers: KnownOrganization[];
  msps: KnownOrganization[];
  kept: PlanItem[];
}

/**
 * Returns the MSPs that runs created and that the spec no longer contains. The caller must keep an MSP that
 * still has customers or, without `--prune=adopted`, licenses that no run created.
 */
export function candidateMsps(
  spec: OrganizationSpec,
  organizations: Inventory["organizations"],
  { made }: Prune,
): KnownOrganization[] {
  const planned = plannedIds(spec);
  return [...organizations.values()].filter(
    (organization) =>
      isMsp(organization) && made.hasOrganization(organization.id) && !planned.has(organization.externalId),
  );
}

export function findDeletions(spec: OrganizationSpec, inventory: Inventory, prune: Prune): Deletions {
  const { organizations, licenses } = inventory;
  const { made, adopted } = prune;
  const planned = plannedIds(spec);
  const all = [...organizations.values()];
  const plannedMsps = new Set(
    spec.msps.flatMap(({ externalId }) => {
      const known = organizations.get(externalId);
      return known && isMsp(known) ? [known.id] : [];
    }),
  );
  const customers = all.filter(
    (organization) =>
      !isMsp(organization) &&
      !planned.has(organization.externalId) &&
      (made.hasOrganization(organization.id) || (adopted && plannedMsps.has(organization.parentId ?? ""))),
  );
  const deletedIds = new Set(customers.map(({ id }) => id));
  const deletions: Deletions = { customers, msps: [], kept: [] };
  for (const msp of candidateMsps(spec, organizations, prune)) {
    const stay = all.filter(({ id, parentId }) => parentId === msp.id && !deletedIds.has(id));
    const unmanagedLicenses = [...(licenses.get(msp.id)?.keys() ?? [])].filter(
      (id) => !made.hasLicense(msp.id, id),
    );
    if (stay.length > 0) {
      const reason = `has customers that will be kept: ${namesOf(stay.map(({ externalId }) => externalId))}`;
      deletions.kept.push(leftItem(msp, reason, "to delete them, use `voxctl orgs delete`"));
    } else if (unmanagedLicenses.length > 0 && !adopted) {
      const reason = `has licenses that no run of this spec added: ${namesOf(unmanagedLicenses)}`;
      deletions.kept.push(leftItem(msp, reason, "to delete the MSP and these licenses, use --prune=adopted"));
    } else deletions.msps.push(msp);
  }
  return deletions;
}

function plannedIds(spec: OrganizationSpec): Set<string> {
  return new Set(
    spec.msps.flatMap(({ externalId, customers }) => [
      externalId,
      ...customers.map((customer) => customer.externalId),
    ]),
  );
}

export function organizationItemOf(
  organization: KnownOrganization,
  msp: string,
): Omit<PlanItem, "action" | "differences" | "remedies"> {
  const { externalId, name = null, license = null, status } = organization;
  const type = isMsp(organization) ? "msp" : "customer";
  return { type, externalId, msp, name, license, product: null, status };
}

function leftItem(organization: KnownOrganization, reason: string, remedy: string): PlanItem {
  const item = organizationItemOf(organization, organization.externalId);
  return { ...item, action: "left", differences: [reason], remedies: [remedy] };
}

export function extrasIn(
  spec: OrganizationSpec,
  { organizations, licenses }: Inventory,
  concerned: (type: PlanItem["type"], externalId: string) => boolean,
): PlanItem[] {
  const planned = plannedIds(spec);
  const all = [...organizations.values()];
  const nothing = { action: "extra" as const, differences: [], remedies: [] };
  const extras: PlanItem[] = [];
  for (const msp of spec.msps) {
    const known = organizations.get(msp.externalId);
    if (!known || !isMsp(known)) continue;
    const named = new Set(licensesOf(msp));
    for (const license of licenses.get(known.id)?.values() ?? []) {
      const { id, product = null, status } = license;
      if (named.has(id) || status === "disabled" || concerned("license", id)) continue;
      extras.push({
        ...nothing,
        type: "license",
        externalId: id,
        msp: msp.externalId,
        name: null,
        license: null,
        product,
        status,
      });
    }
    for (const organization of all) {
      const isExtra =
        organization.parentId === known.id &&
        !planned.has(organization.externalId) &&
        !concerned("customer", organization.externalId);
      if (isExtra) extras.push({ ...nothing, ...organizationItemOf(organization, msp.externalId) });
    }
  }
  for (const organization of all) {
    if (
      !isMsp(organization) ||
      planned.has(organization.externalId) ||
      concerned("msp", organization.externalId)
    )
      continue;
    extras.push({ ...nothing, ...organizationItemOf(organization, organization.externalId) });
  }
  return extras;
}

export function namesOf(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more` : ids.join(", ");
}
