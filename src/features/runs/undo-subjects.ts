import type { RunType } from "../../write/journal/identity.js";
import { undoResources } from "../../write/undo/resources.js";
import type { UndoSubject, UndoSubjects } from "../../write/undo/subject.js";
import { undoOrganizations } from "../provision/subject/undo.js";

const ofResources: readonly RunType[] = ["apply", "contacts", "glossary", "pronunciation", "knowledge"];

/** How to undo runs of each type. */
export const undoSubjects: UndoSubjects = new Map<RunType, UndoSubject>([
  ["provisioning", undoOrganizations],
  ...ofResources.map((type) => [type, undoResources] as const),
]);
