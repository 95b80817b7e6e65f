/** Lint rules are pure functions of the organization's resources. */

export { check, type Finding, type FindingWithRecord, type LintRule, type Severity } from "./lint-rule.js";
export { createOrganization, type Organization, type ResourceRecord } from "./organization.js";
export { readOrganization, type Unread } from "./read.js";
export { rules } from "./rules/index.js";
export { buildSarifLog } from "./sarif.js";
