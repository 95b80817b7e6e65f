/** What `orgs provision` loads. */
export { comparePlan, type MspItems, type PlanItem } from "./compare.js";
export { executePlan } from "./execute.js";
export { readInventory } from "./inventory.js";
export { type PlanResult, planOfDocument, planOfRows } from "./plan.js";
