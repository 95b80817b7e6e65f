/** Opens fleet runs: in a journal of this machine, or in a store that several machines share. */
import { readStoreSettings } from "../../../cli/bulk/store.js";
import type { Session } from "../../../cli/session/session.js";
import { BulkError } from "../../../write/errors.js";
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
  /** Returns the ids of the runs that a member's command made, oldest first. */
  findRuns(name: string): Promise<string[]>;
  openFolder(row: MemberRow): Promise<MemberFolder>;
  /** Variables with which the members' commands use the same store. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Creates a run, or opens an unfinished one with the same identity if `resumes` is set. */
export async function createFleetRun(session: Session, run: NewRun, isShared: boolean): Promise<FleetRun> {
  const settings = isShared ? await readStoreSettings(session) : undefined;
  if (settings === undefined) return (await import("./local-run.js")).createLocalRun(session, run);
  return (await import("./shared-run.js")).createSharedRun(session, settings, run);
}

/** Opens an existing run to drive it. @throws BulkError `run_busy` if another process drives it; `run_not_found` */
export async function openFleetRun(session: Session, id: string): Promise<FleetRun> {
  const [{ hasLocalRun, openLocalRun }, settings] = await Promise.all([
    import("./local-run.js"),
    readStoreSettings(session),
  ]);
  if (settings === undefined || hasLocalRun(session, id)) return openLocalRun(session, id);
  return (await import("./shared-run.js")).openSharedRun(session, settings, id);
}

/** Reads a run, also while another process drives it. @throws BulkError `run_not_found` */
export async function readFleetRun(
  session: Session,
  id: string,
): Promise<{ snapshot: FleetSnapshot; isShared: boolean }> {
  const [{ hasLocalRun, readLocalRun }, settings] = await Promise.all([
    import("./local-run.js"),
    readStoreSettings(session),
  ]);
  const isShared = settings !== undefined && !hasLocalRun(session, id);
  const snapshot = isShared
    ? await (await import("./shared-run.js")).readSharedRun(session, settings, id)
    : await readLocalRun(session, id);
  if (snapshot !== undefined) return { snapshot, isShared };
  throw new BulkError("run_not_found", `run ${id} not found`, "list runs: `voxctl runs list`");
}

/** Marks a run as undone. */
export async function markUndone(session: Session, id: string, isShared: boolean): Promise<void> {
  const settings = isShared ? await readStoreSettings(session) : undefined;
  if (settings === undefined) return (await import("./local-run.js")).markLocalUndone(session, id);
  return (await import("./shared-run.js")).markSharedUndone(session, settings, id);
}
