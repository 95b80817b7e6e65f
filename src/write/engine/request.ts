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
  /** Called with an error that every further request would also get. */
  stop(cause: unknown): void;
}

/**
 * Sends a batch's request and returns each item's result. Never throws: calls `stop` with an error that stops the run.
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
  /** Puts back items whose current state could not be read. */
  const unread = (batch: readonly Item[], error: unknown): Result[] => {
    if (error instanceof ClientError && judgeFailure(error, signal) === "unavailable") breaker.failed(error);
    else stop(error);
    return requeued(batch);
  };

  /** Returns the result of a refused item. If several items share the refused request, separates them. */
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

  /**
   * Returns the results of items that could not be prepared. An item whose read was refused fails without
   * being sent.
   */
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
        // Keep the item's existing detail, from which a later undo learns what was already undone.
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

  /** Resolves to true if the request may be sent. If not, the request certainly has no effect. */
  const isConfirmed = (confirmed: Promise<void>): Promise<boolean> =>
    confirmed.then(
      () => true,
      (cause: unknown) => {
        stop(cause);
        return false;
      },
    );

  // Check again right before the first byte, because the process may have been suspended since the confirmation.
  const mayStart = () => journal.isSafe();
  return async (batch, turn) => {
    const decided: Result[] = [];
    /**
     * The items of the batch's request; undefined while the items are prepared, when an error can only come
     * from a read.
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

/** Sorts results into the order of the batch's items. If an item has two results, keeps only the second one. */
function inOrder(batch: Batch, results: readonly Result[]): Result[] {
  const byNumber = new Map(results.map((result) => [result.number, result]));
  return batch.flatMap(({ number }) => byNumber.get(number) ?? []);
}

/** Returns whether `prepare` returned a changed item instead of a result. */
export function isItem(prepared: Item | Result): prepared is Item {
  return "attempts" in prepared;
}

/** Returns the results of items whose request certainly had no effect and can be sent again. */
export function requeued(batch: readonly Item[]): Result[] {
  return batch.map(({ number }) => ({ number, state: "planned" }));
}
