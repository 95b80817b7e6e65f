/** Entry point of `voxctl fleet`, which runs one command for many organizations. */
export { fillWords, isComparison, isJournaled } from "./command-words.js";
export {
  type Fleet,
  FleetAbout,
  type FleetHost,
  type FleetSnapshot,
  type TakenMember,
  toStop,
} from "./fleet.js";
export { toListedMembers } from "./listed-members.js";
export {
  fleetType,
  insertFleet,
  openLocalFleet,
  readFleet,
  undoType,
} from "./local-fleet.js";
export { type MemberEnd, type MemberRow, type MemberState, memberStates } from "./member-row.js";
export { findMemberRuns, findRunId } from "./member-runs.js";
export {
  type DeclaredMember,
  type ListedMembers,
  type MemberReference,
  type MembersFile,
  membersFileName,
  parseMembersFile,
  Reference,
} from "./members-file.js";
export { indexFileName, type PlanEntry, parsePlanIndex, sumChanges } from "./plan-index.js";
export { buildReport, FleetReport, listMembers, type MemberReport } from "./report.js";
export { type FleetEvent, runFleets } from "./run-fleets.js";
export { type Labels, matchesAny, parseSelection } from "./selection.js";
export { divideIntoWaves, parseAllowedFailures, parseWaves, singleWave, type WaveRule } from "./waves.js";
