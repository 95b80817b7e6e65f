/** Reports over a month: of an organization's calls, of a distributor's usage and billing. */

export { addMonths, createZone, monthIn, type Zone } from "../base/zone.js";
export { type CallReport, reportCalls } from "./calls.js";
export { barChart } from "./charts.js";
export { type CheckedSum, checkCalls } from "./check-calls.js";
export { htmlOf } from "./html.js";
export { markdownOf } from "./markdown.js";
export { openingHours } from "./opening-hours.js";
export {
  billedRecords,
  checkOrganizations,
  organizationTables,
  readBilling,
  readUsage,
  reportOrganizations,
} from "./organizations.js";
export { type Reading, readAll, readCalls } from "./read-calls.js";
export { comparison, groupTable, missedTable, type ReportTable } from "./table.js";
