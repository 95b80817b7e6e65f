export { LockedError } from "../base/file-lock.js";
export { UnusableFileError } from "./database/schema.js";
export { ClosedError, ControlError, openEmulator } from "./emulator.js";
export { type ClosedFork, openClosedFork } from "./forks/effect.js";
export { copyDatabaseFile, createFork } from "./forks/fork.js";
export { readMirror } from "./mirror/read.js";
export { readServerState } from "./server-state.js";
export type { Emulator, EmulatorOptions, StartLine } from "./types.js";
