/** Entry point for `orgs provision`. */
export { emptySpec, findLost, findUnfinishedCascade, planCascade } from "./cascade.js";
export { countedItems, type PlanItem } from "./compare.js";
export { type Planned, planRun } from "./converge.js";
export { exportSpec } from "./export.js";
export { type Inventory, type KnownOrganization, readInventory } from "./inventory.js";
export { readMade } from "./made.js";
export type { OrganizationSpec, SpecProblem, SpecResult } from "./organization-spec.js";
export { anchorsIn, checkOrganizations } from "./plan-file/check.js";
export { rehearsedOrganizationSteps } from "./plan-file/rehearsed.js";
export { provisionSteps } from "./plan-file/steps.js";
export { candidateMsps, type Prune } from "./prune.js";
export { assertDeletes } from "./prune-guard.js";
export { type ProvisioningResult, provision, readProvisioned, resumeProvisioning } from "./run.js";
export { type LineOf, parseSpecDocument } from "./spec-document.js";
export { parseSpecRows } from "./spec-table.js";
export { organizationsOf } from "./subject/organizations.js";
export { validationWarnings } from "./validation-warnings.js";
