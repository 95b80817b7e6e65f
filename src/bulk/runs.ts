/** The entry for `voxctl runs`. */
export { importAdapterOf } from "./adapters.js";
export { normalizedText } from "./fields.js";
export { resumeImport } from "./imports/import.js";
export { discardRun } from "./journal/folder.js";
export { groupsWrittenTo, listRuns, runInfo } from "./journal/list.js";
export { forgetMadeGroup, madeGroups, rememberMadeGroup } from "./journal/made-groups.js";
export { findUnfinishedRun } from "./journal/runs.js";
export { previewUndo } from "./undo/preview.js";
export { undoRun } from "./undo/undo.js";
