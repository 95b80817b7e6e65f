/** Entry point of `voxctl fleet`, which runs one command for many organizations. */
export { fillWords, isComparison, isJournaled } from "./command-words.js";
export { driveFleet, type FleetEvent } from "./drive.js";
export {
  type FleetAbout,
  fleetType,
  insertRows,
  openRows,
  readAbout,
  undoType,
  writeAbout,
} from "./fleet-journal.js";
export { toListedMembers } from "./listed-members.js";
export type { MemberEnd, MemberRow, MemberRows } from "./member-row.js";
export { findMemberRuns, findRunId } from "./member-runs.js";
export {
  type DeclaredMember,
  type ListedMembers,
  type MemberReference,
  type MembersFile,
  membersFileName,
  parseMembersFile,
} from "./members-file.js";
export { indexFileName, type PlanEntry, parsePlanIndex, sumChanges } from "./plan-index.js";
export { type FleetReport, listMembers, type MemberReport, readReport } from "./report.js";
export { type Labels, matchesAny, parseSelection } from "./selection.js";
export { divideIntoWaves, parseAllowedFailures, parseWaves, singleWave, type WaveRule } from "./waves.js";
