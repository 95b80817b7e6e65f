/** A fleet run, stored in a journal on one machine or in the tables of a store. */
import * as z from "zod";
import type { MemberRow, MemberState } from "./member-row.js";
import { Stop } from "./scheduler.js";

const Wave = z.object({ name: z.string(), hold: z.number() });
export const FleetAbout = z.object({
  /** Words of the command, with placeholders. */
  command: z.array(z.string()),
  waves: z.array(Wave),
  allowed: z.number(),
  parallel: z.number(),
  ok_exits: z.array(z.number()),
  is_journaled: z.boolean(),
  is_comparison: z.boolean(),
  /** Id of the fleet run that this run undoes. */
  undoes: z.string().nullable(),
  /** Working directory, in which the members' commands run. */
  directory: z.string(),
});
/** Command and limits of a fleet run at its start; later changes to the members file don't affect them. */
export type FleetAbout = z.output<typeof FleetAbout>;

export interface FleetSnapshot {
  id: string;
  about: FleetAbout;
  startedAt: number;
  endedAt: number | null;
  /** Whether an undo of the run was completed. */
  isUndone: boolean;
  stop: Stop | null;
  rows: readonly MemberRow[];
}

export const toStop = (value: unknown): Stop | null => Stop.safeParse(value).data ?? null;

/** Changes to a member's row when its command ends. */
type RowEnd = Pick<MemberRow, "attempts" | "notBefore" | "exit" | "summary" | "error" | "runs"> & {
  state: MemberState;
};

export interface Fleet {
  readonly id: string;
  readonly about: FleetAbout;
  /** Whether a user interrupted the run. If so, no more members may start. */
  readonly isStopping: boolean;
  /** Current time in milliseconds, from the same clock as the times in rows. */
  now(): number;
  listRows(): Promise<MemberRow[]>;
  /** Takes, keeps or gives up the driver's role. @returns whether this process is the driver */
  drive(isWanted: boolean): Promise<boolean>;
  /** Hands out waiting members to workers (driver). */
  handOut(names: readonly string[]): Promise<void>;
  /** Takes back members that were handed out and have not started (driver). */
  recall(): Promise<void>;
  /** Ends the run (driver). Waiting members become `failed` if they were tried, otherwise `not started`. */
  finish(stop: Stop | null): Promise<void>;
  /** Stops the driver from starting more members. */
  requestStop(): Promise<void>;
  /** Stores the process id of a running member. Called before the process does anything. */
  setProcess(name: string, pid: number): void;
  /**
   * Stores the result of a member that this process ran.
   * @returns false if another process has taken over the member
   */
  endMember(row: MemberRow, end: RowEnd): Promise<boolean>;
}

/** A member that this process must run now; its row says `running`. */
export interface TakenMember {
  fleet: Fleet;
  row: MemberRow;
  /** The worker whose lease lapsed while it ran the member: `runner@ci-4`; null for a new member. */
  former: string | null;
}

/** The fleets that a process can drive, and whose members it can run. */
export interface FleetHost {
  /** Lists the runs in progress. */
  listFleets(): Promise<readonly Fleet[]>;
  /** Takes at most `capacity` members that were handed out. */
  takeMembers(capacity: number): Promise<TakenMember[]>;
  /**
   * Interval at which changes by other processes are read, in milliseconds. Undefined if only this process makes
   * changes.
   */
  pollMilliseconds: number | undefined;
}
