/** The entry for `voxctl mirror`: copying an organization into a world. */
export { collectMirror } from "./collect.js";
export { createReadingStats } from "./reading-stats.js";
export { mirrorWorld } from "./world.js";
