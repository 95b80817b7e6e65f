import type { MemberReference } from "./members-file.js";
import type { Labels } from "./selection.js";

export const memberStates = [
  "waiting",
  "running",
  "ok",
  "failed",
  "unknown",
  "interrupted",
  "not started",
  "no key",
  "can't be undone",
] as const;
export type MemberState = (typeof memberStates)[number];

export interface MemberRow {
  name: string;
  /** Index of the wave; -1 for a member that never runs. */
  wave: number;
  labels: Labels;
  reference: MemberReference;
  /** Words of the member's command, without placeholders; in an undo, the IDs of the member's runs. */
  words: readonly string[];
  state: MemberState;
  /** Paths in `words` whose files were uploaded to the store. */
  files: readonly string[];
  /**
   * ID of the organization's oldest group when the run started; null if the organization had no group or is
   * not checked.
   */
  oldestGroup: string | null;
  job: string | null;
  /** Worker that runs the member or ran it last, such as `runner@ci-3`; null if the run is not shared. */
  worker: string | null;
  /** ID of the process that runs the command; null if no process runs it or if the run is shared. */
  pid: number | null;
  runs: readonly string[];
  exit: number | null;
  /** Number of retries after exit code 9, including a scheduled one. */
  attempts: number;
  /** Earliest time of the next attempt, in milliseconds. */
  notBefore: number | null;
  /** Output of the command with `-o json`. */
  summary: unknown;
  error: string | null;
  startedAt: number | null;
  endedAt: number | null;
}

export interface MemberEnd {
  exit: number;
  summary: unknown;
  error: string | null;
  code: string | null;
  runs: readonly string[];
}
