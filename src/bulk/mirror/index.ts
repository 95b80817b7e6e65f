/** The entry for `voxctl mirror`: copying an organization into a world. */

export { createCircuitBreaker } from "../engine/circuit-breaker.js";
export { hasOrganization, hasThing } from "./anchors.js";
export { collectMirror } from "./collect.js";
export type { CollectListener } from "./collect-context.js";
export { estimateReads, type ReadEstimate } from "./estimate.js";
export { createReadingStats, type ReadingStats } from "./reading-stats.js";
export { type MirrorWorld, mirrorWorld } from "./world.js";
