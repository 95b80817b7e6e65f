import { ClientError } from "../../client/errors.js";
import type { Turn } from "../../client/types.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import type { Batch, RunAdapter } from "./adapter.js";
import type { CircuitBreaker } from "./circuit-breaker.js";
import type { RunContext } from "./context.js";
import { failedResult, failureDetail, judgeFailure } from "./judgement.js";

interface RequestParts {
  writer: RunContext["writer"];
  signal: AbortSignal;
  adapter: RunAdapter;
  breaker: CircuitBreaker;
  journal: Pick<Journal, "confirm" | "isSafe">;
  separate(batch: readonly Item[]): void;
  /** Called with an error that every further request would get. */
  stop(cause: unknown): void;
}

/**
 * Sends a batch's request and returns a result for each item. Never throws: if the run must stop, calls
 * `stop`.
 */
export type SendRequest = (batch: Batch, turn: Turn) => Promise<Result[]>;

export function createSendRequest({
  writer,
  signal,
  adapter,
  breaker,
  journal,
  separate,
  stop,
}: RequestParts): SendRequest {
  const unread = (batch: readonly Item[], error: unknown): Result[] => {
    if (error instanceof ClientError && judgeFailure(error, signal) === "unavailable") breaker.failed(error);
    else stop(error);
    return requeued(batch);
  };

  /**
   * Returns the result of a refused item. If several items share the request, separates them so that they are
   * sent again one by one.
   */
  const refused = async (
    batch: readonly Item[],
    toResult: (item: Item) => Result | Promise<Result>,
  ): Promise<Result[]> => {
    const [item, ...moreItems] = batch;
    if (item === undefined || moreItems.length > 0) {
      separate(batch);
      return requeued(batch);
    }
    return [await toResult(item)];
  };

  /** An item whose read was refused fails without being sent. */
  const unprepared = async (batch: readonly Item[], error: unknown): Promise<Result[]> =>
    error instanceof ClientError && judgeFailure(error, signal) === "refused"
      ? refused(batch, (item) => failedResult(item, error))
      : unread(batch, error);

  const failed = async (batch: readonly Item[], error: unknown): Promise<Result[]> => {
    const judgement = judgeFailure(error, signal);
    if (error instanceof ClientError && judgement !== "stops") breaker.failed(error);
    else stop(error);
    switch (judgement) {
      case "lost": {
        const detail = error instanceof ClientError ? failureDetail(error) : { reason: String(error) };
        // Keep the existing detail. A later undo needs it to know what was already undone.
        return batch.map(({ number, detail: known }) => ({
          number,
          state: "unknown",
          detail: { ...recordOf(known), ...detail },
        }));
      }
      case "refused":
        if (!(error instanceof ClientError)) break;
        return refused(batch, (item) => adapter.refused(item, error)).catch((cause: unknown) =>
          unread(batch, cause),
        );
    }
    return requeued(batch);
  };

  /** Returns whether the request may be sent. If not, stops the run. */
  const isConfirmed = (confirmed: Promise<void>): Promise<boolean> =>
    confirmed.then(
      () => true,
      (cause: unknown) => {
        stop(cause);
        return false;
      },
    );

  // The process may have been suspended since `confirm` checked the lease, so check again.
  const mayStart = () => journal.isSafe();
  return async (batch, turn) => {
    const decided: Result[] = [];
    /**
     * Items of the current request. Undefined while the items are prepared; an error then comes from a read.
     */
    let open: readonly Item[] | undefined;
    try {
      const prepared = new Map<Item, Item>();
      for (const item of batch) {
        const changed = await adapter.prepare(item);
        if (changed === undefined || isItem(changed)) prepared.set(item, changed ?? item);
        else decided.push(changed);
      }
      open = [...prepared.keys()];
      const [first, ...more] = prepared.values();
      if (first === undefined) return decided;
      const confirmed = journal.confirm();
      if (confirmed !== undefined && !(await isConfirmed(confirmed)))
        return inOrder(batch, [...decided, ...requeued(open)]);
      const { operation, input } = adapter.request([first, ...more]);
      const { data } = await writer.call(operation, input, { turn, mayStart });
      breaker.succeeded();
      const sent = open.map((item) => adapter.toResult(item, data));
      return decided.length === 0 ? sent : inOrder(batch, [...decided, ...sent]);
    } catch (error) {
      if (open === undefined) return unprepared(batch, error);
      return inOrder(batch, [...decided, ...(await failed(open, error))]);
    } finally {
      turn.release();
    }
  };
}

/** Of two results for an item, keeps the second. */
function inOrder(batch: Batch, results: readonly Result[]): Result[] {
  const byNumber = new Map(results.map((result) => [result.number, result]));
  return batch.flatMap(({ number }) => byNumber.get(number) ?? []);
}

export function isItem(prepared: Item | Result): prepared is Item {
  return "attempts" in prepared;
}

/** Returns the results for a request that certainly had no effect. The items can be sent again. */
export function requeued(batch: readonly Item[]): Result[] {
  return batch.map(({ number }) => ({ number, state: "planned" }));
}
