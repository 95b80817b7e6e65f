import type { ClientError } from "../../client/errors.js";
import type { CallInput } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { Fields } from "../fields.js";
import type { Item, Result } from "../journal/item.js";

/** Items of one request; almost always a single one. */
export type Batch = readonly [Item, ...Item[]];

/** Converts the items of a run to requests, and responses to results. */
export interface RunAdapter {
  /** An operation in the bucket that all writes of the run share. */
  readonly paces: OperationName;
  /** An item is sent only after all earlier items are finished. */
  readonly inOrder: boolean;
  /** Lists resolve lost items, so an item created later must prove that a list is up to date. */
  readonly keepsCanary: boolean;
  /** Returns the number of planned requests, of which several items may share one. */
  plannedRequests(): number;
  request(batch: Batch): { operation: OperationName; input: CallInput };
  /** Converts response data to the result of an item. */
  toResult(item: Item, data: unknown): Result;
  /**
   * Decides the result of an item that the service refused.
   * @throws an error that would also affect every further request: the run stops
   */
  refused(item: Item, error: ClientError): Promise<Result>;
  /**
   * Planned items with the same key share one request. If the service refuses it, they are sent one by one.
   */
  batchKey?(item: Item): string | undefined;
  /**
   * Numbers of the items that must be finished before this one.
   * @param settle journals the results so far, for callers that query the journal for them
   */
  needs(item: Item, settle: () => void): readonly number[];
  /**
   * Returns the result of an item without its own request, when the items that it needs are finished.
   * @param settle see `needs`
   */
  decided(item: Item, settle: () => void): Result | undefined;
  /**
   * Checks, right before a request is sent, whether it is still required.
   * @returns the result of the item if it is not; a changed item to send instead; undefined to send it
   * unchanged
   */
  prepare(item: Item): Promise<Result | Item | undefined> | undefined;
  /**
   * Reads fields of a written item that responses don't contain, after the write is journaled; undefined if
   * the item was deleted.
   */
  complete?(item: Item): Promise<Fields | undefined>;
  /** Returns whether the response of an item must be completed. */
  completes?(item: Item): boolean;
  /**
   * Reads the results of the items whose responses were lost, when none of these requests can still arrive.
   * @throws if the results can't be read; the items stay unconfirmed
   */
  lookUp(): Promise<void>;
  /** Compares the remaining items of a resumed run with the current state, right before the first write. */
  compareAgain?(): Promise<void>;
}
