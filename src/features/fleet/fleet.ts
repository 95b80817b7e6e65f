import * as z from "zod";
import type { MemberRow, MemberState } from "./member-row.js";
import { Stop } from "./scheduler.js";

const Wave = z.object({ name: z.string(), hold: z.number() });
export const FleetAbout = z.object({
  command: z.array(z.string()),
  waves: z.array(Wave),
  allowed: z.number(),
  parallel: z.number(),
  ok_exits: z.array(z.number()),
  is_journaled: z.boolean(),
  is_comparison: z.boolean(),
  undoes: z.string().nullable(),
  directory: z.string(),
});
/**
 * Command and limits of a fleet run. The run stores them, so later changes to the members file don't affect
 * the run.
 */
export type FleetAbout = z.output<typeof FleetAbout>;

export interface FleetSnapshot {
  id: string;
  about: FleetAbout;
  startedAt: number;
  endedAt: number | null;
  isUndone: boolean;
  stop: Stop | null;
  rows: readonly MemberRow[];
}

export const toStop = (value: unknown): Stop | null => Stop.safeParse(value).data ?? null;

type RowEnd = Pick<MemberRow, "attempts" | "notBefore" | "exit" | "summary" | "error" | "runs"> & {
  state: MemberState;
};

export interface Fleet {
  readonly id: string;
  readonly about: FleetAbout;
  readonly isStopping: boolean;
  /** Current time in milliseconds, from the same clock as the times in the rows. */
  now(): number;
  listRows(): Promise<MemberRow[]>;
  /**
   * Makes this process the driver, which decides when members start. If `isWanted` is false, ends this role.
   * @returns whether this process is the driver
   */
  drive(isWanted: boolean): Promise<boolean>;
  /** Lets workers run these waiting members. Only the driver may call this. */
  handOut(names: readonly string[]): Promise<void>;
  /** Takes back the handed-out members that no worker has started yet. Only the driver may call this. */
  recall(): Promise<void>;
  /** Ends the run. See `judgeWaiting` for the states of waiting members. */
  finish(stop: Stop | null): Promise<void>;
  requestStop(): Promise<void>;
  /** Stores the process ID of a member's command. Must be called before the process runs the command. */
  setProcess(name: string, pid: number): void;
  /** @returns false if another process has taken over the member */
  endMember(row: MemberRow, end: RowEnd): Promise<boolean>;
}

/** A member that this process must run now. Its row has the state `running`. */
export interface TakenMember {
  fleet: Fleet;
  row: MemberRow;
  /**
   * Worker that ran the member before and stopped responding, such as `runner@ci-4`; null if no other worker
   * ran it.
   */
  former: string | null;
}

export interface FleetHost {
  listFleets(): Promise<readonly Fleet[]>;
  takeMembers(capacity: number): Promise<TakenMember[]>;
  /**
   * Milliseconds between two reads of other processes' changes. Undefined if only this process makes changes.
   */
  pollMilliseconds: number | undefined;
}
