import type { SqlValue } from "../../base/database.js";
import type { Organization, OrganizationTree, orgs } from "../../contract/distributor/orgs.js";
import type { DistributorContext, Handlers } from "../context.js";
import { toPage } from "../kernel/paging.js";
import { assign, createLicense, endOrganization, requireAvailable } from "./lifecycle.js";
import {
  findOrganization,
  isExternalIdTaken,
  organizationColumns,
  provisionOrganization,
  requireOrganization,
  showOrganization,
  toOrganization,
} from "./organizations.js";
import { parsePosition } from "./paging.js";
import { outOfScope, refuse } from "./policy.js";

// v2.duplicate
function refuseTakenExternalId(context: DistributorContext, externalId: string): void {
  if (!isExternalIdTaken(context, externalId)) return;
  throw refuse(
    "DUPLICATE_EXTERNAL_ORGANIZATION_ID",
    "v2.duplicate",
    `an organization with the external id ${externalId} already exists`,
  );
}

export const orgHandlers: Handlers<typeof orgs, DistributorContext> = {
  "orgs.list": (context, { query }) => {
    const { limit, cursor, ...filters } = query;
    const position = parsePosition(context, cursor, filters);
    const columns: Record<string, SqlValue | undefined> = {
      type: filters.type, // v2.list
      parent_id: filters.parentOrganizationId, // D-v2-list
      external_id: filters.externalOrganizationId,
      status: filters.status,
    };
    const used = Object.entries(columns).filter(
      (entry): entry is [string, SqlValue] => entry[1] !== undefined,
    );
    const conditions = ["distributor_id = ?", ...used.map(([name]) => `${name} = ?`), "id > ?"];
    const rows = context.database
      .prepare(
        `SELECT ${organizationColumns} FROM organizations WHERE ${conditions.join(" AND ")} ORDER BY id LIMIT ?`,
      )
      .all(context.distributorId, ...used.map(([, value]) => value), String(position?.[0] ?? ""), limit + 1)
      .map((row) => showOrganization(toOrganization(row)));
    return toPage(rows, limit, filters, (row) => [row.id]);
  },

  "orgs.create": (context, { body }) => {
    if (body.type === "msp") {
      refuseTakenExternalId(context, body.externalOrganizationId);
      const { name, externalOrganizationId: externalId, license } = body;
      const id = provisionOrganization(context, { type: "msp", name, externalId });
      // v2.create.msp
      const created = createLicense(context, {
        externalId: license.externalLicenseId,
        product: license.product ?? null,
        ownerId: id,
      });
      assign(context, created, id);
      return showOrganization(requireOrganization(context, id));
    }
    const parent = findOrganization(context, body.parentOrganizationId);
    if (parent?.type !== "msp") throw outOfScope(`the MSP ${body.parentOrganizationId}`);
    refuseTakenExternalId(context, body.externalOrganizationId);
    // v2.create.customer
    const license = requireAvailable(context, body.externalLicenseId, parent.id, "v2.create.customer");
    const id = provisionOrganization(context, {
      type: "customer",
      name: body.name,
      externalId: body.externalOrganizationId,
      parentId: parent.id,
    });
    assign(context, license, id);
    return showOrganization(requireOrganization(context, id));
  },

  "orgs.tree": (context): OrganizationTree[] => {
    const organizations = context.database
      // D-v2-tree
      .prepare(`SELECT ${organizationColumns} FROM organizations WHERE distributor_id = ? ORDER BY id`)
      .all(context.distributorId)
      .map((row) => showOrganization(toOrganization(row)));
    const children = new Map<string, Organization[]>();
    for (const organization of organizations) {
      const { parentOrganizationId } = organization;
      if (parentOrganizationId === null) continue;
      const siblings = children.get(parentOrganizationId) ?? [];
      siblings.push(organization);
      children.set(parentOrganizationId, siblings);
    }
    return organizations
      .filter((organization) => organization.type === "msp")
      .map((msp) => ({ ...msp, customers: children.get(msp.id) ?? [] })); // v2.tree
  },

  "orgs.delete": (context, { path }) => {
    const organization = requireOrganization(context, path.organizationId);
    // v2.delete.msp
    const child = context.database
      .prepare("SELECT 1 FROM organizations WHERE parent_id = ?")
      .get(organization.id);
    if (child) {
      throw refuse(
        "ORGANIZATION_HAS_CHILDREN",
        "v2.delete.msp",
        `the MSP ${organization.externalId} still has customers; delete them first`,
      );
    }
    endOrganization(context, organization);
  },
};
