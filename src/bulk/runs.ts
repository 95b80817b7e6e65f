/** The entry for `voxctl runs`. */
export { importAdapterOf } from "./adapters.js";
export { normalizedText } from "./fields.js";
export { resumeImport } from "./imports/import.js";
export { previewUndo } from "./imports/preview-undo.js";
export { undoRun } from "./imports/undo.js";
export { discardRun } from "./journal/folder.js";
export { groupsWrittenTo, listRuns, runInfo } from "./journal/list.js";
export { forgetMadeGroup, madeGroups, rememberMadeGroup } from "./journal/made-groups.js";
