/** What commands load when they run in bulk. */
export { parseHeaderMap } from "./contacts/headers.js";
export { importContacts } from "./contacts/import.js";
export { openContactInput } from "./contacts/input.js";
export { bulkClientOptions, createTraffic } from "./engine/traffic.js";
export { BulkError } from "./errors.js";
export { openSource } from "./sources/open.js";
