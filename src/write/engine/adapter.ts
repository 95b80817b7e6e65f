import type { ClientError } from "../../client/errors.js";
import type { CallInput } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { Fields } from "../fields.js";
import type { Item, Result } from "../journal/item.js";

export type Batch = readonly [Item, ...Item[]];

export interface RunAdapter {
  /** Operation whose rate limit applies to all writes of the run. */
  readonly paces: OperationName;
  readonly inOrder: boolean;
  /**
   * Whether to send the last create request only after all other requests. If a list then contains the
   * created resource, the list is up to date.
   */
  readonly keepsCanary: boolean;
  /** Returns the number of requests for the planned items. Several items may share one request. */
  plannedRequests(): number;
  request(batch: Batch): { operation: OperationName; input: CallInput };
  toResult(item: Item, data: unknown): Result;
  /** @throws an error that every further request would also get */
  refused(item: Item, error: ClientError): Promise<Result>;
  /**
   * Returns the key of an item's request. Planned items with the same key share one request. If the service
   * rejects the request, each item is sent separately.
   */
  batchKey?(item: Item): string | undefined;
  /**
   * Returns the numbers of the items that must be finished before this item.
   * @param settle writes all results to the journal; must be called before a query for results
   */
  needs(item: Item, settle: () => void): readonly number[];
  /**
   * Returns a result if the item needs no request. Called after the items in `needs` are finished.
   * @param settle see `needs`
   */
  decided(item: Item, settle: () => void): Result | undefined;
  /**
   * Checks whether a request is still required, right before it is sent.
   * @returns the result if no request is required; a changed item to send instead; undefined to send the item
   *   unchanged
   */
  prepare(item: Item): Promise<Result | Item | undefined> | undefined;
  /**
   * Reads fields that responses to writes omit. Called after the write is journaled. Returns undefined if the
   * resource was deleted.
   */
  complete?(item: Item): Promise<Fields | undefined>;
  completes?(item: Item): boolean;
  /**
   * Determines the results of items whose responses were lost. Called when their requests can no longer take
   * effect.
   * @throws an error if the results can't be read; the items then stay unconfirmed
   */
  lookUp(): Promise<void>;
  /** Compares a resumed run's remaining items with the current state. Called before the first write. */
  compareAgain?(): Promise<void>;
}
