import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { BulkError } from "../errors.js";
import { removeOldRuns, removeRun, reportPathOf } from "../journal/folder.js";
import { prefixOf, type RunIdentity } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import { unfinishedBefore } from "../journal/list.js";
import { reportable } from "../journal/outcome.js";
import { type OpenRun, openRun } from "../journal/runs.js";
import { inputName } from "../sources/name.js";
import { openReport, type Report } from "./report.js";
import { drive, type Kind, type RunContext, withJournal } from "./run.js";
import { type ImportSummary, summaryOf, totalsOf } from "./summary.js";

/** What is to be imported, and how: a kind of import is this, and nothing else. */
export interface ImportTask {
  /** `contacts`, `glossary` …: tells runs apart, and by it a run finds the way back to its kind. */
  kind: string;
  /** The input's name, as the user gave it. */
  file: string;
  /** SHA-256 of the input, hex. */
  digest: string;
  /** Undefined in a dry run whose group does not exist yet. */
  groupId: string | undefined;
  groupName: string;
  /** It was made for this run, a moment ago, and is empty. */
  groupIsNew: boolean;
  /** The profile's name, to find the way back to the service. */
  profile: string;
  /** Those of the user's options that change what is done with a row. */
  options: unknown;
  /** Reads group and input, and inserts an item per row; many in one transaction. Sends nothing but reads. */
  plan(journal: Journal): Promise<void>;
  requests(journal: Journal, groupId: string): Kind;
  /** Refuse an input with an invalid row. */
  strict: boolean;
  dryRun: boolean;
  /** Start afresh, whatever runs there are. */
  newRun: boolean;
  /** A finished run must not be repeated unasked: nothing is compared. */
  once: boolean;
  /** Default: beside the run. */
  reportPath: string | undefined;
}

/**
 * Imports rows into a group. A run that was interrupted goes on where it was; what was lost on the way is looked up,
 * never sent again blindly.
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, when the run stopped and can be
 *   gone on with
 */
export async function runImport(context: RunContext, task: ImportTask): Promise<ImportSummary> {
  const { folder, machineClock, inProcess, onStep } = context;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (task.dryRun) return rehearse(context, task);
  await removeOldRuns(folder, machineClock.now());
  const identity = identityFor(context, task);
  const run = await openRun({
    folder,
    identity,
    now: machineClock.now(),
    newRun: task.newRun,
    once: task.once,
    durable: !inProcess,
    onStep,
  });
  const reportPath = task.reportPath ?? reportPathOf(folder, run.id);
  let planned = run.resumed;
  try {
    return await withJournal(context, run, async (addCosts) => {
      run.journal.setSetting("report", reportPath);
      // Of standard input nobody knows whether it is the same.
      if (!run.resumed && task.file !== "-") {
        const before = await unfinishedBefore(folder, identity, task.file, run.id);
        if (before !== undefined) context.listener.leftBefore(before);
      }
      const report = await openReport(reportPath, { clock: context.machineClock, signal: context.signal });
      try {
        if (!run.resumed) await plan(task, run.journal, context, report, reportPath);
        planned = true;
        await drive(context, run.journal, task.requests(run.journal, task.groupId ?? ""), run);
        addCosts();
        return await finishImport(context, run, report, reportPath);
      } finally {
        await report.close();
      }
    });
  } finally {
    // Nothing was sent, and half a plan is none.
    if (!planned) await removeRun(folder, run.id, { report: false });
  }
}

function identityFor({ baseUrl, traffic }: RunContext, task: ImportTask): RunIdentity {
  return {
    kind: task.kind,
    base_url: baseUrl,
    world: traffic.world,
    group_id: task.groupId ?? "",
    digest: task.digest,
    options: task.options,
  };
}

/** Writes a run's report and marks it as finished. */
export async function finishImport(
  { machineClock, listener }: RunContext,
  { id, journal }: Pick<OpenRun, "id" | "journal">,
  report: Report,
  reportPath: string,
): Promise<ImportSummary> {
  // First: of a finished run nobody asks for the report again.
  const rejected = await report.write(reportable(journal));
  if (rejected.count > 0) listener.rejected(rejected);
  journal.setSetting("finished_at", machineClock.now());
  journal.step("finished");
  return summaryOf(journal, { id, report: reportPath });
}

/** Plans a new run, and refuses it where it must not begin. */
async function plan(
  task: ImportTask,
  journal: Journal,
  context: RunContext,
  report: Report,
  reportPath: string,
): Promise<void> {
  journal.setSetting("file", task.file);
  journal.setSetting("group_id", task.groupId ?? null);
  journal.setSetting("group_name", task.groupName);
  journal.setSetting("profile", task.profile);
  if (task.groupIsNew) journal.setSetting("group_made", true);
  await task.plan(journal);
  // A run without this was killed while it was planned.
  journal.setSetting("planned_at", context.machineClock.now());
  journal.step("planned");
  const { invalid } = totalsOf(journal);
  if (!task.strict || invalid === 0) return;
  context.listener.rejected(await report.write(reportable(journal)));
  throw new BulkError(
    "invalid_rows",
    `${invalid} ${invalid === 1 ? "row of" : "rows of"} ${inputName(task.file)} can't be imported; nothing was sent`,
    `they are listed in ${reportPath}; without --strict the others are imported`,
  );
}

/** A dry run: everything is read and compared, nothing is sent, nothing is kept but a report of its own. */
async function rehearse(context: RunContext, task: ImportTask): Promise<ImportSummary> {
  const temporary = await mkdtemp(join(context.folder, "dry-run-"));
  try {
    const journal = await Journal.open(join(temporary, "run.sqlite"), { create: true, durable: false });
    const id = `dry-run-${prefixOf({ ...identityFor(context, task), group_name: task.groupName })}`;
    const reportPath = task.reportPath ?? reportPathOf(context.folder, id);
    // Nothing that could be gone on with.
    const quiet = { ...context, listener: { ...context.listener, stopped: () => {} } };
    return await withJournal(quiet, { id, journal }, async () => {
      const report = await openReport(reportPath, { clock: context.machineClock, signal: context.signal });
      try {
        await plan(task, journal, context, report, reportPath);
        const rejected = await report.write(reportable(journal));
        if (rejected.count > 0) context.listener.rejected(rejected);
        // What it would cost, not what it has cost to find out.
        const requests = journal.count("planned");
        return { ...summaryOf(journal, { id: null, report: reportPath }), requests };
      } finally {
        await report.close();
      }
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
