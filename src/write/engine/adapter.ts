import type { ClientError } from "../../client/errors.js";
import type { CallInput } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { Fields } from "../fields.js";
import type { Item, Result } from "../journal/item.js";

/** Items that share one request; almost always a single item. */
export type Batch = readonly [Item, ...Item[]];

/** Converts the items of a run to requests, and responses to results. */
export interface RunAdapter {
  /** An operation with the rate limit that applies to all writes of the run. */
  readonly paces: OperationName;
  readonly inOrder: boolean;
  /**
   * Whether to send the last create only when all other requests have ended. Once a list contains the created
   * resource, the list is up to date and shows which requests without a response took effect.
   */
  readonly keepsCanary: boolean;
  /** Returns the number of planned requests. Several items may share one. */
  plannedRequests(): number;
  request(batch: Batch): { operation: OperationName; input: CallInput };
  toResult(item: Item, data: unknown): Result;
  /**
   * Returns the result for an item that the service rejected.
   * @throws an error that every further request would also get, so that the run stops
   */
  refused(item: Item, error: ClientError): Promise<Result>;
  /**
   * Returns the key of an item's request. Planned items with the same key share one request. If the service rejects it, they are sent one
   * by one.
   */
  batchKey?(item: Item): string | undefined;
  /**
   * Returns the numbers of the items that must be finished before this one.
   * @param settle writes all results so far to the journal; must be called before the journal is queried for
   *   results
   */
  needs(item: Item, settle: () => void): readonly number[];
  /**
   * Returns the result of an item that needs no request. Called after the items in `needs` are finished.
   * @param settle see `needs`
   */
  decided(item: Item, settle: () => void): Result | undefined;
  /**
   * Checks, right before a request is sent, whether it is still required.
   * @returns the item's result if no request is required; a changed item to send instead; undefined to send the item
   *   unchanged
   */
  prepare(item: Item): Promise<Result | Item | undefined> | undefined;
  /**
   * Reads the fields that are missing from responses to writes. Called after the write is journaled. Returns undefined if the resource was
   * deleted.
   */
  complete?(item: Item): Promise<Fields | undefined>;
  /** Returns whether `complete` must be called for an item. */
  completes?(item: Item): boolean;
  /**
   * Determines the results of items whose responses were lost. Called when none of these requests can still take
   * effect.
   * @throws an error if the results can't be read; the items then stay unconfirmed
   */
  lookUp(): Promise<void>;
  /** Compares the remaining items of a resumed run with the current state. Called right before the first write. */
  compareAgain?(): Promise<void>;
}
