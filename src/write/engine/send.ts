import type { Pace } from "../../client/types.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import type { Batch, RunAdapter } from "./adapter.js";
import type { RunContext } from "./context.js";
import { createFlight, type Departure } from "./flight.js";
import type { Losses } from "./losses.js";
import type { Progress } from "./progress.js";
import { createQueue } from "./queue.js";
import { createSendRequest } from "./request.js";

/** Maximum number of requests that wait for a shared journal to be published, as a multiple of `width`. */
const waitingWidths = 2;

/**
 * Sends planned items in input order and journals their results. Requests for the same resource are sent one
 * after another; an unconfirmed request blocks the later ones. The last create waits until no other request
 * can take effect. Once a list contains the created resource, the list also shows all earlier changes.
 * @throws the error that stops the run, after all requests in flight are finished: the signal's reason, or a
 * ClientError that every further request would also get
 */
export async function sendPlanned(
  { writer, breaker, machineClock, signal, width }: RunContext,
  journal: Journal,
  adapter: RunAdapter,
  progress: Progress,
  losses: Losses,
): Promise<void> {
  if (journal.count("planned") === 0) return;
  const causes: unknown[] = [];
  const stop = (cause: unknown) => void causes.push(cause);
  const queue = createQueue(journal, adapter, () => flight.record());
  const { separate } = queue;
  const sendRequest = createSendRequest({ writer, signal, adapter, breaker, journal, separate, stop });
  const flight = createFlight({
    ...{ journal, machineClock, signal, queue, losses, progress, adapter, sendRequest, width, stop },
    maySend: () => causes.length === 0 && !signal.aborted && !breaker.isOpen,
  });
  // Publishing a shared journal can take seconds. Start more requests in the meantime.
  const most = journal.changes !== undefined ? (1 + waitingWidths) * width : width;
  const pace = writer.paced(adapter.paces, { expected: adapter.plannedRequests() });
  const giveBack = (departures: readonly Departure[]) => {
    for (const { batch, turn } of departures) {
      turn.release();
      queue.putBack(batch);
    }
  };
  /** @param taken number of requests that are already scheduled */
  const next = (taken: number): Batch | undefined => {
    // Hold back the last create until no other request can take effect. A list that contains the created
    // resource then also shows the results of requests whose responses were lost.
    const mayProve = () => {
      flight.record();
      return taken + flight.size === 0 && losses.pendingMilliseconds() <= 0;
    };
    for (;;) {
      const batch = queue.next(mayProve);
      const decided = batch?.flatMap((item) => adapter.decided(item, flight.record) ?? []) ?? [];
      if (batch === undefined || decided.length === 0) return batch;
      const isDecided = ({ number }: Item) => decided.some((result) => result.number === number);
      flight.end(batch.filter(isDecided), decided);
      const [first, ...more] = batch.filter((item) => !isDecided(item));
      if (first !== undefined) queue.putBack([first, ...more]);
    }
  };

  while (causes.length === 0 && !signal.aborted) {
    if (breaker.isOpen) {
      await flight.landed();
      // If another process has taken over the run, publishing fails. This process then stops even if the
      // service never responds.
      await Promise.resolve(journal.publish())
        .then(() => breaker.wait())
        .catch(stop);
      continue;
    }
    const capacity = breaker.isTesting || adapter.inOrder ? 1 : most;
    // Send several requests at once, so that they share a commit. Send them separately if the rate limit
    // requires pauses.
    const enough = pace.intervalMilliseconds > 0 ? capacity - 1 : capacity / 2;
    const first = flight.size > enough ? undefined : next(0);
    if (first === undefined) {
      if (flight.size === 0) break;
      await flight.nextEnd();
      continue;
    }
    const { departures, left, error } = await takeTurns(first, next, pace, capacity - flight.size);
    if (error !== undefined) stop(error);
    for (const batch of left.toReversed()) queue.putBack(batch);
    progress.intervalMilliseconds = pace.intervalMilliseconds;
    // The user may have interrupted the run, or a request may have failed during the wait.
    if (causes.length > 0 || signal.aborted || breaker.isOpen) giveBack(departures);
    else flight.begin(departures);
  }
  await flight.landed();
  if (causes.length > 0) throw causes[0];
  // If no items remain, the run is complete despite the interruption.
  if (signal.aborted && journal.count("planned") > 0) throw signal.reason;
}

/** @returns `left`: batches that must wait for the rate limit */
async function takeTurns(
  first: Batch,
  next: (taken: number) => Batch | undefined,
  pace: Pace,
  capacity: number,
): Promise<{ departures: Departure[]; left: readonly Batch[]; error?: unknown }> {
  const departures: Departure[] = [];
  try {
    departures.push({ batch: first, turn: await pace.turn() });
  } catch (error) {
    // The item stays planned in the journal, and the run stops.
    return { departures, left: [], error };
  }
  if (pace.intervalMilliseconds > 0) return { departures, left: [] };
  const batches: Batch[] = [];
  while (departures.length + batches.length < capacity) {
    const batch = next(departures.length + batches.length);
    if (batch === undefined) break;
    batches.push(batch);
  }
  const turns = batches.length === 0 ? [] : pace.burst(batches.length);
  for (const [index, turn] of turns.entries()) {
    const batch = batches[index];
    if (batch !== undefined) departures.push({ batch, turn });
  }
  return { departures, left: batches.slice(turns.length) };
}
