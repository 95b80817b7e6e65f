/** Entry point for commands that use a store. */
export { formatStoreAddress } from "./address.js";
export { acceptRestored, checkStoreState } from "./check.js";
export { describeStore } from "./describe.js";
export { StoreError } from "./errors.js";
export { endLeases, listLeases } from "./leases.js";
export { discardSharedRun, findSharedRun, listSharedRuns } from "./list.js";
export { connectStore, openStore } from "./open.js";
export { createSchema, grantsFor } from "./schema.js";
export { createSealer, createStoreKey, parseStoreKeys } from "./sealing.js";
export { createSharedRuns, formatOwner } from "./shared-runs.js";
