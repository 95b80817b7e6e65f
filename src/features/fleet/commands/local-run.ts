import { getRunsFolder } from "../../../cli/bulk/target.js";
import type { Session } from "../../../cli/session/session.js";
import type { OpenRun } from "../../../write/journal/runs.js";
import type { FleetSnapshot } from "../index.js";
import type { FleetRun, NewRun } from "./fleet-run.js";

export async function createLocalRun(
  session: Session,
  { identity, about, rows, command, resumes = false }: NewRun,
): Promise<FleetRun> {
  const [{ openRun }, { removeOldRuns }, { insertFleet }] = await Promise.all([
    import("../../../write/journal/runs.js"),
    import("../../../write/journal/folder.js"),
    import("../index.js"),
  ]);
  const folder = getRunsFolder(session);
  const now = session.clock.now();
  await removeOldRuns(folder, now);
  const run = await openRun({
    folder,
    identity: { ...identity, base_url: "", world: null, group_id: "", options: {} },
    ...{ now, newRun: !resumes, once: false, concludes: true, durable: true },
  });
  const { journal } = run;
  if (!run.resumed) {
    insertFleet(journal, about, rows);
    journal.setSetting("command", command);
    journal.setSetting("file", session.secrets.mask(about.command.join(" ")));
    journal.setSetting("planned_at", now);
  }
  return toFleetRun(session, run);
}

export async function openLocalRun(session: Session, id: string): Promise<FleetRun> {
  const [{ Journal }, { pathOf }] = await Promise.all([
    import("../../../write/journal/journal.js"),
    import("../../../write/journal/folder.js"),
  ]);
  const journal = await Journal.open(pathOf(getRunsFolder(session), id), { create: false });
  return toFleetRun(session, { id, journal, resumed: true });
}

/** @throws BulkError `run_busy` if another process uses the run */
export async function readLocalRun(session: Session, id: string): Promise<FleetSnapshot | undefined> {
  const [{ readFleet }, { readRun }] = await Promise.all([
    import("../index.js"),
    import("../../../write/journal/read.js"),
  ]);
  return readRun(getRunsFolder(session), id, (journal) => readFleet(id, journal));
}

export async function markLocalUndone(session: Session, id: string): Promise<void> {
  const { readRun } = await import("../../../write/journal/read.js");
  await readRun(getRunsFolder(session), id, (journal) =>
    journal.setSetting("undone_at", session.clock.now()),
  );
}

async function toFleetRun(session: Session, { id, journal, resumed }: OpenRun): Promise<FleetRun> {
  const { findMemberRuns, openLocalFleet, readFleet } = await import("../index.js");
  const { saveOrigin, removeOrigin } = await import("../../../write/journal/origin.js");
  const folder = getRunsFolder(session);
  try {
    const fleet = openLocalFleet(id, journal, session.clock);
    return {
      ...{ id, isShared: false, isResumed: resumed, host: fleet.host, variables: {} },
      readSnapshot: async () => readFleet(id, journal),
      changeRow: async (name, change) =>
        fleet.changeRow(
          name,
          change.state === "waiting" ? { ...change, attempts: 0, notBefore: null } : change,
        ),
      async start(about) {
        fleet.start(about);
        await saveOrigin(folder, { id, journal });
      },
      findRuns: (name) => findMemberRuns(folder, `${id}/${name}`),
      openFolder: async () => ({ path: fleet.about.directory, remove: async () => {} }),
      async close() {
        journal.close();
        await removeOrigin(folder, id);
      },
    };
  } catch (error) {
    journal.close();
    throw error;
  }
}
