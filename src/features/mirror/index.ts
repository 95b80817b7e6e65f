export { createCircuitBreaker } from "../../write/engine/circuit-breaker.js";
export { hasOrganization, hasResource } from "./anchors.js";
export { collectMirror } from "./collect.js";
export type { CollectListener } from "./collect-context.js";
export { estimateReads, type ReadEstimate } from "./estimate.js";
export { createMirrorEmulator, type MirrorEmulator } from "./mirror-emulator.js";
export { createReadingStats, type ReadingStats } from "./reading-stats.js";
