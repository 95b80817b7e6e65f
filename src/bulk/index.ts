/** What commands load when they run in bulk. */
export { parseHeaderMap } from "./contacts/headers.js";
export { importContacts } from "./contacts/import.js";
export { openContactInput } from "./contacts/input.js";
export { usableContacts } from "./contacts/planning.js";
export { createGroupLocks, holderText } from "./engine/group-locks.js";
export { openReport } from "./engine/report.js";
export { bulkClientOptions, createRequestStats } from "./engine/request-stats.js";
export { BulkError } from "./errors.js";
export { writeDocument } from "./items/document.js";
export { readFolder } from "./items/folder.js";
export { importItems } from "./items/import.js";
export { knowledgeType } from "./items/item-types.js";
export { usableRows } from "./items/plan.js";
export { parseColumnMap, readTable } from "./items/table.js";
export { glossaryTable, pronunciationTable } from "./items/tables.js";
export { isFormula, neutralizeCell } from "./sources/formulas.js";
export { openSource } from "./sources/open.js";
