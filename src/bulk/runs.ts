/** What `voxctl runs` loads. */
export { importAdapterOf } from "./adapters.js";
export { resumeImport } from "./engine/import.js";
export { foreseeUndo, undoRun } from "./engine/undo.js";
export { removeRun } from "./journal/folder.js";
export { listRuns, runInfo } from "./journal/list.js";
