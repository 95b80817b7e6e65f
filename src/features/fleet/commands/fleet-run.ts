/** Fleet runs, stored in a journal on this machine or in a store that several machines share. */
import { notFoundError } from "../../../cli/errors/errors.js";
import type { RunIdentity } from "../../../write/journal/identity.js";
import type { FleetAbout, FleetHost, FleetSnapshot, MemberRow } from "../index.js";

export interface NewRun {
  identity: Pick<RunIdentity, "kind" | "digest">;
  about: FleetAbout;
  rows: readonly MemberRow[];
  /** Contents of the files that the command reads, if several machines share the run. */
  files: readonly Buffer[];
  /** Command that `runs list` shows, such as `fleet run`. */
  command: string;
  /** Whether to resume an unfinished run with this identity, if one exists. */
  resumes?: boolean;
}

export interface MemberFolder {
  path: string;
  remove(): Promise<void>;
}

/** An open fleet run, whose members this process can start. */
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
  /** Marks the run as in progress and stores its limits. */
  start(about: FleetAbout): Promise<void>;
  /** Returns the ids of the runs that a member's command created, oldest first. */
  findRuns(name: string): Promise<string[]>;
  openFolder(row: MemberRow): Promise<MemberFolder>;
  /** Environment variables that make members' commands use the run's store. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export function runNotFoundError(id: string) {
  return notFoundError(`run ${id} not found`, "list runs: `voxctl runs list`");
}
