import { join } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import { formatCount } from "../../../base/text.js";
import { exits } from "../../../cli/errors/errors.js";
import { saveResults } from "../../../cli/output/save-results.js";
import type { Session } from "../../../cli/session/session.js";
import type { FleetAbout, FleetReport, MemberEnd, MemberRow, TakenMember } from "../index.js";
import { findOtherOrganization } from "./check-members.js";
import type { FleetRun, MemberFolder } from "./fleet-run.js";
import type { MemberAccess } from "./member-access.js";
import { getLogFolder, removeOldLogs } from "./member-logs.js";
import { runMemberProcess } from "./member-process.js";
import type { ResultFiles } from "./result-files.js";
import { assertFleetDone, createEventPrinter, formatCounts, showReport } from "./show-result.js";

/** Number of members that each process runs at the same time if several machines share the run. */
export const workerParallel = 4;

export function createRow(
  { name, labels, reference }: Pick<MemberRow, "name" | "labels" | "reference">,
  row: Pick<MemberRow, "wave" | "words"> & Partial<Pick<MemberRow, "state" | "files" | "oldestGroup">>,
): MemberRow {
  return {
    ...{ name, labels, reference, state: "waiting", files: [], oldestGroup: null },
    ...{ job: null, worker: null, pid: null, runs: [], exit: null, attempts: 0, notBefore: null },
    ...{ summary: null, error: null, startedAt: null, endedAt: null },
    ...row,
  };
}

/**
 * @param accesses URL and key of each member that can run, by name
 * @throws CliError see `assertFleetDone`
 */
export async function executeRun(
  session: Session,
  run: FleetRun,
  about: FleetAbout,
  accesses: ReadonlyMap<string, MemberAccess>,
  files: ResultFiles,
): Promise<FleetReport> {
  const { buildReport, runFleets } = await import("../index.js");
  const { clock, notes, signal } = session;
  const { id, host } = run;
  try {
    const { rows } = await run.readSnapshot();
    await removeOldLogs(session);
    const printer = createEventPrinter(session, id, about);
    const interrupt = new AbortController();
    notes.note(formatHeadline(rows, about));
    await run.start(about);
    const live = run.isShared ? undefined : await openLiveReport(session, run);
    const runner = createMemberRunner(session, {
      keyVariables: listKeyVariables(rows),
      interrupt: interrupt.signal,
    });
    const drive = () =>
      runFleets({
        ...{ host, clock, signal, stopsFleets: true, stays: false },
        parallel: run.isShared ? workerParallel : about.parallel,
        runMember: (member, onProcess) =>
          runner.run(member, onProcess, {
            access: accesses.get(member.row.name),
            ...{ variables: run.variables, checksOrganization: run.isShared || run.isResumed },
            openFolder: () => run.openFolder(member.row),
            findRuns: () => run.findRuns(member.row.name),
          }),
        isGivenBack: () => false,
        onEvent(_, event) {
          printer.print(event);
          live?.update();
        },
      });
    await session.awaitProgram(drive, () => {
      notes.note("Interrupting the running members… To end voxctl immediately, press Ctrl-C again.");
      interrupt.abort();
    });
    const report = buildReport(await run.readSnapshot());
    await Promise.all([live?.close(), printer.flush()]);
    notes.note(`${formatCount(report.selected, "member")}: ${formatCounts(report.counts)} (run ${id})`);
    await saveResults(session, {
      print: () => showReport(session, report),
      saves: files(report),
      conclude: () => assertFleetDone(session, report),
    });
    return report;
  } finally {
    await run.close();
  }
}

interface MemberContext {
  access: MemberAccess | undefined;
  variables: Readonly<Record<string, string>>;
  checksOrganization: boolean;
  openFolder(): Promise<MemberFolder>;
  findRuns(): Promise<string[]>;
}

export function createMemberRunner(
  session: Session,
  { keyVariables, interrupt }: { keyVariables: ReadonlySet<string>; interrupt: AbortSignal },
) {
  return {
    async run(
      { fleet: { id, about }, row }: TakenMember,
      onProcess: (pid: number) => void,
      { access, variables, checksOrganization, openFolder, findRuns }: MemberContext,
    ): Promise<MemberEnd> {
      const { name } = row;
      if (access === undefined) throw new Error(`no URL and key for member ${name}`);
      let folder: MemberFolder;
      try {
        const refused = checksOrganization
          ? await findOtherOrganization(session, row, access, interrupt)
          : undefined;
        if (refused !== undefined) return refused;
        folder = await openFolder();
      } catch (error) {
        return toUnsentEnd(error, interrupt);
      }
      try {
        return await runCommands(listCommands(row, about), about.ok_exits, (words) =>
          runMemberProcess(session, {
            ...{ logFolder: getLogFolder(session, id), mark: `${id}/${name}`, name, words, access, findRuns },
            ...{ directory: folder.path, variables, keyVariables, interrupt, onProcess },
          }),
        );
      } finally {
        await folder.remove();
      }
    },
  };
}

function toUnsentEnd(error: unknown, interrupt: AbortSignal): MemberEnd {
  return {
    exit: interrupt.aborted ? exits.interrupted : exits.unavailable,
    error: error instanceof Error ? error.message : String(error),
    ...{ code: null, summary: null, runs: [] },
  };
}

/** Returns the member's command or, in an undo, one `runs undo` command for each of the member's runs. */
function listCommands({ words }: MemberRow, { undoes, command }: FleetAbout): string[][] {
  if (undoes === null) return [[...words]];
  const flags = command.slice(["runs", "undo", undoes].length);
  return words.map((run) => ["runs", "undo", run, ...flags]);
}

/**
 * Runs the commands until one fails. If none fails, returns the first result with an exit code other than 0,
 * such as that of an undo that kept changes, which is not a failure.
 */
async function runCommands(
  commands: readonly string[][],
  okExits: readonly number[],
  run: (words: readonly string[]) => Promise<MemberEnd>,
): Promise<MemberEnd> {
  let first: MemberEnd = { exit: 0, summary: null, error: null, code: null, runs: [] };
  for (const words of commands) {
    const end = await run(words);
    if (end.exit !== 0 && !okExits.includes(end.exit)) return end;
    if (first.exit === 0) first = end;
  }
  return first;
}

/** A member's process must not get the keys of other members. */
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

/** Returns the path of the report that `fleet show` reads while the journal is locked. */
export function getLiveReport(session: Session, id: string): string {
  return join(getLogFolder(session, id), "report.json");
}

const reportMilliseconds = 1_000;
/** Minimum pause between two updates of the report, as a multiple of the time that one update takes. */
const reportPause = 50;

async function openLiveReport(session: Session, run: FleetRun) {
  const { buildReport } = await import("../index.js");
  const { clock } = session;
  const ended = new AbortController();
  let pending: Promise<void> | undefined;
  let pause = reportMilliseconds;
  const write = async (): Promise<void> => {
    const began = clock.now();
    const report: FleetReport = buildReport(await run.readSnapshot());
    await makePrivateFolder(getLogFolder(session, run.id));
    await writePrivateFile(getLiveReport(session, run.id), `${JSON.stringify(report)}\n`, { replace: true });
    pause = Math.max(reportMilliseconds, reportPause * (clock.now() - began));
  };
  await write();
  return {
    update(): void {
      pending ??= clock
        .sleep(pause, ended.signal)
        .catch(() => {})
        .then(write)
        // Ignore the error, because a later write may succeed. The write in `close` reports its error.
        .catch(() => {})
        .finally(() => {
          pending = undefined;
        });
    },
    async close(): Promise<void> {
      ended.abort();
      await pending;
      await write().catch((error: unknown) =>
        session.notes.warn(`${getLiveReport(session, run.id)} is out of date: ${describeFsError(error)}`),
      );
    },
  };
}
