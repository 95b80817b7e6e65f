export { createCircuitBreaker } from "./engine/circuit-breaker.js";
export { createGroupLocks, holderText } from "./engine/group-locks.js";
export { patientClient } from "./engine/patient-client.js";
export { bulkClientOptions, createRequestStats } from "./engine/request-stats.js";
export { openResultsFile } from "./engine/results-file.js";
export { BulkError } from "./errors.js";
export { normalizedText } from "./fields.js";
export { formatProblem } from "./input-row.js";
export { copyJournal } from "./journal/copy.js";
export { discardRun } from "./journal/folder.js";
export { isSameService } from "./journal/identity.js";
export { listKeptWrites, readKeptWrites } from "./journal/kept-writes.js";
export { findRun, groupsWrittenTo, listRuns } from "./journal/list.js";
export {
  forgetGroupAttempt,
  forgetMadeGroup,
  hasGroupAttempts,
  madeGroups,
  rememberGroupAttempt,
  rememberMadeGroup,
  sentGroupAttempt,
} from "./journal/made-groups.js";
export { readRun } from "./journal/read.js";
export { findUnfinishedRun } from "./journal/runs.js";
export { undoneRunOf } from "./journal/undo-id.js";
export { mergeWrites, nameRun, parseWrites, readWrites, runOfWrites } from "./journal/writes.js";
export { createOldestGroup, findOldestGroup } from "./oldest-group.js";
