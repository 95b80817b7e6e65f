/** One caller's personal data: where it lies, a copy of it, and its erasure. */
export { furtherOf } from "./further.js";
export { readIdentifiers } from "./identifiers.js";
export { createMatcher } from "./matcher.js";
export { type Findings, searchOrganization } from "./organization.js";
