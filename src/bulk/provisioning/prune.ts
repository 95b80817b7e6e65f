import type { PlanItem } from "./compare.js";
import type { Inventory, KnownOrganization } from "./inventory.js";
import { licensesOf, type ProvisionPlan } from "./plan.js";

/** The things that runs of a plan of this name made, by their ids (O3). */
export interface Made {
  hasOrganization(id: string): boolean;
  /** License ids are the distributor's own; a license belongs to the MSP of this id. */
  hasLicense(mspId: string, license: string): boolean;
}

export interface Prune {
  made: Made;
  /** Any organization under an MSP of the plan goes, whoever made it. */
  adopted: boolean;
}

/** Organizations that are to go, customers before MSPs, and those that would be, but have to stay. */
export interface Doomed {
  customers: KnownOrganization[];
  msps: KnownOrganization[];
  left: PlanItem[];
}

export function isMsp({ type, parentId }: KnownOrganization): boolean {
  return type === undefined ? parentId === undefined : type === "msp";
}

/** MSPs that the plan does not have any more: what they own has to be read before they are judged. */
export function candidateMsps(
  plan: ProvisionPlan,
  organizations: Inventory["organizations"],
  { made }: Prune,
): KnownOrganization[] {
  const planned = plannedIds(plan);
  return [...organizations.values()].filter(
    (one) => isMsp(one) && made.hasOrganization(one.id) && !planned.has(one.externalId),
  );
}

/** O3: what runs of this plan made and the plan does not have any more. */
export function doomedIn(plan: ProvisionPlan, inventory: Inventory, prune: Prune): Doomed {
  const { organizations, licenses } = inventory;
  const { made, adopted } = prune;
  const planned = plannedIds(plan);
  const all = [...organizations.values()];
  const plannedMsps = new Set(
    plan.msps.flatMap(({ externalId }) => {
      const known = organizations.get(externalId);
      return known && isMsp(known) ? [known.id] : [];
    }),
  );
  const customers = all.filter(
    (one) =>
      !isMsp(one) &&
      !planned.has(one.externalId) &&
      (made.hasOrganization(one.id) || (adopted && plannedMsps.has(one.parentId ?? ""))),
  );
  const goes = new Set(customers.map(({ id }) => id));
  const doomed: Doomed = { customers, msps: [], left: [] };
  for (const msp of candidateMsps(plan, organizations, prune)) {
    const stay = all.filter(({ id, parentId }) => parentId === msp.id && !goes.has(id));
    const others = [...(licenses.get(msp.id)?.keys() ?? [])].filter((id) => !made.hasLicense(msp.id, id));
    if (stay.length > 0) {
      const reason = `has customers that stay: ${namesOf(stay.map(({ externalId }) => externalId))}`;
      doomed.left.push(leftItem(msp, reason, "voxctl orgs delete deletes one by hand"));
    } else if (others.length > 0 && !adopted) {
      const reason = `has licenses that no run of this plan added: ${namesOf(others)}`;
      doomed.left.push(leftItem(msp, reason, "--prune-adopted deletes it with them"));
    } else doomed.msps.push(msp);
  }
  return doomed;
}

function plannedIds(plan: ProvisionPlan): Set<string> {
  return new Set(
    plan.msps.flatMap(({ externalId, customers }) => [
      externalId,
      ...customers.map((customer) => customer.externalId),
    ]),
  );
}

/** An organization as an item of a run that is not about creating it. */
export function organizationItemOf(
  organization: KnownOrganization,
  msp: string,
): Omit<PlanItem, "action" | "differences" | "remedies"> {
  const { externalId, name = null, license = null, status } = organization;
  const kind = isMsp(organization) ? "msp" : "customer";
  return { kind, externalId, msp, name, license, product: null, status };
}

function leftItem(organization: KnownOrganization, reason: string, remedy: string): PlanItem {
  const item = organizationItemOf(organization, organization.externalId);
  return { ...item, action: "left", differences: [reason], remedies: [remedy] };
}

/** Things that are there, and with which neither the plan nor a run has to do (O1). */
export function extrasIn(
  plan: ProvisionPlan,
  { organizations, licenses }: Inventory,
  concerned: (kind: PlanItem["kind"], externalId: string) => boolean,
): PlanItem[] {
  const planned = plannedIds(plan);
  const all = [...organizations.values()];
  const nothing = { action: "extra" as const, differences: [], remedies: [] };
  const extras: PlanItem[] = [];
  for (const msp of plan.msps) {
    const known = organizations.get(msp.externalId);
    if (!known || !isMsp(known)) continue;
    const named = new Set(licensesOf(msp));
    for (const license of licenses.get(known.id)?.values() ?? []) {
      const { id, product = null, status } = license;
      if (named.has(id) || status === "disabled" || concerned("license", id)) continue;
      extras.push({
        ...nothing,
        kind: "license",
        externalId: id,
        msp: msp.externalId,
        name: null,
        license: null,
        product,
        status,
      });
    }
    for (const one of all) {
      const isExtra =
        one.parentId === known.id && !planned.has(one.externalId) && !concerned("customer", one.externalId);
      if (isExtra) extras.push({ ...nothing, ...organizationItemOf(one, msp.externalId) });
    }
  }
  for (const one of all) {
    if (!isMsp(one) || planned.has(one.externalId) || concerned("msp", one.externalId)) continue;
    extras.push({ ...nothing, ...organizationItemOf(one, one.externalId) });
  }
  return extras;
}

export function namesOf(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more` : ids.join(", ");
}
