/** Finds what is wrong with an organization: pure rules, over what was read of it. */
export { type Organization, organizationOf, type Thing } from "./organization.js";
export { readOrganization, type Unread } from "./read.js";
export { check, type Finding, type Found, type LintRule, type Severity } from "./rule.js";
export { rules } from "./rules/index.js";
export { sarifLog } from "./sarif.js";
