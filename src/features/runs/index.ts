export { previewUndo } from "../../write/undo/preview.js";
export { undoRun } from "../../write/undo/undo.js";
export { resumeImport } from "../import/imports/import.js";
export { undoSubjects } from "./undo-subjects.js";
