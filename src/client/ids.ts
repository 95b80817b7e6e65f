import { ExactNumber } from "../base/exact-json.js";
import type { OperationName } from "../contract/wire.js";
import { isRecord } from "./parsing.js";

/** Returns an id as text, for paths and comparisons, because ids in the distributor API may be numbers. */
export function idText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" || value instanceof ExactNumber ? String(value) : undefined;
}

/** Returns the id of an organization as received, from whichever field a deployment uses. */
export function sentOrganizationId(row: unknown): unknown {
  if (!isRecord(row)) return undefined;
  return ["id", "organizationId", "organization_id"]
    .map((name) => row[name])
    .find((value) => idText(value) !== undefined);
}

/** Returns the id of an organization as text. */
export function organizationId(row: unknown): string | undefined {
  return idText(sentOrganizationId(row));
}

/**
 * Returns the key that identifies a row in this list. Returns undefined for usage records, whose id may be their organization's id.
 */
export function rowId(operation: OperationName, row: unknown): string | undefined {
  if (!isRecord(row)) return undefined;
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
