/** Entry point for `contacts sync` and `contacts dedupe`. */
export { contactSubject, protectedContacts } from "./contacts.js";
export { dedupe } from "./dedupe.js";
export { deleteContacts } from "./delete.js";
export { parseRowRange } from "./guards.js";
export { assertKeysOfFile, createImportKeys, createKeysResumer } from "./import-keys.js";
export { folderSubject, tableSubject } from "./items.js";
export { type KeyMap, openKeyMap } from "./key-map.js";
export { readKeyMapFile } from "./key-map-store.js";
export { createLearner, openKeyMapStore } from "./learn.js";
export { isSameMap, keysOfRehearsal } from "./rehearsed-keys.js";
export { runSync, syncResultsPath } from "./run.js";
export { blobNameOf, encodeKeyMap, keyMapBlobs, writeKeyMap } from "./shared-key-map.js";
