import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { BulkError } from "../errors.js";
import { reportPathOf } from "../journal/folder.js";
import { prefixOf, type RunIdentity } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import { reportable } from "../journal/outcome.js";
import { inputName } from "../sources/name.js";
import type { RunContext } from "./context.js";
import { type ImportAdapter, importRun } from "./import-adapter.js";
import { type PlannedRun, runJournaled } from "./lifecycle.js";
import { openRunOf, openUnfinished, tellLeftBefore } from "./open.js";
import { openReport } from "./report.js";
import { type ImportSummary, summaryOf, totalsOf } from "./summary.js";

/** What is to be imported, and how. */
export interface ImportTask {
  adapter(groupId: string): ImportAdapter;
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
 * @throws as `runJournaled`
 */
export async function runImport(context: RunContext, task: ImportTask): Promise<ImportSummary> {
  await mkdir(context.folder, { recursive: true, mode: 0o700 });
  const { groupId = "", file, newRun, once } = task;
  const adapter = task.adapter(groupId);
  const identity = identityFor(context, task, adapter);
  if (task.dryRun) return rehearse(context, task, identity);
  return runJournaled(context, {
    open: () => openRunOf(context, identity, { newRun, once }),
    reportPath: (id) => task.reportPath ?? reportPathOf(context.folder, id),
    async plan(run) {
      await tellLeftBefore(context, identity, file, run.id);
      await plan(context, task, run);
    },
    adapter: (journal) => importRun(adapter, context, journal, groupId),
    rejected: context.listener.rejected,
    summarize: summaryOf,
  });
}

/**
 * Goes on with an import that was interrupted; its input is not needed any more.
 * @param adapterOf what is to be known of a run's type; undefined for one that its own command goes on with
 * @throws as `runJournaled`
 */
export async function resumeImport(
  context: RunContext,
  id: string,
  adapterOf: (identity: RunIdentity) => ImportAdapter | undefined,
): Promise<ImportSummary> {
  const run = await openUnfinished(context, id);
  const { group_id, kind } = run.identity;
  const adapter = adapterOf(run.identity);
  if (adapter === undefined) {
    run.journal.close();
    throw new BulkError(
      "run_of_other_kind",
      `a run of the kind ${kind} goes on when its command is given again`,
    );
  }
  return runJournaled(context, {
    open: async () => run,
    plan: async () => {},
    adapter: (journal) => importRun(adapter, context, journal, group_id),
    rejected: context.listener.rejected,
    summarize: summaryOf,
  });
}

function identityFor(
  { baseUrl, requestStats }: RunContext,
  { groupId = "", digest, options }: ImportTask,
  { type }: ImportAdapter,
): RunIdentity {
  return { kind: type, base_url: baseUrl, world: requestStats.world, group_id: groupId, digest, options };
}

/** Plans a new run, and refuses it where it must not begin. */
async function plan(
  context: RunContext,
  task: ImportTask,
  { journal, report, reportPath }: Omit<PlannedRun, "id">,
): Promise<void> {
  journal.setSetting("file", task.file);
  journal.setSetting("group_id", task.groupId ?? null);
  journal.setSetting("group_name", task.groupName);
  journal.setSetting("profile", task.profile);
  if (task.groupIsNew) journal.setSetting("group_made", true);
  await task.plan(journal);
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
async function rehearse(
  context: RunContext,
  task: ImportTask,
  identity: RunIdentity,
): Promise<ImportSummary> {
  const { folder, machineClock, signal, listener } = context;
  const temporary = await mkdtemp(join(folder, "dry-run-"));
  try {
    const journal = await Journal.open(join(temporary, "run.sqlite"), { create: true, durable: false });
    try {
      const id = `dry-run-${prefixOf({ ...identity, group_name: task.groupName })}`;
      const reportPath = task.reportPath ?? reportPathOf(folder, id);
      const report = await openReport(reportPath, { clock: machineClock, signal });
      try {
        await plan(context, task, { journal, report, reportPath });
        const rejected = await report.write(reportable(journal));
        if (rejected.count > 0) listener.rejected(rejected);
        // What it would cost, not what it has cost to find out.
        const requests = journal.count("planned");
        return { ...summaryOf(journal, { id: null, report: reportPath }), requests };
      } finally {
        await report.close();
      }
    } finally {
      journal.close();
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
