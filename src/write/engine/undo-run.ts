import type { RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { withOrigin } from "../journal/origin.js";
import { openUndo } from "../journal/runs.js";
import type { RunContext } from "./context.js";
import { type RunTask, runJournaled } from "./lifecycle.js";
import { checkTarget, openRunById } from "./open.js";
import type { WriteSummary } from "./summary.js";

export interface Original {
  id: string;
  journal: Journal;
  identity: RunIdentity;
}

/**
 * Undoes a run in a separate run. A second call resumes an interrupted undo or retries the remaining items.
 * @throws BulkError before the first request; later, the signal's reason or a ClientError, after which the
 *   undo can be resumed
 */
export async function undoJournaled(
  context: RunContext,
  { id, journal, identity }: Original,
  task: Omit<RunTask, "open" | "finished">,
): Promise<WriteSummary> {
  const { folder, machineClock, inProcess, sharedRuns, onStep } = context;
  const now = machineClock.now();
  return runJournaled(context, {
    ...task,
    open: () =>
      openUndo({
        ...{ folder, id, identity, now, onStep },
        ...{ durable: !inProcess, shared: sharedRuns !== undefined },
      }),
    removesEmpty: true,
    finished: (undo) => {
      if (undo.count("unknown") === 0) journal.setSetting("undone_at", machineClock.now());
    },
  });
}

/** @throws BulkError if the run has a different target */
export async function withOriginal<T>(
  context: RunContext,
  id: string,
  work: (original: Original) => Promise<T>,
): Promise<T> {
  const { journal, identity } = await openRunById(context, id);
  try {
    checkTarget(context, { id, journal, identity });
    await context.sharedRuns?.publish({ id, journal });
    const result = await withOrigin(context.folder, { id, journal }, () => work({ id, journal, identity }));
    await journal.publish();
    return result;
  } finally {
    journal.close();
  }
}
