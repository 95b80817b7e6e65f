/** The entry for commands about plans. */
export { checkPlan } from "./check.js";
export { openPlan } from "./read.js";
export { sortedSteps } from "./sorted.js";
