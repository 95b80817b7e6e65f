/** Configuration as code: what the commands of `voxctl config` load. */
export { carryOutConfiguration } from "./carry-out.js";
export { decide } from "./decide.js";
export { ConfigError, problemText } from "./errors.js";
export { replaceFile } from "./folder/disk.js";
export { declare, declareChecked, findFolder, openFolder, targetOf } from "./folder/open.js";
export { boundOf } from "./guards.js";
export { kindNames } from "./kinds/kind.js";
export { readOnly } from "./live.js";
export { unlistedTexts } from "./live-texts.js";
export { applyEditsAtOnce, lockEditsOf } from "./lock-edits.js";
export { readLockFile, writeLockFile } from "./lock-file.js";
export { projectText } from "./project.js";
export { planPull } from "./pull.js";
export { agree } from "./relock.js";
export { sealDecision } from "./seal.js";
export { fingerprintsOf } from "./secrets.js";
export { stepsOf } from "./steps.js";
export { openTextCache } from "./text-cache.js";
