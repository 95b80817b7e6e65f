import { BulkError } from "../../write/errors.js";
import { allowedDeletes, type Bound, boundText } from "../import/planning/bounds.js";
import type { Planned } from "./converge.js";
import type { Inventory } from "./inventory.js";
import type { OrganizationSpec } from "./organization-spec.js";

/**
 * A percentage is relative to the number of affected organizations: those to delete, the spec's MSPs and the
 * customers of these MSPs.
 * @throws BulkError `too_many_deletes`, which lists the organizations
 */
export function assertDeletes(
  bound: Bound | undefined,
  spec: OrganizationSpec,
  { items }: Pick<Planned, "items">,
  { organizations }: Pick<Inventory, "organizations">,
): void {
  const deleted = items.flatMap(({ item }) => (item.action === "delete" ? [item.externalId] : []));
  const msps = new Set(spec.msps.flatMap(({ externalId }) => organizations.get(externalId)?.id ?? []));
  const concerned = new Set(deleted);
  for (const { id, externalId, parentId } of organizations.values())
    if (msps.has(id) || msps.has(parentId ?? "")) concerned.add(externalId);
  const size = concerned.size;
  const allowed = allowedDeletes(bound, size);
  if (deleted.length <= allowed) return;
  const limit =
    bound === undefined || "count" in bound ? String(allowed) : boundText(bound).replace("the group", "them");
  const shown = deleted.length > 20 ? [...deleted.slice(0, 20), `and ${deleted.length - 20} more`] : deleted;
  throw new BulkError(
    "too_many_deletes",
    `${deleted.length} of ${size} affected organizations would be deleted, but --max-delete allows ${limit}: ${shown.join(", ")}`,
    `if this is correct, use --max-delete ${deleted.length}`,
  );
}
