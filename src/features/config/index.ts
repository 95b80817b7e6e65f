export { allowanceTest, fileOf, realPath } from "./access.js";
export { applyConfiguration, configRunIdentity } from "./apply.js";
export { compareLive } from "./compare-live.js";
export { textHash } from "./compare-resources.js";
export { assertLockOrganization, decide } from "./decide.js";
export { assertNoProblems, ConfigError, problemText } from "./errors.js";
export { secretProblems } from "./folder/check.js";
export { replaceFile } from "./folder/disk.js";
export { declare, declareChecked, findFolder, openFolder, targetOf } from "./folder/open.js";
export { unfilledSource } from "./folder/unfilled.js";
export { formatFolder } from "./format.js";
export { boundOf, isWithin } from "./guards.js";
export { readOnly, readRecords } from "./live.js";
export { unlistedTexts } from "./live-texts.js";
export { anchorsOf, applyEditsAtOnce, lockAnchorsOf, lockEditsOf } from "./lock-edits.js";
export { hashLock, readLockFile, writeLockFile } from "./lock-file.js";
export { Project, projectText } from "./project.js";
export { promotionRefusal } from "./promotion.js";
export { pairsOf, planPull } from "./pull.js";
export { agree } from "./relock.js";
export { resourceTypes } from "./resource-types/index.js";
export { configPartOf, sealDecision } from "./seal.js";
export { sourceReader } from "./secret-sources.js";
export { fingerprintsOf, stateAfter } from "./secrets.js";
export {
  type FillContext,
  fillEmulator,
  fillingTimes,
  fillNewEmulator,
  type SeedableEmulator,
} from "./seed/fill.js";
export { openSeed, type Seed } from "./seed/open.js";
export type { Planted } from "./seed/plant.js";
export { SeedFile } from "./seed/seed-file.js";
export { shownLive, shownSealed } from "./shown.js";
export { stepsOf } from "./steps.js";
export { openTextCache } from "./text-cache.js";
