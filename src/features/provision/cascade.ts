import { type Planned, planRun } from "./converge.js";
import type { Inventory } from "./inventory.js";
import type { OrganizationSpec } from "./organization-spec.js";

/** An empty spec, because a cascade creates nothing. */
export const emptySpec: OrganizationSpec = { msps: [] };

/** Plans the deletion of an MSP after all of its customers. The service deletes the MSP's licenses with it. */
export function planCascade(inventory: Inventory, mspId: string): Planned {
  const ids = new Set([mspId]);
  for (const { id, parentId } of inventory.organizations.values()) if (parentId === mspId) ids.add(id);
  const made = { hasOrganization: (id: string) => ids.has(id), hasLicense: () => true };
  return planRun(emptySpec, inventory, { converge: false, prune: { made, adopted: true } });
}
