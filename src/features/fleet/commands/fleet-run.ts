/**
 * Gives commands access to fleet runs. A run is stored in a journal on this machine, or in a store that several
 * machines share.
 */
import { notFoundError } from "../../../cli/errors/errors.js";
import type { RunIdentity } from "../../../write/journal/identity.js";
import type { FleetAbout, FleetHost, FleetSnapshot, MemberRow } from "../index.js";

/** A new fleet run, before it is stored. */
export interface NewRun {
  identity: Pick<RunIdentity, "kind" | "digest">;
  about: FleetAbout;
  rows: readonly MemberRow[];
  /** Contents of the command's files, if several machines share the run. */
  files: readonly Buffer[];
  /** Command for `runs list`: `fleet run`. */
  command: string;
  /** Whether an unfinished run with this identity is resumed. */
  resumes?: boolean;
}

/** Directory in which a member's command runs. */
export interface MemberFolder {
  path: string;
  remove(): Promise<void>;
}

/** An open fleet run, which this process may drive. */
export interface FleetRun {
  readonly id: string;
  /** Whether several machines share the run. */
  readonly isShared: boolean;
  /** Whether an earlier process started the run. */
  readonly isResumed: boolean;
  readonly host: FleetHost;
  readSnapshot(): Promise<FleetSnapshot>;
  changeRow(
    name: string,
    change: Partial<Pick<MemberRow, "state" | "wave" | "runs" | "error">>,
  ): Promise<void>;
  /** Marks the run as in progress, with these limits. */
  start(about: FleetAbout): Promise<void>;
  /** Returns the ids of the runs that a member's command created, oldest first. */
  findRuns(name: string): Promise<string[]>;
  openFolder(row: MemberRow): Promise<MemberFolder>;
  /** Environment variables that make the members' commands use this store. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export function runNotFoundError(id: string) {
  return notFoundError(`run ${id} not found`, "list runs: `voxctl runs list`");
}
