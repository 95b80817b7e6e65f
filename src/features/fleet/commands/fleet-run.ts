import { notFoundError } from "../../../cli/errors/errors.js";
import type { RunIdentity } from "../../../write/journal/identity.js";
import type { FleetAbout, FleetHost, FleetSnapshot, MemberRow } from "../index.js";

export interface NewRun {
  identity: Pick<RunIdentity, "kind" | "digest">;
  about: FleetAbout;
  rows: readonly MemberRow[];
  files: readonly Buffer[];
  command: string;
  resumes?: boolean;
}

export interface MemberFolder {
  path: string;
  remove(): Promise<void>;
}

export interface FleetRun {
  readonly id: string;
  readonly isShared: boolean;
  readonly isResumed: boolean;
  readonly host: FleetHost;
  readSnapshot(): Promise<FleetSnapshot>;
  changeRow(
    name: string,
    change: Partial<Pick<MemberRow, "state" | "wave" | "runs" | "error">>,
  ): Promise<void>;
  start(about: FleetAbout): Promise<void>;
  /** Returns the IDs of the runs that a member's command created, oldest first. */
  findRuns(name: string): Promise<string[]>;
  openFolder(row: MemberRow): Promise<MemberFolder>;
  /** Environment variables that make members' commands use the run's store. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export function runNotFoundError(id: string) {
  return notFoundError(`run ${id} not found`, "list runs: `voxctl runs list`");
}
