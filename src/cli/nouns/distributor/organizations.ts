import { getText } from "../../../base/fields.js";
import { organizationId } from "../../../client/ids.js";
import type { Column } from "../../output/output.js";

export function formatStatus(row: Readonly<Record<string, unknown>>): unknown {
  const { status } = row;
  if (status !== "blocked") return status;
  const reason = getText(row, "blockedReason");
  return reason === "" ? "✗ blocked" : `✗ blocked (${reason})`;
}

export const organizationColumns: readonly Column[] = [
  { header: "ID", value: organizationId, keep: true, optional: true },
  { header: "TYPE", value: "type", keep: true },
  { header: "EXTERNAL ID", value: "externalOrganizationId", keep: true },
  { header: "NAME", value: "name" },
  { header: "PARENT", value: "parentOrganizationId", keep: true },
  { header: "LICENSE", value: "externalLicenseId", keep: true },
  { header: "STATUS", value: formatStatus, as: "status" },
  { header: "CREATED", value: "createdAt", as: "time", optional: true, keep: true },
];
