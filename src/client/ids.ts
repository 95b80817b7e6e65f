import { ExactNumber } from "../base/exact-json.js";
import { isFields } from "../base/fields.js";
import type { OperationName } from "../contract/wire.js";

/** Returns an ID as a string. IDs in the distributor API can be numbers. */
export function idText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" || value instanceof ExactNumber ? String(value) : undefined;
}

/** Returns an organization's ID with its original type. Deployments use different fields for the ID. */
export function sentOrganizationId(row: unknown): unknown {
  if (!isFields(row)) return undefined;
  return ["id", "organizationId", "organization_id"]
    .map((name) => row[name])
    .find((value) => idText(value) !== undefined);
}

export function organizationId(row: unknown): string | undefined {
  return idText(sentOrganizationId(row));
}

/** Returns undefined for a usage record, whose field `id` may contain the organization's ID. */
export function rowId(operation: OperationName, row: unknown): string | undefined {
  if (!isFields(row)) return undefined;
  switch (operation) {
    case "orgs.list":
      return organizationId(row);
    case "partners.list":
      return idText(row["externalPartnerId"]);
    case "customers.list":
      return idText(row["externalCustomerId"]);
    case "usage.list":
    case "partners.usage":
      return undefined;
    default:
      return idText(row["id"]);
  }
}
