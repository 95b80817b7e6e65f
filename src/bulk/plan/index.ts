/** What commands about plans load. */
export { openPlan } from "./read.js";
export { sortedSteps } from "./sorted.js";
