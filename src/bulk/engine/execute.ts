import type { Clock } from "../../base/clock.js";
import { ClientError } from "../../client/errors.js";
import type { CallInput, Client, Pace, Turn } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { judgeFailure } from "./failure.js";
import { createPatience } from "./patience.js";
import { createQueue, type Queue } from "./queue.js";

/** What the engine needs to know of a kind of run. */
export interface Work {
  /** An operation of the bucket that all of the run's writes share. */
  readonly paces: OperationName;
  request(item: Item): { operation: OperationName; input: CallInput };
  /** The id of what a request made or changed, from its answer's data. */
  targetOf(item: Item, data: unknown): string | undefined;
  /** Looks, just before a request is sent, whether it is still wanted: what became of the item where it is not. */
  outdated?(item: Item): Promise<Result | undefined>;
  /** Does this failure concern one item (rejected), or would every further one meet it (the run stops)? */
  rejects(item: Item, error: ClientError): boolean;
}

interface Progress {
  /** Requests whose answer is known. */
  settled(result: Result): void;
  /** Distance of two requests as the limit allows it now; 0: at once. */
  pace(intervalMilliseconds: number): void;
  /** Failures in a row: nothing is sent for so long. */
  pausing(milliseconds: number, cause: ClientError): void;
}

export interface ExecuteOptions {
  journal: Journal;
  work: Work;
  client: Client;
  clock: Clock;
  /** Nothing is begun after it is aborted; what is under way is finished. */
  signal: AbortSignal;
  /** Requests in flight at most. */
  width: number;
  progress: Progress;
}

/**
 * Sends what is planned, in the order of the input, and journals what comes of it. Items about the same thing go one
 * after the other; one whose outcome is unknown holds back those that follow on the same thing.
 * @throws what stops a run, after everything under way is finished and recorded: the signal's reason, or a ClientError
 *   that every further request would meet
 */
export async function execute(options: ExecuteOptions): Promise<void> {
  const { journal, work, client, signal, width, progress } = options;
  const expected = journal.count("planned");
  if (expected === 0) return;
  const pace = client.paced(work.paces, { expected });
  const queue = createQueue(journal);
  const patience = createPatience({ clock: options.clock, signal, onPause: progress.pausing });
  const inFlight = new Map<number, Promise<void>>();
  let results: Result[] = [];
  let stopped: { cause: unknown } | undefined;

  const finish = (item: Item, result: Result) => {
    results.push(result);
    inFlight.delete(item.number);
    queue.release(item, result.state);
    progress.settled(result);
    // Between two spaced requests there is time, and what is recorded need not be looked up.
    if (pace.intervalMilliseconds > 0) record([]);
  };
  const record = (sending: readonly Item[]) => {
    const recorded = results;
    results = [];
    journal.record(
      recorded,
      sending.map((item) => item.number),
    );
  };

  const request = async (item: Item, turn: Turn): Promise<Result> => {
    const { operation, input } = work.request(item);
    try {
      const outdated = await work.outdated?.(item);
      if (outdated) {
        turn.release();
        return outdated;
      }
      const answer = await client.call(operation, input, { turn });
      patience.succeeded();
      const target = work.targetOf(item, answer.data);
      // Without an id it can't be told apart from what others made.
      return target === undefined
        ? { number: item.number, state: "unknown", detail: { reason: "the answer holds no id" } }
        : { number: item.number, state: "done", target };
    } catch (error) {
      const { result, stops } = judgeFailure(item, error, work, signal);
      turn.release();
      if (stops) stopped ??= { cause: error };
      else if (error instanceof ClientError) patience.failed(error);
      return result;
    }
  };
  const send = async (item: Item, turn: Turn) => {
    try {
      finish(item, await request(item, turn));
    } catch (cause) {
      // The journal can't be written: what is not in it must not be sent.
      stopped ??= { cause };
      inFlight.delete(item.number);
    }
  };

  while (!stopped && !signal.aborted) {
    if (patience.pauseMilliseconds > 0) {
      await Promise.all(inFlight.values());
      record([]);
      try {
        await patience.wait();
      } catch (cause) {
        stopped ??= { cause };
      }
      continue;
    }
    const room = patience.anxious ? 1 : width;
    // Refilled in batches, so that many share one commit; spaced ones go one by one, however long the answers take.
    const enough = pace.intervalMilliseconds > 0 ? room - 1 : room / 2;
    if (inFlight.size > enough) {
      await Promise.race(inFlight.values());
      continue;
    }
    const first = queue.next();
    if (first === undefined) {
      if (inFlight.size === 0) break;
      await Promise.race(inFlight.values());
      continue;
    }
    let batch: { item: Item; turn: Turn }[];
    try {
      batch = await takeTurns(first, queue, pace, room - inFlight.size);
    } catch (error) {
      queue.putBack(first);
      stopped ??= { cause: error };
      break;
    }
    progress.pace(pace.intervalMilliseconds);
    // Something may have gone wrong, or been interrupted, during the wait.
    if (stopped || signal.aborted || patience.pauseMilliseconds > 0) {
      for (const { item, turn } of batch) {
        turn.release();
        queue.putBack(item);
      }
      continue;
    }
    record(batch.map(({ item }) => item));
    for (const { item, turn } of batch) inFlight.set(item.number, send(item, turn));
  }
  await Promise.all(inFlight.values());
  record([]);
  if (stopped) throw stopped.cause;
  // Nothing was left to do when it was interrupted: there is nothing to go on with.
  if (signal.aborted && journal.count("planned") > 0) throw signal.reason;
}

/** Turns for as many items as may go at once; at least for the first. */
async function takeTurns(
  first: Item,
  queue: Queue,
  pace: Pace,
  room: number,
): Promise<{ item: Item; turn: Turn }[]> {
  const batch = [{ item: first, turn: await pace.turn() }];
  while (pace.intervalMilliseconds === 0 && batch.length < room) {
    const item = queue.next();
    if (item === undefined) break;
    try {
      batch.push({ item, turn: await pace.turn() });
    } catch (error) {
      queue.putBack(item);
      for (const taken of batch) {
        taken.turn.release();
        if (taken.item !== first) queue.putBack(taken.item);
      }
      throw error;
    }
  }
  return batch;
}
