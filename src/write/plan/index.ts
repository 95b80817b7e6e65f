/**
 * Entry point for commands that use plans. `writePlan` writes steps to a plan file, and `openPlan` verifies
 * the file. `applyPlan` applies a plan in a run that can be resumed and undone.
 */
export { formatPermissionFlags } from "./allowed.js";
export { applyPlan, linkPlanJournal, preparePlan, resumeApply, runSteps } from "./apply.js";
export { checkPlan } from "./check.js";
export { formatRenewal } from "./compare.js";
export { draftPlan, journaledPlan } from "./draft.js";
export { importSteps } from "./import-steps.js";
export { planApiOf } from "./plan-api.js";
export { openPlan } from "./read.js";
export { readRehearsedMatches } from "./rehearsed-matches.js";
export { withSources } from "./rehearsed-sources.js";
export { groupStepsByResource, rehearsedSteps } from "./rehearsed-steps.js";
export { findAppliedRunAt, runStateOf } from "./results.js";
export { sealPlan } from "./seal.js";
export { sortedSteps } from "./sorted.js";
export { createStep, deleteStep, reindexStep, updateStep } from "./steps.js";
export { writePlan } from "./write.js";
