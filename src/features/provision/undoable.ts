import { findLost } from "./cascade.js";
import { countedItems, type PlanItem } from "./compare.js";

/**
 * Returns whether an undo can revert any of a run's changes. The API can't delete a single license, and can't
 * remove an organization's license or a license's product.
 */
export function isAnyUndoable(items: readonly PlanItem[]): boolean {
  const lost = new Set(findLost(items));
  return countedItems(items).some((item) => {
    const { action, type, change, from } = item;
    if (action === "create") return type !== "license";
    if (action === "delete") return !lost.has(item);
    const isReplaced = typeof from?.license === "string" || typeof from?.product === "string";
    return action === "change" && (change?.status !== undefined || isReplaced);
  });
}
