import { stopwatch } from "../../base/clock.js";
import { addAuthor, readOtherWrites } from "../journal/authors.js";
import { findResultsPath, removeRun, resultsPathOf } from "../journal/folder.js";
import type { Journal } from "../journal/journal.js";
import { listResultItems } from "../journal/outcome.js";
import type { OpenRun } from "../journal/runs.js";
import type { RunAdapter } from "./adapter.js";
import type { RunContext } from "./context.js";
import { drive } from "./drive.js";
import { finishedIn } from "./progress.js";
import { openResultsFile, type Rejected, type ResultsFile } from "./results-file.js";
import { countOutcomes, countRows, type Outcomes, summaryOf, type WriteSummary } from "./summary.js";

export interface PlannedRun {
  readonly id: string;
  readonly journal: Journal;
  readonly results: ResultsFile;
  readonly resultsPath: string;
}

export interface RunTask {
  /** Opens the unfinished run or starts a new one. `runJournaled` closes the journal. */
  open(): Promise<OpenRun>;
  /**
   * Returns the path of the results file. By default, it is the path in the journal, or a file next to the
   * journal.
   */
  resultsPath?(id: string): string;
  /** Decides which items to send and journals them. Sends only read requests. */
  plan(run: PlannedRun): Promise<void>;
  adapter(journal: Journal): RunAdapter;
  /** Called when all items are finished. */
  conclude?(journal: Journal): Promise<void>;
  /** Called at the end of the run, even if the run failed, while its journal is still open. */
  ended?(journal: Journal): void;
  rejected?(rejected: Rejected): void;
  /** Called after the journal is marked as finished. */
  finished?(journal: Journal): void;
  /** Whether to remove a finished run that has no items and made no other writes. */
  removesEmpty?: boolean;
  /** By default, counts the items by outcome. */
  outcomes?(journal: Journal): Outcomes;
}

/**
 * Journals each step first, so that an interrupted run can resume at any point and never repeats a request
 * without checking its outcome.
 * @throws BulkError before the first request; later, the signal's reason or a ClientError, after which the
 * run can be resumed
 */
export async function runJournaled(context: RunContext, task: RunTask): Promise<WriteSummary> {
  const { folder, resultsFolder, sharedRuns, machineClock, signal, author, fleetMember } = context;
  const run = await task.open();
  const { id, journal } = run;
  addAuthor(journal, author);
  if (fleetMember !== undefined) journal.setSetting("fleet_member", fleetMember);
  let isPlanned = run.resumed;
  let isEmpty = false;
  return withJournal(
    context,
    run,
    async (addCosts) => {
      await sharedRuns?.publish(run);
      const resultsPath =
        task.resultsPath?.(id) ??
        // The path in a shared journal may belong to another machine, so ignore it.
        (sharedRuns ? resultsPathOf(resultsFolder, id) : findResultsPath(journal, folder, id));
      // Don't store the default path, so that a copy of the journal doesn't refer to the original's results
      // file.
      if (resultsPath !== resultsPathOf(folder, id)) journal.setSetting("report", resultsPath);
      const results = await openResultsFile(resultsPath, { clock: machineClock, signal });
      try {
        if (!run.resumed) {
          await task.plan({ id, journal, results, resultsPath });
          markPlanned(context, journal);
        }
        isPlanned = true;
        await journal.publish();
        await drive(context, run, task.adapter(journal));
        await task.conclude?.(journal);
        addCosts();
        // Write the results before marking the run as finished, because they are never written for a finished
        // run.
        const rejected = await results.write(listResultItems(journal));
        if (rejected.count + rejected.changed.count > 0) task.rejected?.(rejected);
        journal.setSetting("finished_at", machineClock.now());
        task.finished?.(journal);
        await journal.publish();
        journal.step("finished");
        const outcomes = task.outcomes?.(journal) ?? countOutcomes(journal);
        isEmpty =
          task.removesEmpty === true && countRows(journal) === 0 && readOtherWrites(journal).length === 0;
        return summaryOf(journal, isEmpty ? { id: null, report: "" } : { id, report: resultsPath }, outcomes);
      } finally {
        await results.close();
        task.ended?.(journal);
      }
    },
    { isKept: () => isPlanned && !isEmpty && mustKeep(journal), removesResults: () => isEmpty },
  );
}

/**
 * Returns whether a run must be kept: it is finished, may have changed something, or created a group that
 * only this run can undo.
 */
function mustKeep(journal: Journal): boolean {
  const isKnown = (name: string) => journal.setting(name) !== undefined;
  return isKnown("finished_at") || isKnown("group_made") || journal.mayHaveEffect();
}

function markPlanned({ machineClock }: RunContext, journal: Journal): void {
  if (journal.setting("planned_at") === undefined) journal.setSetting("planned_at", machineClock.now());
  journal.step("planned");
}

/**
 * Adds this process's request statistics to those of earlier processes. If `isKept` returns false, removes
 * the run.
 */
async function withJournal<T>(
  { folder, machineClock, sharedRuns, requestStats, listener }: RunContext,
  run: OpenRun,
  work: (addCosts: () => void) => Promise<T>,
  { isKept, removesResults }: { isKept(): boolean; removesResults(): boolean },
): Promise<T> {
  const { id, journal } = run;
  // Measure with this machine's clock, because an emulator's clock skips waits.
  const begun = stopwatch(machineClock);
  let isAdded = false;
  const addCosts = () => {
    if (isAdded) return;
    isAdded = true;
    journal.addTo("milliseconds", stopwatch(machineClock) - begun);
    journal.addTo("requests", requestStats.requests);
    journal.addTo("rate_limited", requestStats.rateLimited);
  };
  try {
    return await work(addCosts);
  } catch (error) {
    // Publish the results so far. If this fails, the next process determines them.
    await journal.publish()?.catch(() => {});
    if (isKept()) {
      addCosts();
      const lost = journal.count("unknown") + journal.count("sent");
      listener.stopped({ id, done: finishedIn(journal), open: journal.count("planned") + lost, lost });
    }
    throw await journal.handOver(error);
  } finally {
    if (isKept()) journal.close();
    else {
      await sharedRuns?.remove(id);
      await removeRun(folder, run, { removesResults: removesResults(), keepsWrites: false });
    }
  }
}
