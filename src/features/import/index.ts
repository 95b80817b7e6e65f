export { matchIdentityOf } from "./adapters.js";
export { parseHeaderMap } from "./contacts/header-map.js";
export {
  identifyingColumns,
  knownColumns,
  positionsOf as columnPositions,
} from "./contacts/headers.js";
export { importContacts, usableContacts } from "./contacts/import.js";
export { mappingOf, openContactInput } from "./contacts/input.js";
export { checkClearEmpty, silentColumns } from "./contacts/replacing.js";
export { writeDocument } from "./items/document.js";
export { readFolder } from "./items/folder.js";
export { importItems, usableItems } from "./items/import.js";
export { knowledgeType } from "./items/item-types.js";
export { parseColumnMap, readTable } from "./items/table.js";
export { glossaryTable, pronunciationTable } from "./items/tables.js";
export { parseBound } from "./planning/bounds.js";
export { encoderOf } from "./sources/encoding.js";
export { openSource } from "./sources/open.js";
