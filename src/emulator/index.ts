/** The exports of `voxctl/emulator` for library users. */

export { LockedError } from "../base/file-lock.js";
export { UnusableFileError } from "./database/schema.js";
export { ClosedError, ControlError, openEmulator } from "./emulator.js";
export { readServerState } from "./server-state.js";
export type {
  BucketLimits,
  Emulator,
  EmulatorOptions,
  EmulatorServer,
  ListenOptions,
  Seed,
  StartLine,
} from "./types.js";
