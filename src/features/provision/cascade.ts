import type { RunContext } from "../../write/engine/context.js";
import { identityOf, isSameService } from "../../write/journal/identity.js";
import type { RunInfo } from "../../write/journal/list.js";
import { eachJournal, listRunIds } from "../../write/journal/read.js";
import type { PlanItem } from "./compare.js";
import { type Planned, planRun } from "./converge.js";
import type { Inventory } from "./inventory.js";
import type { OrganizationSpec } from "./organization-spec.js";

export const emptySpec: OrganizationSpec = { msps: [] };

/**
 * Plans to delete all customers of an MSP, and then the MSP. The service deletes the licenses together with
 * the MSP.
 */
export function planCascade(inventory: Inventory, mspId: string): Planned {
  const ids = new Set([mspId]);
  for (const { id, parentId } of inventory.organizations.values()) if (parentId === mspId) ids.add(id);
  const made = { hasOrganization: (id: string) => ids.has(id), hasLicense: () => true };
  return planRun(emptySpec, inventory, { converge: false, prune: { made, adopted: true } });
}

/**
 * Returns the deleted organizations that an undo can't create again: organizations without a license, and the
 * customers of MSPs without a license (v2.create.msp, v2.create.customer).
 */
export function findLost(items: readonly PlanItem[]): PlanItem[] {
  const deleted = items.filter(({ action }) => action === "delete");
  const lost = deleted.filter(({ license }) => license === null);
  const msps = new Set(lost.flatMap(({ type, externalId }) => (type === "msp" ? [externalId] : [])));
  return deleted.filter((item) => lost.includes(item) || msps.has(item.msp));
}

/** Compares the commands in the journals and not the MSPs, because the MSP may already be deleted. */
export async function findUnfinishedCascade(
  { folder, baseUrl, requestStats }: RunContext,
  file: string,
): Promise<Pick<RunInfo, "id" | "command"> | undefined> {
  const here = { base_url: baseUrl, world: requestStats.emulatorId };
  for await (const { id, journal } of eachJournal(folder, await listRunIds(folder), () => {})) {
    const identity = identityOf(journal);
    const isHere = identity !== undefined && isSameService(identity, here);
    const isUnfinished =
      journal.setting("planned_at") !== undefined && journal.setting("finished_at") === undefined;
    if (isHere && isUnfinished && journal.setting("file") === file) return { id, command: file };
  }
  return undefined;
}
