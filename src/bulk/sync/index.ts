/** The entry for `contacts sync` and `contacts dedupe`. */
export { contactSubject, protectedContacts } from "./contacts.js";
export { dedupe } from "./dedupe.js";
export { deleteContacts } from "./delete.js";
export { parseRowRange } from "./guards.js";
export { folderSubject, tableSubject } from "./items.js";
export { createLearner } from "./learn.js";
export { isSameMap, keysOfRehearsal } from "./rehearsed-keys.js";
export { runSync, syncReportPath } from "./run.js";
export { openStateTable, type StateTable } from "./state.js";
export { fileStateStore, ownStateStore, readStateFile } from "./state-store.js";
