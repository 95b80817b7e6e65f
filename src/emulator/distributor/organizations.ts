import type { Row } from "../../base/database.js";
import type { Organization } from "../../contract/distributor/orgs.js";
import type { DistributorContext } from "../context.js";
import { isoTime } from "../kernel/clock.js";
import { createOrganization } from "../kernel/organizations.js";
import { outOfScope } from "./policy.js";

/** Contains only these fields, because the seed doesn't provide the others. */
export type Provisioning = Pick<DistributorContext, "state" | "database" | "now" | "newId" | "distributorId">;

export interface DistributorOrganization {
  id: string;
  type: "msp" | "customer";
  name: string;
  parentId: string | null;
  externalId: string;
  licenseId: string | null;
  status: "active" | "blocked";
  blockedReason: string | null;
  createdAt: number;
  updatedAt: number;
}

export const organizationColumns = `organizations.*,
  (SELECT external_id FROM licenses WHERE licenses.assigned_id = organizations.id) AS license_id`;

export function toOrganization(row: Row): DistributorOrganization {
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  return {
    id: String(row["id"]),
    type: row["type"] === "msp" ? "msp" : "customer",
    name: String(row["name"]),
    parentId: text("parent_id"),
    externalId: String(row["external_id"]),
    licenseId: text("license_id"),
    status: row["status"] === "blocked" ? "blocked" : "active",
    blockedReason: text("blocked_reason"),
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}

/** D-v2-org */
export function showOrganization(organization: DistributorOrganization): Organization {
  return {
    id: organization.id,
    type: organization.type,
    name: organization.name,
    parentOrganizationId: organization.parentId,
    externalOrganizationId: organization.externalId,
    externalLicenseId: organization.licenseId,
    status: organization.status,
    blockedReason: organization.blockedReason,
    createdAt: isoTime(organization.createdAt),
    updatedAt: isoTime(organization.updatedAt),
  };
}

export function findOrganization(
  context: Pick<DistributorContext, "database" | "distributorId">,
  id: string,
): DistributorOrganization | undefined {
  const row = context.database
    .prepare(`SELECT ${organizationColumns} FROM organizations WHERE id = ? AND distributor_id = ?`)
    .get(id, context.distributorId);
  return row && toOrganization(row);
}

/** @throws Refusal NOT_FOUND */
export function requireOrganization(context: DistributorContext, id: string): DistributorOrganization {
  const organization = findOrganization(context, id);
  if (!organization) throw outOfScope(`the organization ${id}`);
  return organization;
}

export function isExternalIdTaken(context: DistributorContext, externalId: string): boolean {
  return (
    context.database
      .prepare("SELECT 1 FROM organizations WHERE distributor_id = ? AND external_id = ?")
      .get(context.distributorId, externalId) !== undefined
  );
}

/** Creates an ordinary Public API organization under a distributor, and returns its ID (D-link). */
export function provisionOrganization(
  context: Provisioning,
  values: { type: "msp" | "customer"; name: string; externalId: string; parentId?: string },
): string {
  const id = createOrganization(context.database, () => context.newId(), context.now, { name: values.name });
  context.database
    .prepare(
      "UPDATE organizations SET distributor_id = ?, type = ?, parent_id = ?, external_id = ? WHERE id = ?",
    )
    .run(context.distributorId, values.type, values.parentId ?? null, values.externalId, id);
  return id;
}

/** The caller must first release the organization's license (D-v2-delete). */
export function deleteOrganization(context: Provisioning, id: string): void {
  context.database.prepare("DELETE FROM organizations WHERE id = ?").run(id);
  forgetOrganizations(context);
}

/** Must be called after an organization is deleted or its status changes. */
export function forgetOrganizations(context: Provisioning): void {
  context.state.keys.reload();
  context.state.organizations.reload();
}
