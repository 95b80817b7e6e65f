import type { ClientError } from "../../client/errors.js";
import type { CallInput } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { Fields } from "../fields.js";
import type { Item, Result } from "../journal/item.js";

/** Items of one request; almost always a single one. */
export type Batch = readonly [Item, ...Item[]];

/** Converts the items of a run to requests, and responses to results. */
export interface RunAdapter {
  /** An operation of the rate-limit bucket that all writes of the run share. */
  readonly paces: OperationName;
  /** Whether an item is sent only after all earlier items are finished. */
  readonly inOrder: boolean;
  /** Whether an item is held back and created last, to prove that the lists which resolve lost items are up to date. */
  readonly keepsCanary: boolean;
  /** Returns the number of planned requests, of which several items may share one. */
  plannedRequests(): number;
  request(batch: Batch): { operation: OperationName; input: CallInput };
  /** Converts response data to the result of an item. */
  toResult(item: Item, data: unknown): Result;
  /**
   * Returns the result of an item that the service rejected.
   * @throws an error that would also affect every further request, which stops the run
   */
  refused(item: Item, error: ClientError): Promise<Result>;
  /**
   * Returns a key; planned items with the same key share one request. If the service rejects the request, the items are
   * sent one by one.
   */
  batchKey?(item: Item): string | undefined;
  /**
   * Returns the numbers of the items that must be finished before this one.
   * @param settle writes the results so far to the journal, for implementations that query it
   */
  needs(item: Item, settle: () => void): readonly number[];
  /**
   * Returns the result of an item without its own request, after the items that it needs are finished.
   * @param settle see `needs`
   */
  decided(item: Item, settle: () => void): Result | undefined;
  /**
   * Checks right before a request is sent whether it is still required.
   * @returns the result of the item if no request is required; a changed item to send instead; undefined to send the
   *   item unchanged
   */
  prepare(item: Item): Promise<Result | Item | undefined> | undefined;
  /**
   * Reads fields of a written resource that responses to writes don't contain. Called after the write is journaled.
   * Returns undefined if the resource was deleted.
   */
  complete?(item: Item): Promise<Fields | undefined>;
  /** Returns whether the response of an item must be completed. */
  completes?(item: Item): boolean;
  /**
   * Determines the results of items whose responses were lost. Called when none of these requests can still take
   * effect.
   * @throws an error if the results can't be read; the items then stay unconfirmed
   */
  lookUp(): Promise<void>;
  /** Compares the remaining items of a resumed run with the current state, right before the first write. */
  compareAgain?(): Promise<void>;
}
