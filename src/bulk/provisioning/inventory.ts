import type { CallOptions, Client } from "../../client/types.js";
import type { ProvisionPlan } from "./plan.js";

/** An organization as far as a plan speaks of it; what a deployment does not send is undefined. */
export interface KnownOrganization {
  id: string;
  externalId: string;
  type: string | undefined;
  name: string | undefined;
  parentId: string | undefined;
  /** Null where it has none. */
  license: string | null | undefined;
  status: string | undefined;
}

export interface KnownLicense {
  id: string;
  product: string | undefined;
  status: string | undefined;
}

/** What is there already of what a plan names. */
export interface Inventory {
  /** By external id; of all organizations, since any may hold a license. */
  organizations: Map<string, KnownOrganization>;
  /** Of the plan's MSPs that exist, by the MSP's id, then by the license's. */
  licenses: Map<string, Map<string, KnownLicense>>;
}

/** Reads all pages of organizations, and the licenses of the plan's MSPs. */
export async function readInventory(
  client: Client,
  plan: ProvisionPlan,
  options: CallOptions,
): Promise<Inventory> {
  const inventory: Inventory = { organizations: new Map(), licenses: new Map() };
  for await (const organization of readOrganizations(client, options)) {
    inventory.organizations.set(organization.externalId, organization);
  }
  for (const msp of plan.msps) {
    const known = inventory.organizations.get(msp.externalId);
    if (known && (known.type ?? "msp") === "msp")
      inventory.licenses.set(known.id, await readLicenses(client, known.id, options));
  }
  return inventory;
}

/** Every organization with an external id. */
async function* readOrganizations(
  client: Client,
  options: CallOptions,
): AsyncGenerator<KnownOrganization, void> {
  for await (const row of client.items("orgs.list", {}, { ...options, pageSize: 200 })) {
    const organization = organizationOf(row);
    if (organization) yield organization;
  }
}

/** The organization of exactly this external id: a filter is never trusted, so all pages are read. */
export async function findOrganization(
  client: Client,
  externalId: string,
  options: CallOptions,
): Promise<KnownOrganization | undefined> {
  for await (const organization of readOrganizations(client, options)) {
    if (organization.externalId === externalId) return organization;
  }
  return undefined;
}

/** The licenses that an MSP owns, by id (v2.billing). */
async function readLicenses(
  client: Client,
  organizationId: string,
  options: CallOptions,
): Promise<Map<string, KnownLicense>> {
  const { data } = await client.call("billing.get", { path: { organizationId } }, options);
  const licenses = new Map<string, KnownLicense>();
  const rows: unknown = isRecord(data) ? data["licenses"] : undefined;
  for (const row of Array.isArray(rows) ? rows : []) {
    const id = isRecord(row) ? text(row["externalLicenseId"]) : undefined;
    if (id === undefined || !isRecord(row)) continue;
    licenses.set(id, { id, product: text(row["product"]), status: text(row["status"]) });
  }
  return licenses;
}

/** A row of an answer as an organization, or undefined where it has no id. */
export function organizationOf(row: unknown): KnownOrganization | undefined {
  if (!isRecord(row)) return undefined;
  const id = text(row["id"]);
  const externalId = text(row["externalOrganizationId"]);
  if (id === undefined || externalId === undefined) return undefined;
  return {
    id,
    externalId,
    type: text(row["type"]),
    name: text(row["name"]),
    parentId: text(row["parentOrganizationId"]),
    license: row["externalLicenseId"] === null ? null : text(row["externalLicenseId"]),
    status: text(row["status"]),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
