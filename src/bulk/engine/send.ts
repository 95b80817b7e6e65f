import type { Pace } from "../../client/types.js";
import type { Journal } from "../journal/journal.js";
import type { Batch, RunAdapter } from "./adapter.js";
import type { RunContext } from "./context.js";
import { createFlight, type Departure } from "./flight.js";
import type { Losses } from "./losses.js";
import type { Progress } from "./progress.js";
import { createQueue } from "./queue.js";
import { createSendRequest } from "./request.js";

/**
 * Sends what is planned, in the order of the input, and journals what comes of it: an answer before the next request
 * begins. Items about the same thing go one after the other; one whose outcome is unknown holds back those that follow
 * on the same thing.
 * T5: the last item, and the last create where others follow, is held back until no other is open or may still take
 * effect: sent later, it proves what a list shows.
 * @throws what stops a run, after everything under way is finished and recorded: the signal's reason, or a ClientError
 *   that every further request would meet
 */
export async function sendPlanned(
  { writer, breaker, machineClock, signal, width }: RunContext,
  journal: Journal,
  adapter: RunAdapter,
  progress: Progress,
  losses: Losses,
): Promise<void> {
  const planned = journal.count("planned");
  if (planned === 0) return;
  const causes: unknown[] = [];
  const stop = (cause: unknown) => void causes.push(cause);
  const queue = createQueue(journal, adapter, () => flight.record());
  const { separate } = queue;
  const sendRequest = createSendRequest({ writer, signal, adapter, breaker, separate, stop });
  const flight = createFlight({
    ...{ journal, machineClock, signal, queue, losses, progress, adapter, sendRequest, stop },
  });
  const pace = writer.paced(adapter.paces, { expected: adapter.plannedRequests?.() ?? planned });
  const giveBack = (departures: readonly Departure[]) => {
    for (const { batch, turn } of departures) {
      turn.release();
      queue.putBack(batch);
    }
  };
  /**
   * The next items that need a request.
   * @param taken requests that are about to be sent
   */
  const next = (taken: number): Batch | undefined => {
    // Whether one of the others is lost is known only when they are all answered.
    const mayProve = () => {
      flight.record();
      return taken + flight.size === 0 && losses.pendingMilliseconds() <= 0;
    };
    for (;;) {
      const batch = queue.next(mayProve);
      const decided = batch?.flatMap((item) => adapter.decided?.(item, flight.record) ?? []) ?? [];
      if (batch === undefined || decided.length === 0) return batch;
      flight.end(batch, decided);
    }
  };

  while (causes.length === 0 && !signal.aborted) {
    if (breaker.isOpen) {
      await flight.landed();
      await breaker.wait().catch(stop);
      continue;
    }
    const room = breaker.isTesting || adapter.inOrder ? 1 : width;
    // Refilled in batches, so that many share one commit; spaced ones go one by one, however long the answers take.
    const enough = pace.intervalMilliseconds > 0 ? room - 1 : room / 2;
    const first = flight.size > enough ? undefined : next(0);
    if (first === undefined) {
      if (flight.size === 0) break;
      await flight.nextEnd();
      continue;
    }
    const { departures, error } = await takeTurns(first, next, pace, room - flight.size);
    if (error !== undefined) stop(error);
    progress.intervalMilliseconds = pace.intervalMilliseconds;
    // Something may have gone wrong, or been interrupted, during the wait.
    if (causes.length > 0 || signal.aborted || breaker.isOpen) giveBack(departures);
    else flight.begin(departures);
  }
  await flight.landed();
  if (causes.length > 0) throw causes[0];
  // Nothing was left to do when it was interrupted: there is nothing to go on with.
  if (signal.aborted && journal.count("planned") > 0) throw signal.reason;
}

/** Turns for as many requests as may go at once; at least for the first. */
async function takeTurns(
  first: Batch,
  next: (taken: number) => Batch | undefined,
  pace: Pace,
  room: number,
): Promise<{ departures: Departure[]; error: unknown }> {
  const departures: Departure[] = [];
  let batch: Batch | undefined = first;
  while (batch !== undefined) {
    try {
      departures.push({ batch, turn: await pace.turn() });
    } catch (error) {
      // The journal has it planned still, and the run stops.
      return { departures, error };
    }
    batch = pace.intervalMilliseconds === 0 && departures.length < room ? next(departures.length) : undefined;
  }
  return { departures, error: undefined };
}
