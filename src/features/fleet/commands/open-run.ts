import { hasLocalRun } from "../../../cli/bulk/known-runs.js";
import { readStoreSettings } from "../../../cli/bulk/store.js";
import type { Session } from "../../../cli/session/session.js";
import type { FleetSnapshot } from "../index.js";
import { type FleetRun, type NewRun, runNotFoundError } from "./fleet-run.js";

/** Creates a run, or opens an unfinished one with the same identity if `resumes` is set. */
export async function createFleetRun(session: Session, run: NewRun, isShared: boolean): Promise<FleetRun> {
  const settings = isShared ? await readStoreSettings(session) : undefined;
  if (settings === undefined) return (await import("./local-run.js")).createLocalRun(session, run);
  return (await import("./shared-run.js")).createSharedRun(session, settings, run);
}

/**
 * @throws CliError or BulkError with exit code 6 if another process uses the run, 4 if the run doesn't exist
 */
export async function openFleetRun(session: Session, id: string): Promise<FleetRun> {
  const [{ openLocalRun }, settings] = await Promise.all([
    import("./local-run.js"),
    readStoreSettings(session),
  ]);
  if (settings === undefined || (await hasLocalRun(session, id))) return openLocalRun(session, id);
  return (await import("./shared-run.js")).openSharedRun(session, settings, id);
}

/**
 * @throws CliError with exit code 4 if the run doesn't exist; BulkError `run_busy` if another process uses a
 * local run
 */
export async function readFleetRun(
  session: Session,
  id: string,
): Promise<{ snapshot: FleetSnapshot; isShared: boolean }> {
  const [{ readLocalRun }, settings] = await Promise.all([
    import("./local-run.js"),
    readStoreSettings(session),
  ]);
  const isShared = settings !== undefined && !(await hasLocalRun(session, id));
  const snapshot = isShared
    ? await (await import("./shared-run.js")).readSharedRun(session, settings, id)
    : await readLocalRun(session, id);
  if (snapshot !== undefined) return { snapshot, isShared };
  throw runNotFoundError(id);
}

export async function markUndone(session: Session, id: string, isShared: boolean): Promise<void> {
  const settings = isShared ? await readStoreSettings(session) : undefined;
  if (settings === undefined) return (await import("./local-run.js")).markLocalUndone(session, id);
  return (await import("./shared-run.js")).markSharedUndone(session, settings, id);
}
