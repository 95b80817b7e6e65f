import type { Context, DistributorContext } from "../context.js";
import { findOrganization } from "./organizations.js";

/** An organization or a license, without its times. */
type Shown = Readonly<Record<string, unknown>>;

/** Things by name: `orgs/65f1…`, `licenses/elbe-001`; null of what is not there. */
type Things = Readonly<Record<string, Shown | null>>;

/** The input of a write to a distributor's interface, as far as it names things. */
interface Named {
  path: Readonly<Record<string, string>>;
  body: unknown;
}

/**
 * The organizations and licenses that a write may change, by what the documents say of it and not by what it does:
 * read before and after, they are one account of its effect.
 */
export function touchedBy(context: Context, operation: string, { path, body }: Named): string[] {
  const scope = scopeOf(context);
  const sent = recordOf(body);
  const { organizationId } = path;
  switch (operation) {
    case "orgs.create":
      return licenseNames([recordOf(sent["license"])["externalLicenseId"], sent["externalLicenseId"]]);
    case "orgs.delete":
      return organizationId === undefined
        ? []
        : [`orgs/${organizationId}`, ...licenseNames(licensesOf(scope, organizationId))];
    case "licenses.upsert": {
      const ids = listOf(sent["licenses"]).map((license) => recordOf(license)["externalLicenseId"]);
      const holders = ids.flatMap((id) => holderOf(scope, id) ?? []);
      return [...licenseNames(ids), ...holders.map((id) => `orgs/${id}`)];
    }
    case "licenses.reassign":
      return organizationId === undefined
        ? []
        : [
            `orgs/${organizationId}`,
            ...licenseNames([findOrganization(scope, organizationId)?.licenseId, sent["externalLicenseId"]]),
          ];
    default:
      return [];
  }
}

/** These things as they are now. */
export function thingsOf(context: Context, names: readonly string[]): Things {
  const scope = scopeOf(context);
  return Object.fromEntries(
    names.map((name) => {
      const id = name.slice(name.indexOf("/") + 1);
      return [name, name.startsWith("orgs/") ? organization(scope, id) : license(scope, id)];
    }),
  );
}

type Scope = Pick<DistributorContext, "database" | "distributorId">;

function scopeOf(context: Context): Scope {
  const { database } = context;
  const distributorId = "distributorId" in context ? String(context.distributorId) : "";
  return { database, distributorId };
}

function organization(scope: Scope, id: string): Shown | null {
  const found = findOrganization(scope, id);
  if (!found) return null;
  return {
    type: found.type,
    name: found.name,
    parentOrganizationId: found.parentId,
    externalOrganizationId: found.externalId,
    externalLicenseId: found.licenseId,
    status: found.status,
    blockedReason: found.blockedReason,
  };
}

function license({ database, distributorId }: Scope, id: string): Shown | null {
  const row = database
    .prepare(
      `SELECT product, status, owner_id AS ownerOrganizationId, assigned_id AS assignedOrganizationId
       FROM licenses WHERE distributor_id = ? AND external_id = ?`,
    )
    .get(distributorId, id);
  return row ? { ...row } : null;
}

/** The licenses that it owns, and the one that it holds. */
function licensesOf({ database, distributorId }: Scope, organizationId: string): unknown[] {
  return database
    .prepare(
      "SELECT external_id FROM licenses WHERE distributor_id = ? AND (owner_id = ? OR assigned_id = ?)",
    )
    .all(distributorId, organizationId, organizationId)
    .map((row) => row["external_id"]);
}

function holderOf({ database, distributorId }: Scope, licenseId: unknown): string | undefined {
  if (typeof licenseId !== "string") return undefined;
  const holder = database
    .prepare("SELECT assigned_id FROM licenses WHERE distributor_id = ? AND external_id = ?")
    .get(distributorId, licenseId)?.["assigned_id"];
  return typeof holder === "string" ? holder : undefined;
}

function licenseNames(ids: readonly unknown[]): string[] {
  return ids.flatMap((id) => (typeof id === "string" ? [`licenses/${id}`] : []));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
