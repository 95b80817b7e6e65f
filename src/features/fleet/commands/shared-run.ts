import type { StoreSettings } from "../../../cli/bulk/store.js";
import { CliError, exits, refusedError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import type { StoredFleet } from "../../../store/index.js";
import { type FleetSnapshot, toStop } from "../index.js";
import { type FleetRun, type NewRun, runNotFoundError } from "./fleet-run.js";
import { openMemberFolder } from "./member-folder.js";
import { createSharedHost, openSharedFleet, toContent } from "./shared-fleet.js";
import { openSharedFleets, type SharedFleets, withSharedFleets } from "./shared-store.js";

export async function createSharedRun(
  session: Session,
  settings: StoreSettings,
  { identity, about, rows, files, command, resumes = false }: NewRun,
): Promise<FleetRun> {
  const shared = await openSharedFleets(session, settings, command);
  try {
    const { prefixOf } = await import("../../../write/journal/identity.js");
    const { runId } = await import("../../../write/journal/runs.js");
    const prefix = prefixOf(identity);
    let id = prefix;
    let existing = resumes ? await shared.tables.find(id) : undefined;
    // If the run is finished, create a new one: resuming it would skip members whose undo kept changes.
    for (let number = 2; existing !== undefined && isFinished(existing); number += 1) {
      id = runId(prefix, number);
      existing = await shared.tables.find(id);
    }
    if (existing === undefined)
      await shared.tables.insert({
        ...{ id, content: about, files },
        about: {
          ...{ kind: identity.kind, command, version, holder: shared.roles.holder },
          file: session.secrets.mask(about.command.join(" ")),
        },
        members: rows.map((row) => ({ ...row, content: toContent(row) })),
      });
    return await driveRun(session, settings, shared, id, existing !== undefined);
  } catch (error) {
    await shared.close();
    throw error;
  }
}

const isFinished = ({ state }: StoredFleet) => state === "finished" || state === "undone";

export async function openSharedRun(
  session: Session,
  settings: StoreSettings,
  id: string,
): Promise<FleetRun> {
  const shared = await openSharedFleets(session, settings, "fleet resume");
  try {
    return await driveRun(session, settings, shared, id, true);
  } catch (error) {
    await shared.close();
    throw error;
  }
}

/**
 * Makes this process the driver, which decides when members start.
 * @throws CliError with exit code 6 if another process is the driver, 4 if the run doesn't exist, 12 if
 * another version started it
 */
async function driveRun(
  session: Session,
  settings: StoreSettings,
  shared: SharedFleets,
  id: string,
  isResumed: boolean,
): Promise<FleetRun> {
  const { tables, roles } = shared;
  const stored = await findFleet(shared, id);
  if (stored.about.version !== version)
    throw refusedError("version_differs", describeVersion(stored), "use the same version of voxctl");
  if (!(await roles.drive(id))) {
    const { formatPlace } = await import("../../../store/index.js");
    const driver = (await tables.find(id))?.driver;
    const who = driver === undefined ? "another process" : formatPlace(driver);
    throw new CliError({
      exit: exits.conflict,
      code: "run_busy",
      message: `${who} is running fleet run ${id}`,
      hint: "to run some of its members on this machine, run `voxctl fleet work`",
    });
  }
  const host = createSharedHost(shared, {
    ...listHow(session, settings),
    list: async () => [await findFleet(shared, id)].filter(({ state }) => state === "running"),
    accepts: async () => true,
  });
  return {
    ...{ id, isShared: true, isResumed, host, variables: shared.variables },
    readSnapshot: () => readSnapshot(session, settings, shared, id),
    changeRow: (name, change) => roles.changeMember(id, name, change),
    start: (about) => tables.reopen(id, about),
    findRuns: (name) => tables.findRuns(id, name),
    openFolder: (row) => openMemberFolder(session, tables, id, row),
    close: () => shared.close(),
  };
}

export function listHow({ clock }: Session, { leaseMilliseconds }: StoreSettings) {
  return { now: () => clock.now(), checkMilliseconds: leaseMilliseconds / 4 };
}

export function describeVersion({ id, about }: StoredFleet): string {
  return `fleet run ${id} was started with voxctl ${about.version}, but this is voxctl ${version}`;
}

async function findFleet({ tables }: SharedFleets, id: string): Promise<StoredFleet> {
  const stored = await tables.find(id);
  if (stored !== undefined) return stored;
  throw runNotFoundError(id);
}

async function readSnapshot(
  session: Session,
  settings: StoreSettings,
  shared: SharedFleets,
  id: string,
): Promise<FleetSnapshot> {
  const stored = await findFleet(shared, id);
  const fleet = await openSharedFleet(shared, stored, listHow(session, settings));
  const { startedAt, endedAt, stop, state } = stored;
  const rows = await fleet.listRows();
  const isUndone = state === "undone";
  return { id, about: fleet.about, rows, startedAt, endedAt, isUndone, stop: toStop(stop) };
}

export function readSharedRun(session: Session, settings: StoreSettings, id: string): Promise<FleetSnapshot> {
  return withSharedFleets(session, settings, "fleet show", (shared) =>
    readSnapshot(session, settings, shared, id),
  );
}

export function markSharedUndone(session: Session, settings: StoreSettings, id: string): Promise<void> {
  return withSharedFleets(session, settings, "runs undo", ({ tables }) => tables.setUndone(id));
}
