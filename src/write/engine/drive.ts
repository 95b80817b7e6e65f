import { withOrigin } from "../journal/origin.js";
import { eachIn } from "../journal/outcome.js";
import type { OpenRun } from "../journal/runs.js";
import type { RunAdapter } from "./adapter.js";
import type { RunContext } from "./context.js";
import { createLosses } from "./losses.js";
import { createProgress, finishedIn } from "./progress.js";
import { sendPlanned } from "./send.js";

/**
 * Sends the planned items of a journal and determines the outcome of requests whose responses were lost.
 * Returns when all items are finished or can't be confirmed.
 * @throws the signal's reason, or the ClientError that stops the run; the run can then be resumed
 */
export async function drive(
  context: RunContext,
  { id, journal, resumed }: OpenRun,
  adapter: RunAdapter,
): Promise<void> {
  const { folder, listener } = context;
  journal.sentToUnknown();
  const done = finishedIn(journal);
  const open = journal.count("planned") + journal.count("unknown");
  if (resumed) listener.resuming({ id, done, open });
  listener.sending({ requests: done + open, done });
  if (open === 0) return;
  const progress = createProgress(journal, listener);
  const losses = createLosses(context, journal);
  for (const { number, endedTick } of eachIn(journal, "unknown"))
    if (endedTick === undefined) losses.add([number]);
  await withOrigin(folder, { id, journal }, async () => {
    // Compare only if items remain to be sent. Otherwise, keep the group's content from before the run: the
    // adapter needs it to determine the outcome of lost responses.
    if (journal.count("planned") > 0) {
      await adapter.compareAgain?.();
      progress.recount();
    }
    // The number of attempts per item is limited, so the loop ends.
    for (;;) {
      await sendPlanned(context, journal, adapter, progress, losses);
      const lost = journal.count("unknown");
      if (lost === 0) return;
      listener.reconciling(lost, losses.pendingMilliseconds());
      await losses.wait();
      // Send the last create request now, because a list that contains its resource is up to date.
      if (journal.count("planned") > 0) await sendPlanned(context, journal, adapter, progress, losses);
      await losses.wait();
      await adapter.lookUp();
      journal.step("reconciled");
      progress.recount();
      if (journal.count("planned") === 0) return;
    }
  });
}

export async function awaitLateWrites(
  { clock, signal, listener, settleMilliseconds }: RunContext,
  lost: number,
): Promise<void> {
  listener.reconciling(lost, settleMilliseconds);
  if (settleMilliseconds > 0) await clock.sleep(settleMilliseconds, signal);
}
