import { ExactNumber } from "../base/exact-json.js";
import type { OperationName } from "../contract/wire.js";
import { isRecord } from "./parsing.js";

/** An id as text, for paths and comparisons: the distributor interfaces' ids may be numbers (T9). */
export function idText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" || value instanceof ExactNumber ? String(value) : undefined;
}

/** The id of an organization as it was sent, under any of the names that deployments give it (T9). */
export function sentOrganizationId(row: unknown): unknown {
  if (!isRecord(row)) return undefined;
  return ["id", "organizationId", "organization_id"]
    .map((name) => row[name])
    .find((value) => idText(value) !== undefined);
}

/** The same as text. */
export function organizationId(row: unknown): string | undefined {
  return idText(sentOrganizationId(row));
}

/**
 * The key that tells a row of this list from all others; undefined for records, which have no id of their own: a
 * usage record's may be its organization's.
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
