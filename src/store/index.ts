export { formatStoreAddress, isUnverified, parseStoreAddress } from "./address.js";
export { addBlob, listBlobNames, loadBlob } from "./blobs.js";
export { checkStoreState } from "./check.js";
export { describeStore } from "./describe.js";
export { StoreError } from "./errors.js";
export { exportIdleRuns, exportRuns } from "./export.js";
export { createFleetRoles, type FleetRoles } from "./fleet-roles.js";
export {
  createFleetTables,
  discardSharedFleet,
  type FleetTables,
  listSharedFleets,
  removeFinishedFleets,
  type StoredFleet,
  type StoredMember,
} from "./fleets.js";
export { endLeases, formatPlace, listLeases } from "./leases.js";
export { findSharedRun, listSharedRuns } from "./list.js";
export { persist } from "./log.js";
export { connectStore, openStore } from "./open.js";
export { createFleetQueue, openFleetQueue } from "./queue.js";
export {
  discardSharedRun,
  listKeptSharedWrites,
  readKeptSharedWrites,
  readSharedWrites,
  removeFinishedRuns,
} from "./remove-runs.js";
export { replaceEntries } from "./replace-entries.js";
export { acceptRestored } from "./restored.js";
export { assertFleetLayout, createSchema, grantsFor, readLayout } from "./schema.js";
export { createSealer, createStoreKey, parseStoreKeys } from "./sealing.js";
export { createSharedRuns, formatOwner } from "./shared-runs.js";
export { findTarget, saveTarget } from "./targets.js";
export { createWorkingFolder } from "./working-folders.js";
