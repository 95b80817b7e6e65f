import type { Row } from "../../base/database.js";
import type { License } from "../../contract/distributor/licenses.js";
import {
  type DistributorOrganization,
  deleteOrganization,
  forgetOrganizations,
  type Provisioning,
} from "./organizations.js";
import { refuse } from "./policy.js";

/**
 * The life cycle of licenses and of the organizations that hold them, with one function for each transition.
 * Every request is one transaction, so a transition is never partial.
 *
 *     (none) ─create─▶ available ─assign─▶ assigned ─disable─▶ disabled (holder blocked)
 *                          ▲ ▲───release──────┘ ▲────enable────────┤ held
 *                          └──────────enable───────────────────────┘ held by no organization
 */
interface LicenseRow {
  id: string;
  externalId: string;
  product: string | null;
  status: License["status"];
  ownerId: string;
  assignedId: string | null;
}

const licenseDisabled = "license_disabled";

function toLicenseRow(row: Row): LicenseRow {
  const status = row["status"];
  return {
    id: String(row["id"]),
    externalId: String(row["external_id"]),
    product: row["product"] === null ? null : String(row["product"]),
    status: status === "assigned" || status === "disabled" ? status : "available",
    ownerId: String(row["owner_id"]),
    assignedId: row["assigned_id"] === null ? null : String(row["assigned_id"]),
  };
}

/** Finds a license by its external ID, which is unique for the distributor (D-v2-create). */
export function findLicense(context: Provisioning, externalId: string): LicenseRow | undefined {
  const row = context.database
    .prepare("SELECT * FROM licenses WHERE distributor_id = ? AND external_id = ?")
    .get(context.distributorId, externalId);
  return row && toLicenseRow(row);
}

export function findLicenses(context: Provisioning, ownerId: string): License[] {
  return context.database
    .prepare("SELECT * FROM licenses WHERE owner_id = ? ORDER BY id")
    .all(ownerId)
    .map(toLicenseRow)
    .map((license) => ({
      externalLicenseId: license.externalId,
      product: license.product,
      status: license.status,
      ownerOrganizationId: license.ownerId,
      assignedOrganizationId: license.assignedId,
    }));
}

/** @throws Refusal LICENSE_NOT_AVAILABLE if any MSP has a license with this ID */
export function createLicense(
  context: Provisioning,
  values: { externalId: string; product: string | null; ownerId: string },
): LicenseRow {
  const existing = findLicense(context, values.externalId);
  if (existing) throw notAvailable("D-v2-create", `the license ${values.externalId} already exists`);
  const id = context.newId();
  context.database
    .prepare(
      "INSERT INTO licenses (id, distributor_id, external_id, product, status, owner_id, created_at, updated_at) VALUES (?, ?, ?, ?, 'available', ?, ?, ?)",
    )
    .run(
      id,
      context.distributorId,
      values.externalId,
      values.product,
      values.ownerId,
      context.now,
      context.now,
    );
  return { ...values, id, status: "available", assignedId: null };
}

/**
 * Returns a license that the MSP can assign to an organization.
 * @throws Refusal LICENSE_NOT_FOUND if the MSP does not own the license
 * @throws Refusal LICENSE_NOT_AVAILABLE if the license is assigned or disabled
 */
export function requireAvailable(
  context: Provisioning,
  externalId: string,
  ownerId: string,
  rule: string,
): LicenseRow {
  const license = findLicense(context, externalId);
  if (license?.ownerId !== ownerId) {
    throw refuse("LICENSE_NOT_FOUND", rule, `the MSP has no license ${externalId}`);
  }
  if (license.status !== "available")
    // v2.create.customer
    throw notAvailable(rule, `the license ${externalId} is ${license.status}`);
  return license;
}

export function assign(context: Provisioning, license: LicenseRow, organizationId: string): void {
  setLicense(context, license.id, "assigned", organizationId); // v2.license.states
}

/** A disabled license stays disabled, without a holder (D-v2-reassign). */
function release(context: Provisioning, organization: DistributorOrganization): void {
  if (organization.licenseId === null) return;
  const license = findLicense(context, organization.licenseId);
  if (license)
    setLicense(context, license.id, license.status === "disabled" ? "disabled" : "available", null);
}

/** Disables a license and blocks its holder (v2.license.disable). */
export function disable(context: Provisioning, license: LicenseRow): void {
  if (license.status === "disabled") return;
  setLicense(context, license.id, "disabled", license.assignedId);
  if (license.assignedId !== null) block(context, license.assignedId);
}

/** The license becomes assigned if an organization holds it, and available otherwise (D-v2-licenses). */
export function enable(context: Provisioning, license: LicenseRow): void {
  if (license.status !== "disabled") return;
  setLicense(context, license.id, license.assignedId === null ? "available" : "assigned", license.assignedId);
  if (license.assignedId !== null) unblock(context, license.assignedId);
}

/** Releases the previous license, assigns the new one and unblocks the organization (v2.license.reassign). */
export function reassign(
  context: Provisioning,
  organization: DistributorOrganization,
  license: LicenseRow,
): void {
  release(context, organization);
  assign(context, license, organization.id);
  // Assigning a license changes the organization's externalLicenseId (D-v2-org).
  context.database
    .prepare("UPDATE organizations SET updated_at = ? WHERE id = ?")
    .run(context.now, organization.id);
  unblock(context, organization.id);
}

/**
 * If the organization is an MSP, a foreign key deletes the licenses that it owns (v2.license.delete,
 * D-v2-delete).
 */
export function endOrganization(context: Provisioning, organization: DistributorOrganization): void {
  release(context, organization);
  deleteOrganization(context, organization.id);
}

/** An organization that is already blocked keeps the earlier reason. */
function block(context: Provisioning, organizationId: string): void {
  context.database
    .prepare(
      "UPDATE organizations SET status = 'blocked', blocked_reason = ?, updated_at = ? WHERE id = ? AND status = 'active'",
    )
    .run(licenseDisabled, context.now, organizationId);
  forgetOrganizations(context);
}

function unblock(context: Provisioning, organizationId: string): void {
  context.database
    .prepare(
      "UPDATE organizations SET status = 'active', blocked_reason = NULL, updated_at = ? WHERE id = ? AND blocked_reason = ?",
    )
    .run(context.now, organizationId, licenseDisabled);
  forgetOrganizations(context);
}

function setLicense(
  context: Provisioning,
  id: string,
  status: License["status"],
  assignedId: string | null,
): void {
  context.database
    .prepare("UPDATE licenses SET status = ?, assigned_id = ?, updated_at = ? WHERE id = ?")
    .run(status, assignedId, context.now, id);
}

function notAvailable(rule: string, message: string) {
  return refuse("LICENSE_NOT_AVAILABLE", rule, message);
}
