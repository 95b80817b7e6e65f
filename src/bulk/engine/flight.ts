import type { Clock } from "../../base/clock.js";
import type { Turn } from "../../client/types.js";
import type { Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import type { Batch, RunAdapter } from "./adapter.js";
import type { Losses } from "./losses.js";
import type { Progress } from "./progress.js";
import type { Queue } from "./queue.js";
import type { SendRequest } from "./request.js";

/** One request that has its place under the limit. */
export interface Departure {
  batch: Batch;
  turn: Turn;
}

/** The requests that are under way, and the journal of what comes of them. */
export interface Flight {
  readonly size: number;
  /** Journals that they are sent, together with what came of earlier ones, then sends them. */
  begin(departures: readonly Departure[]): void;
  /** These items are through. */
  end(batch: Batch, results: readonly Result[]): void;
  /** Journals what came of requests so far. */
  record(): void;
  nextEnd(): Promise<void>;
  /** Everything under way is through and recorded. */
  landed(): Promise<void>;
}

/** Answers that come together share a commit; none waits longer for it. */
const recordWithinMilliseconds = 25;

interface FlightParts {
  journal: Journal;
  machineClock: Clock;
  signal: AbortSignal;
  queue: Queue;
  losses: Losses;
  progress: Progress;
  adapter: Pick<RunAdapter, "ended" | "complete" | "completes">;
  sendRequest: SendRequest;
  /** The journal can't be written: what is not in it must not be sent. */
  stop(cause: unknown): void;
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
  stop,
}: FlightParts): Flight {
  let size = 0;
  let unrecorded: Result[] = [];
  let isBroken = false;
  let wake = () => {};
  /** @returns false where the journal can't be written */
  const record = (departures: readonly Departure[]): boolean => {
    if (isBroken) return false;
    const results = unrecorded;
    unrecorded = [];
    try {
      journal.record(
        results,
        departures.flatMap(({ batch }) => batch.map(({ number }) => number)),
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
  /** One timer for all: one for each answer would record each soon after the next ones. */
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
  /** Adds what answers don't show. Where that can't be read, they stay as they are. */
  const completeResponses = async (batch: Batch, results: readonly Result[]) => {
    for (const [index, { number, state }] of results.entries()) {
      const sent = batch[index];
      if (state !== "done" || (sent && adapter.completes?.(sent) === false)) continue;
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
      for (const { batch, turn } of departures) {
        if (!isRecorded) {
          turn.release();
          continue;
        }
        size += 1;
        void sendRequest(batch, turn).then(async (results) => {
          flight.end(batch, results);
          if (adapter.complete !== undefined) await completeResponses(batch, results);
          size -= 1;
          // Once for all answers of a turn of the loop: what they make room for goes by one commit, with what came of them.
          if (isWaking) return;
          isWaking = true;
          setImmediate(() => {
            isWaking = false;
            wake();
          });
        });
      }
    },
    end(batch, results) {
      unrecorded.push(...results);
      if (!isTimed) recordSoon();
      if (adapter.ended !== undefined) for (const result of results) adapter.ended(result);
      for (const [index, item] of batch.entries()) queue.release(item, results[index]?.state ?? "unknown");
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
