import type { Item } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { itemsIn } from "../../../write/journal/outcome.js";
import { type Inventory, type InventoryContext, readInventory } from "../inventory.js";
import { aboutOf, hasStep } from "../items.js";

export function readOfRun(
  context: InventoryContext,
  journal: Journal,
  earlier: Inventory | undefined,
): Promise<Inventory> {
  const msps = new Set<string>();
  const targets: string[] = [];
  for (const item of itemsIn(journal)) {
    if (!hasStep(item)) continue;
    const { kind, external_id, msp } = aboutOf(item);
    msps.add(msp);
    // The run created or will change this organization, so the organization counts as deleted only if two
    // readings don't find it.
    const isExpected = item.action === "create" ? item.state === "done" : isOpen(item);
    if (kind !== "license" && isExpected) targets.push(external_id);
  }
  return readInventory(
    context,
    { msps: [] },
    { targets, earlier, findMoreMsps: async (all) => [...msps].flatMap((msp) => all.get(msp) ?? []) },
  );
}

function isOpen({ state }: Item): boolean {
  return state === "planned" || state === "sent" || state === "unknown";
}
