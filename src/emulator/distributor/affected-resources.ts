import type { Context, DistributorContext } from "../context.js";
import { findOrganization } from "./organizations.js";

type ResourceFields = Readonly<Record<string, unknown>>;

/** Resources by name, such as `orgs/65f1…` or `licenses/elbe-001`; null for a resource that doesn't exist. */
type ResourcesByName = Readonly<Record<string, ResourceFields | null>>;

interface Named {
  path: Readonly<Record<string, string>>;
  body: unknown;
}

/**
 * Returns the organizations and licenses that a write can change according to the API's documentation. Shares
 * no code with the handlers, because the result is used to check them.
 */
export function findAffectedResources(context: Context, operation: string, { path, body }: Named): string[] {
  const scope = toScope(context);
  const sent = toRecord(body);
  const { organizationId } = path;
  switch (operation) {
    case "orgs.create":
      return toLicenseNames([toRecord(sent["license"])["externalLicenseId"], sent["externalLicenseId"]]);
    case "orgs.delete":
      return organizationId === undefined
        ? []
        : [`orgs/${organizationId}`, ...toLicenseNames(findLicenses(scope, organizationId))];
    case "licenses.upsert": {
      const ids = toList(sent["licenses"]).map((license) => toRecord(license)["externalLicenseId"]);
      const holders = ids.flatMap((id) => findHolder(scope, id) ?? []);
      return [...toLicenseNames(ids), ...holders.map((id) => `orgs/${id}`)];
    }
    case "licenses.reassign":
      return organizationId === undefined
        ? []
        : [
            `orgs/${organizationId}`,
            ...toLicenseNames([
              findOrganization(scope, organizationId)?.licenseId,
              sent["externalLicenseId"],
            ]),
          ];
    default:
      return [];
  }
}

export function readResources(context: Context, names: readonly string[]): ResourcesByName {
  const scope = toScope(context);
  return Object.fromEntries(
    names.map((name) => {
      const id = name.slice(name.indexOf("/") + 1);
      return [name, name.startsWith("orgs/") ? readOrganization(scope, id) : readLicense(scope, id)];
    }),
  );
}

type Scope = Pick<DistributorContext, "database" | "distributorId">;

function toScope(context: Context): Scope {
  const { database } = context;
  const distributorId = "distributorId" in context ? String(context.distributorId) : "";
  return { database, distributorId };
}

function readOrganization(scope: Scope, id: string): ResourceFields | null {
  const organization = findOrganization(scope, id);
  if (!organization) return null;
  return {
    type: organization.type,
    name: organization.name,
    parentOrganizationId: organization.parentId,
    externalOrganizationId: organization.externalId,
    externalLicenseId: organization.licenseId,
    status: organization.status,
    blockedReason: organization.blockedReason,
  };
}

function readLicense({ database, distributorId }: Scope, id: string): ResourceFields | null {
  const row = database
    .prepare(
      `SELECT product, status, owner_id AS ownerOrganizationId, assigned_id AS assignedOrganizationId
       FROM licenses WHERE distributor_id = ? AND external_id = ?`,
    )
    .get(distributorId, id);
  return row ? { ...row } : null;
}

function findLicenses({ database, distributorId }: Scope, organizationId: string): unknown[] {
  return database
    .prepare(
      "SELECT external_id FROM licenses WHERE distributor_id = ? AND (owner_id = ? OR assigned_id = ?)",
    )
    .all(distributorId, organizationId, organizationId)
    .map((row) => row["external_id"]);
}

function findHolder({ database, distributorId }: Scope, licenseId: unknown): string | undefined {
  if (typeof licenseId !== "string") return undefined;
  const holder = database
    .prepare("SELECT assigned_id FROM licenses WHERE distributor_id = ? AND external_id = ?")
    .get(distributorId, licenseId)?.["assigned_id"];
  return typeof holder === "string" ? holder : undefined;
}

function toLicenseNames(ids: readonly unknown[]): string[] {
  return ids.flatMap((id) => (typeof id === "string" ? [`licenses/${id}`] : []));
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
