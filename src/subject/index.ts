/** One caller's personal data: where it lies, a copy of it, and its erasure. */
export { type Copy, copyOf } from "./copy.js";
export { assertErasable, type EraseResult, eraseFound, sealErasure } from "./erase.js";
export { decideErasure, type ErasureDecision, type Remain } from "./erasure.js";
export { callerIds, furtherOf } from "./further.js";
export { subjectHtml } from "./html.js";
export { readIdentifiers } from "./identifiers.js";
export { eraseLocal, foreseeLocal, type LocalErased } from "./local/erase.js";
export { type LocalFindings, searchLocal } from "./local/search.js";
export { createMatcher, type Matcher } from "./matcher.js";
export { type Findings, searchOrganization } from "./organization.js";
export { namesCaller, operatorText, receiptOf } from "./receipt.js";
