import { findResultsPath, removeRun, resultsPathOf } from "../journal/folder.js";
import type { Journal } from "../journal/journal.js";
import { listResultItems } from "../journal/outcome.js";
import type { OpenRun } from "../journal/runs.js";
import type { RunAdapter } from "./adapter.js";
import type { RunContext } from "./context.js";
import { drive } from "./drive.js";
import { finishedIn } from "./progress.js";
import { openResultsFile, type Rejected, type ResultsFile } from "./results-file.js";
import { countOutcomes, type Outcomes, summaryOf, type WriteSummary } from "./summary.js";

/** A run that is being planned. */
export interface PlannedRun {
  readonly id: string;
  readonly journal: Journal;
  readonly results: ResultsFile;
  readonly resultsPath: string;
}

/** One run of any type: its actions and its messages. */
export interface RunTask {
  /** The unfinished run of this identity, or a new one; it is closed at the end. */
  open(): Promise<OpenRun>;
  /** Path of the results file; default: the path in the journal, next to the run. */
  resultsPath?(id: string): string;
  /** Decides which items to send and writes them to the journal. Sends only reads. */
  plan(run: PlannedRun): Promise<void>;
  adapter(journal: Journal): RunAdapter;
  /** Completes the run when every item is finished. */
  conclude?(journal: Journal): Promise<void>;
  /** Called with the items that the results file lists as not done. */
  rejected?(rejected: Rejected): void;
  /** The run is finished, and its journal is marked as finished. */
  finished?(journal: Journal): void;
  /** Counts the results. Default: the items by outcome. */
  outcomes?(journal: Journal): Outcomes;
}

/**
 * Runs all phases of a run: plan, send, resolve, report, finish. Each step is journaled before it is made, so
 * a run that was interrupted at any point continues there, and nothing is sent twice without a check.
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, if the run stopped and
 * can be resumed
 */
export async function runJournaled(context: RunContext, task: RunTask): Promise<WriteSummary> {
  const { folder, resultsFolder, sharedRuns, machineClock, signal } = context;
  const run = await task.open();
  const { id, journal } = run;
  let isPlanned = run.resumed;
  return withJournal(
    context,
    run,
    async (addCosts) => {
      await sharedRuns?.publish(run);
      const resultsPath =
        task.resultsPath?.(id) ??
        // A path in a shared journal is one of another machine.
        (sharedRuns ? resultsPathOf(resultsFolder, id) : findResultsPath(journal, folder, id));
      journal.setSetting("report", resultsPath);
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
        // Before the run is marked as finished: the results of a finished run are not written again.
        const rejected = await results.write(listResultItems(journal));
        if (rejected.count + rejected.changed.count > 0) task.rejected?.(rejected);
        journal.setSetting("finished_at", machineClock.now());
        task.finished?.(journal);
        await journal.publish();
        journal.step("finished");
        const outcomes = task.outcomes?.(journal) ?? countOutcomes(journal);
        return summaryOf(journal, { id, report: resultsPath }, outcomes);
      } finally {
        await results.close();
      }
    },
    // Nothing was sent, and an incomplete plan is discarded.
    async () => (isPlanned ? journal.close() : removeRun(folder, run, { removesResults: false })),
  );
}

/** A process was killed while it planned this run. */
function markPlanned({ machineClock }: RunContext, journal: Journal): void {
  if (journal.setting("planned_at") === undefined) journal.setSetting("planned_at", machineClock.now());
  journal.step("planned");
}

/**
 * Runs `work` on an open journal, then `close`. Adds up the request statistics over all processes of a run
 * and records the reason if it stops.
 */
async function withJournal<T>(
  { elapsed, requestStats, listener }: RunContext,
  { id, journal }: Pick<OpenRun, "id" | "journal">,
  work: (addCosts: () => void) => Promise<T>,
  close: () => Promise<void>,
): Promise<T> {
  const begun = elapsed();
  let isAdded = false;
  const addCosts = () => {
    if (isAdded) return;
    isAdded = true;
    journal.addTo("milliseconds", elapsed() - begun);
    journal.addTo("requests", requestStats.requests);
    journal.addTo("rate_limited", requestStats.rateLimited);
  };
  try {
    return await work(addCosts);
  } catch (error) {
    // Publish the results so far; if this fails, the next process looks them up.
    await journal.publish()?.catch(() => {});
    if (journal.setting("planned_at") !== undefined) {
      addCosts();
      const lost = journal.count("unknown") + journal.count("sent");
      listener.stopped({ id, done: finishedIn(journal), open: journal.count("planned") + lost, lost });
    }
    throw error;
  } finally {
    await close();
  }
}
