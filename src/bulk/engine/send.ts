import type { Pace } from "../../client/types.js";
import type { Journal } from "../journal/journal.js";
import type { Batch, RunAdapter } from "./adapter.js";
import { createCircuitBreaker } from "./circuit-breaker.js";
import type { RunContext } from "./context.js";
import { createFlight, type Departure } from "./flight.js";
import type { Progress } from "./progress.js";
import { createQueue } from "./queue.js";
import { createSendRequest } from "./request.js";

/**
 * Sends what is planned, in the order of the input, and journals what comes of it: an answer before the next request
 * begins. Items about the same thing go one after the other; one whose outcome is unknown holds back those that follow
 * on the same thing.
 * @throws what stops a run, after everything under way is finished and recorded: the signal's reason, or a ClientError
 *   that every further request would meet
 */
export async function sendPlanned(
  { client, clock, machineClock, signal, width, listener }: RunContext,
  journal: Journal,
  adapter: RunAdapter,
  progress: Progress,
): Promise<void> {
  const planned = journal.count("planned");
  if (planned === 0) return;
  const causes: unknown[] = [];
  const stop = (cause: unknown) => void causes.push(cause);
  const queue = createQueue(journal, adapter);
  const breaker = createCircuitBreaker({ clock, signal, onPause: listener.pausing });
  const { separate } = queue;
  const sendRequest = createSendRequest({ client, signal, adapter, breaker, separate, stop });
  const flight = createFlight({ journal, machineClock, signal, queue, progress, sendRequest, stop });
  const pace = client.paced(adapter.paces, { expected: adapter.plannedRequests?.() ?? planned });
  const giveBack = (departures: readonly Departure[]) => {
    for (const { batch, turn } of departures) {
      turn.release();
      queue.putBack(batch);
    }
  };
  /** The next items that need a request. */
  const next = (): Batch | undefined => {
    for (;;) {
      // What an item needs is looked up in the journal.
      if (adapter.needs !== undefined) flight.record();
      const batch = queue.next();
      const decided = batch?.flatMap((item) => adapter.decided?.(item) ?? []) ?? [];
      if (batch === undefined || decided.length === 0) return batch;
      flight.end(batch, decided);
    }
  };

  while (causes.length === 0 && !signal.aborted) {
    if (breaker.pauseMilliseconds > 0) {
      await flight.landed();
      await breaker.wait().catch(stop);
      continue;
    }
    const room = breaker.isTesting ? 1 : (adapter.width ?? width);
    // Refilled in batches, so that many share one commit; spaced ones go one by one, however long the answers take.
    const enough = pace.intervalMilliseconds > 0 ? room - 1 : room / 2;
    const first = flight.size > enough ? undefined : next();
    if (first === undefined) {
      if (flight.size === 0) break;
      await flight.nextEnd();
      continue;
    }
    const { departures, error } = await takeTurns(first, next, pace, room - flight.size);
    if (error !== undefined) stop(error);
    progress.pace(pace.intervalMilliseconds);
    // Something may have gone wrong, or been interrupted, during the wait.
    if (causes.length > 0 || signal.aborted || breaker.pauseMilliseconds > 0) giveBack(departures);
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
  next: () => Batch | undefined,
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
    batch = pace.intervalMilliseconds === 0 && departures.length < room ? next() : undefined;
  }
  return { departures, error: undefined };
}
