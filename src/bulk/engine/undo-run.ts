import { reportPathOf } from "../journal/folder.js";
import type { RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { reportable } from "../journal/outcome.js";
import { type OpenRun, openUndo } from "../journal/runs.js";
import { openReport } from "./report.js";
import { type RunContext, withJournal } from "./run.js";

/**
 * Opens the run that undoes another, the unfinished one or a new one, and marks both when `work` is through.
 * @param summaryOf asked at the end, of the undo's open journal
 */
export async function withUndo<W, S>(
  context: RunContext,
  original: { id: string; journal: Journal; identity: RunIdentity },
  work: (undo: OpenRun) => Promise<W>,
  summaryOf: (undo: OpenRun, worked: W, report: string) => S,
): Promise<S> {
  const { folder, machineClock, inProcess, onStep, signal } = context;
  const { id, identity } = original;
  const now = machineClock.now();
  const undo = await openUndo({ folder, id, identity, now, durable: !inProcess, onStep });
  return withJournal(context, undo, async (addCosts) => {
    const { journal } = undo;
    const reportPath = reportPathOf(folder, undo.id);
    const report = await openReport(reportPath, { clock: machineClock, signal });
    try {
      const worked = await work(undo);
      addCosts();
      await report.write(reportable(journal));
      journal.setSetting("finished_at", machineClock.now());
      original.journal.setSetting("undone_at", machineClock.now());
      journal.step("finished");
      return summaryOf(undo, worked, reportPath);
    } finally {
      await report.close();
    }
  });
}
