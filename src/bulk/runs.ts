/** What `voxctl runs` loads. */

export { resumeImport } from "./engine/resume.js";
export { foreseeUndo, undoRun } from "./engine/undo.js";
export { removeRun } from "./journal/folder.js";
export { listRuns, runInfo } from "./journal/list.js";
export { requestsOf, reversibleOf } from "./kinds.js";
