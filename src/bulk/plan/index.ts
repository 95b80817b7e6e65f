/** What commands about plans load. */
export { checkPlan } from "./check.js";
export { openPlan } from "./read.js";
export { sortedSteps } from "./sorted.js";
