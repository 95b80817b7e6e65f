import type { Clock } from "../../base/clock.js";
import type { Turn } from "../../client/types.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import type { Batch, RunAdapter } from "./adapter.js";
import type { Losses } from "./losses.js";
import type { Progress } from "./progress.js";
import type { Queue } from "./queue.js";
import { requeued, type SendRequest } from "./request.js";

export interface Departure {
  batch: Batch;
  turn: Turn;
}

export interface Flight {
  readonly size: number;
  /** Marks requests as sent in the journal, in the same commit as earlier results, then sends them. */
  begin(departures: readonly Departure[]): void;
  end(items: readonly Item[], results: readonly Result[]): void;
  record(): void;
  nextEnd(): Promise<void>;
  /** Waits until no requests are in flight and all results are journaled. */
  landed(): Promise<void>;
}

/** Responses within this time share one commit. */
const recordWithinMilliseconds = 25;

interface FlightParts {
  journal: Journal;
  machineClock: Clock;
  signal: AbortSignal;
  queue: Queue;
  losses: Losses;
  progress: Progress;
  adapter: Pick<RunAdapter, "complete" | "completes">;
  sendRequest: SendRequest;
  /** Maximum number of requests that wait for a response at the same time. */
  width: number;
  /**
   * Returns whether a request may still be sent. Called after the request has waited for the journal to be
   * published.
   */
  maySend(): boolean;
  /** Called if the journal can't be written. No further requests may be sent. */
  stop(cause: unknown): void;
}

/** Limits how many functions run at the same time. Waiting functions start in the order of the calls. */
function createSlots(count: number): { use<T>(work: () => Promise<T>): Promise<T> } {
  let used = 0;
  const waiting: (() => void)[] = [];
  return {
    async use(work) {
      if (used < count) used += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const resume = waiting.shift();
        if (resume === undefined) used -= 1;
        else resume();
      }
    },
  };
}

export function createFlight({
  journal,
  machineClock,
  signal,
  queue,
  losses,
  progress,
  adapter,
  sendRequest,
  width,
  maySend,
  stop,
}: FlightParts): Flight {
  const slots = createSlots(width);
  let size = 0;
  let unrecorded: Result[] = [];
  let isBroken = false;
  let wake = () => {};
  /** @returns false if the journal can't be written */
  const record = (departures: readonly Departure[]): boolean => {
    if (isBroken) return false;
    const results = unrecorded;
    unrecorded = [];
    try {
      journal.record(
        results,
        departures.flatMap(({ batch }) => batch.map(({ number }) => number)),
        machineClock.now(),
      );
      const lost = results.filter(({ state }) => state === "unknown");
      if (lost.length > 0) losses.add(lost.map(({ number }) => number));
    } catch (cause) {
      isBroken = true;
      stop(cause);
    }
    return !isBroken;
  };
  let isTimed = false;
  /** One timer lets responses that arrive together share a commit. */
  const recordSoon = () => {
    isTimed = true;
    const flush = () => {
      isTimed = false;
      record([]);
    };
    machineClock.sleep(recordWithinMilliseconds, signal).then(flush, flush);
  };
  const nextEnd = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  let isWaking = false;
  const returnRequest = ({ batch, turn }: Departure): Result[] => {
    turn.release();
    return requeued(batch);
  };
  const completeResponses = async (batch: Batch, results: readonly Result[]) => {
    for (const [index, { number, state }] of results.entries()) {
      const sent = batch[index];
      if (state !== "done" || sent === undefined || adapter.completes?.(sent) !== true) continue;
      record([]);
      const item = journal.item(number);
      const fields = item && (await adapter.complete?.(item).catch(() => undefined));
      if (fields === undefined || isBroken) continue;
      journal.completeResponse(number, { ...recordOf(item?.answer), ...fields });
    }
  };
  const flight: Flight = {
    get size() {
      return size;
    },
    begin(departures) {
      const isRecorded = record(departures);
      for (const departure of departures) {
        const { batch, turn } = departure;
        if (!isRecorded) {
          turn.release();
          continue;
        }
        size += 1;
        const published = journal.publish();
        const sent =
          published === undefined
            ? sendRequest(batch, turn)
            : published.then(
                () =>
                  slots.use(async () => (maySend() ? sendRequest(batch, turn) : returnRequest(departure))),
                (cause: unknown) => {
                  stop(cause);
                  return returnRequest(departure);
                },
              );
        void sent.then(async (results) => {
          flight.end(batch, results);
          if (batch.some((item) => adapter.completes?.(item) === true))
            await completeResponses(batch, results);
          size -= 1;
          // Wake up once per turn of the event loop, so that results and the next requests share a commit.
          if (isWaking) return;
          isWaking = true;
          setImmediate(() => {
            isWaking = false;
            wake();
          });
        });
      }
    },
    end(items, results) {
      unrecorded.push(...results);
      if (!isTimed) recordSoon();
      for (const [index, item] of items.entries()) queue.release(item, results[index]?.state ?? "unknown");
      progress.ended(results);
    },
    record: () => void record([]),
    nextEnd,
    async landed() {
      while (size > 0) await nextEnd();
      record([]);
    },
  };
  return flight;
}
