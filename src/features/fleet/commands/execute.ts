/** Runs a fleet whose members are in a journal: the common part of run, apply, resume and undo. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import { formatCount } from "../../../base/text.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunIdentity } from "../../../write/journal/identity.js";
import type { OpenRun } from "../../../write/journal/runs.js";
import type { FleetAbout, MemberEnd, MemberRow } from "../index.js";
import type { MemberAccess } from "./member-access.js";
import { getLogFolder, runMemberProcess } from "./member-process.js";
import type { ResultFiles } from "./result-files.js";
import { assertFleetDone, createEventPrinter, formatCounts, showReport } from "./show-result.js";

/** A new fleet run, before its journal exists. */
interface NewRun {
  identity: Pick<RunIdentity, "kind" | "digest">;
  about: FleetAbout;
  rows: readonly MemberRow[];
  /** Command for `runs list`: `fleet run`. */
  command: string;
  /** Whether an unfinished run with this identity is resumed. */
  resumes?: boolean;
}

/** Creates the journal of a run, with its members waiting. */
export async function openFleetRun(
  session: Session,
  { identity, about, rows, command, resumes = false }: NewRun,
): Promise<OpenRun> {
  const [{ openRun }, { removeOldRuns }, { insertRows, writeAbout }] = await Promise.all([
    import("../../../write/journal/runs.js"),
    import("../../../write/journal/folder.js"),
    import("../index.js"),
  ]);
  const folder = getRunsFolder(session);
  const now = session.clock.now();
  await removeOldRuns(folder, now);
  await removeOldLogs(session);
  const run = await openRun({
    folder,
    identity: { ...identity, base_url: "", world: null, group_id: "", options: {} },
    ...{ now, newRun: !resumes, once: false, concludes: true, durable: true },
  });
  if (run.resumed) return run;
  const { journal } = run;
  writeAbout(journal, about);
  insertRows(journal, rows);
  journal.setSetting("command", command);
  journal.setSetting("file", session.secrets.mask(about.command.join(" ")));
  journal.setSetting("planned_at", now);
  return run;
}

/** Deletes the logs of runs whose journals were deleted, because logs can contain personal data. */
async function removeOldLogs(session: Session): Promise<void> {
  const folder = join(session.folders.data, "fleet");
  const runs = new Set(await readdir(getRunsFolder(session)).catch(() => []));
  for (const id of await readdir(folder).catch(() => []))
    if (!runs.has(`${id}.sqlite`)) await rm(join(folder, id), { recursive: true, force: true });
}

/** Returns the row of a member that waits for its command. */
export function createRow(
  { name, labels, reference }: Pick<MemberRow, "name" | "labels" | "reference">,
  { wave, words, state = "waiting" }: { wave: number; words: readonly string[]; state?: MemberRow["state"] },
): MemberRow {
  return {
    ...{ name, wave, labels, reference, words, state },
    ...{ fence: null, pid: null, runs: [], exit: null, attempts: 0, notBefore: null },
    ...{ summary: null, error: null, startedAt: null, endedAt: null },
  };
}

/**
 * Runs the waiting members of a run, shows its progress and its report, and closes its journal.
 * @param accesses access of each member that may run
 * @throws CliError see `assertFleetDone`
 */
export async function executeRun(
  session: Session,
  { id, journal }: Pick<OpenRun, "id" | "journal">,
  accesses: ReadonlyMap<string, MemberAccess>,
  files: ResultFiles,
): Promise<void> {
  const [{ withOrigin }, fleet] = await Promise.all([
    import("../../../write/journal/origin.js"),
    import("../index.js"),
  ]);
  const { clock, notes, signal } = session;
  try {
    const about = fleet.readAbout(journal);
    const rows = fleet.openRows(journal);
    const printer = createEventPrinter(session, id, about);
    const interrupt = new AbortController();
    const keyVariables = listKeyVariables(rows.list());
    notes.note(formatHeadline(rows.list(), about));
    for (const name of ["ended_at", "finished_at", "stopped"]) journal.removeSetting(name);
    let saved = Promise.resolve();
    const saveReport = () => {
      const text = JSON.stringify(fleet.readReport(id, journal));
      saved = saved.then(() => saveLiveReport(session, id, text));
    };
    saveReport();
    const drive = () =>
      fleet.driveFleet({
        ...{ rows, clock, signal },
        schedule: { ...about, holds: about.waves.map(({ hold }) => hold) },
        okExits: about.ok_exits,
        isComparison: about.is_comparison,
        createFence: () => session.random.bytes(16).toString("hex"),
        runMember(row, onProcess) {
          const access = accesses.get(row.name);
          if (access === undefined) throw new Error(`member ${row.name} has no access`);
          const { name } = row;
          return runCommands(listCommands(row, about), (words) =>
            runMemberProcess(session, {
              ...{ logFolder: getLogFolder(session, id), mark: `${id}/${name}`, name, words, access },
              ...{ directory: about.directory, keyVariables, interrupt: interrupt.signal, onProcess },
            }),
          );
        },
        onEvent(event) {
          printer.print(event);
          saveReport();
        },
      });
    const stop = await withOrigin(getRunsFolder(session), { id, journal }, () =>
      session.awaitProgram(drive, () => {
        notes.note("Interrupting the running members… To end voxctl immediately, press Ctrl-C again.");
        interrupt.abort();
      }),
    );
    const now = clock.now();
    journal.setSetting("ended_at", now);
    if (stop === null) journal.setSetting("finished_at", now);
    else journal.setSetting("stopped", stop);
    const report = fleet.readReport(id, journal);
    saveReport();
    await Promise.all([saved, printer.flush()]);
    await files.write(report);
    notes.note(`${formatCount(report.selected, "member")}: ${formatCounts(report.counts)} (run ${id})`);
    await showReport(session, report);
    await assertFleetDone(session, report);
  } finally {
    journal.close();
  }
}

/** Returns the commands of a member. In an undo, the words are the ids of its runs, newest first. */
function listCommands({ words }: MemberRow, { undoes, command }: FleetAbout): string[][] {
  if (undoes === null) return [[...words]];
  const flags = command.slice(["runs", "undo", undoes].length);
  return words.map((run) => ["runs", "undo", run, ...flags]);
}

/** Runs commands until one fails. Returns the end of the last one. */
async function runCommands(
  commands: readonly string[][],
  run: (words: readonly string[]) => Promise<MemberEnd>,
): Promise<MemberEnd> {
  let end: MemberEnd = { exit: 0, summary: null, error: null, code: null, runs: [] };
  for (const words of commands) {
    end = await run(words);
    if (end.exit !== 0) break;
  }
  return end;
}

/** Returns the variables with keys: other members' processes must not get a member's key. */
export function listKeyVariables(members: readonly Pick<MemberRow, "reference">[]): ReadonlySet<string> {
  return new Set(
    members.flatMap(({ reference }) =>
      "key" in reference && reference.key.startsWith("env:") ? [reference.key.slice("env:".length)] : [],
    ),
  );
}

function formatHeadline(rows: readonly MemberRow[], { waves, parallel, allowed }: FleetAbout): string {
  const sizes = waves.map(({ hold }, index) => {
    const members = rows.filter(({ wave }) => wave === index);
    return hold > 0
      ? `${members.length} (${members.map(({ name }) => name).join(", ")})`
      : String(members.length);
  });
  const count = rows.filter(({ wave }) => wave >= 0).length;
  return `${formatCount(count, "member")} in ${formatCount(waves.length, "wave")}: ${sizes.join(", ")} · ${parallel} at once · failures allowed: ${allowed}`;
}

/** Path of the report that `fleet show` reads while the run is locked. */
export function getLiveReport(session: Session, id: string): string {
  return join(getLogFolder(session, id), "report.json");
}

async function saveLiveReport(session: Session, id: string, text: string): Promise<void> {
  await makePrivateFolder(getLogFolder(session, id));
  await writePrivateFile(getLiveReport(session, id), `${text}\n`, { replace: true });
}
