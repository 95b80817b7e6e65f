/** Rows of a fleet run: one per member, changed only under a fence. */
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
  /** Words of the member's command, with its placeholders filled in. */
  words: readonly string[];
  state: MemberState;
  /** Identifies the process that may end the row; null unless the member runs. */
  fence: string | null;
  /** Id of the member's process. */
  pid: number | null;
  /** Ids of the member's own runs, oldest first. */
  runs: readonly string[];
  exit: number | null;
  /** Number of attempts that ended with exit code 9. */
  attempts: number;
  /** Time before which the member is not started again, in milliseconds. */
  notBefore: number | null;
  /** Output of the command's `-o json`. */
  summary: unknown;
  error: string | null;
  startedAt: number | null;
  endedAt: number | null;
}

/** How a member's process ended. */
export interface MemberEnd {
  exit: number;
  summary: unknown;
  error: string | null;
  /** Error code of the command, such as `run_finished`. */
  code: string | null;
  runs: readonly string[];
}

/** Storage of the rows: a journal on one machine. All changes of a running member need its fence (G11). */
export interface MemberRows {
  list(): MemberRow[];
  /** Sets `waiting` to `running`. @returns the row; undefined if it was not waiting */
  begin(name: string, fence: string, now: number): MemberRow | undefined;
  /** Stores the member's process before it starts. */
  setProcess(name: string, fence: string, pid: number): void;
  /** Ends a running member. @returns whether the fence was still valid */
  end(name: string, fence: string, result: Partial<MemberRow> & Pick<MemberRow, "state">): boolean;
  /** Changes a row that is not running. */
  change(name: string, change: Partial<MemberRow>): void;
}
