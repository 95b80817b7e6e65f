/** What commands load when they run in bulk. */
export { parseHeaderMap } from "./contacts/headers.js";
export { importContacts, usableContacts } from "./contacts/import.js";
export { openContactInput } from "./contacts/input.js";
export { createCircuitBreaker } from "./engine/circuit-breaker.js";
export { createGroupLocks, holderText } from "./engine/group-locks.js";
export { patientClient } from "./engine/patient-client.js";
export { openReport } from "./engine/report.js";
export { bulkClientOptions, createRequestStats } from "./engine/request-stats.js";
export { BulkError } from "./errors.js";
export { writeDocument } from "./items/document.js";
export { readFolder } from "./items/folder.js";
export { importItems, usableItems } from "./items/import.js";
export { knowledgeType } from "./items/item-types.js";
export { parseColumnMap, readTable } from "./items/table.js";
export { glossaryTable, pronunciationTable } from "./items/tables.js";
export { isFormula, neutralizeCell } from "./sources/formulas.js";
export { openSource } from "./sources/open.js";
