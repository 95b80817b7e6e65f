export { addMonths, createZone, monthIn, type Zone } from "../../base/zone.js";
export { buildCallReport, type CallReport } from "./calls.js";
export type { Chart } from "./charts.js";
export { type CheckedSum, checkCalls } from "./check-calls.js";
export { formatHtml } from "./html.js";
export { formatMarkdown } from "./markdown.js";
export { createOpeningHours } from "./opening-hours.js";
export {
  buildOrganizationReport,
  buildOrganizationTables,
  checkOrganizations,
  listBilledRecords,
  readBilling,
  readUsage,
} from "./organizations.js";
export { type Reading, readAll, readCalls } from "./read-calls.js";
export { buildComparison, buildGroupTable, buildMissedTable, type ReportTable } from "./table.js";
