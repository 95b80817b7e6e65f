import type { RunType } from "../../write/journal/identity.js";
import { resources } from "../../write/resources.js";
import type { Subject } from "../../write/subject.js";
import type { Subjects } from "../../write/undo/undo.js";
import { organizationsOf } from "../provision/subject/organizations.js";

const ofResources: readonly RunType[] = ["apply", "contacts", "glossary", "pronunciation", "knowledge"];

export const undoSubjects: Subjects = new Map<RunType, Subject>([
  ["provisioning", organizationsOf()],
  ...ofResources.map((type) => [type, resources] as const),
]);
