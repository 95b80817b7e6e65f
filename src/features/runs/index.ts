/** The entry for `voxctl runs`. */

export { normalizedText } from "../../write/fields.js";
export { discardRun } from "../../write/journal/folder.js";
export { groupsWrittenTo, listRuns, runInfo } from "../../write/journal/list.js";
export { forgetMadeGroup, madeGroups, rememberMadeGroup } from "../../write/journal/made-groups.js";
export { findUnfinishedRun } from "../../write/journal/runs.js";
export { previewUndo } from "../../write/undo/preview.js";
export { undoRun } from "../../write/undo/undo.js";
export { importAdapterOf } from "../import/adapters.js";
export { resumeImport } from "../import/imports/import.js";
export { undoSubjects } from "./undo-subjects.js";
