/** Finds, exports and erases one caller's personal data. */
export { buildCopy, type Copy } from "./copy.js";
export { assertErasable, type EraseResult, eraseOccurrences, sealErasure } from "./erase.js";
export { decideErasure, type ErasureDecision, type Remain } from "./erasure.js";
export { findFurther, listCallerIds } from "./further.js";
export { formatSubjectHtml } from "./html.js";
export { readIdentifiers } from "./identifiers.js";
export { eraseLocal, type LocalErased, previewLocalErasure } from "./local/erase.js";
export { type LocalFindings, nameOfFile, searchLocal } from "./local/search.js";
export { createMatcher, type Matcher } from "./matcher.js";
export { type Findings, searchOrganization } from "./organization.js";
export { buildReceipt, formatOperatorRequest, hasCaller } from "./receipt.js";
