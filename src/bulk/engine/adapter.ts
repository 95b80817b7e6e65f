import type { ClientError } from "../../client/errors.js";
import type { CallInput } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { Fields } from "../fields.js";
import type { Item, Result } from "../journal/item.js";

/** Items that one request is about; almost always one. */
export type Batch = readonly [Item, ...Item[]];

/** The differences between types of runs: how items are sent, and how a lost one is looked up. */
export interface RunAdapter {
  /** An operation of the bucket that all of the run's writes share. */
  readonly paces: OperationName;
  /** An item goes only when all before it are through. */
  readonly inOrder?: boolean;
  /** Lost items are judged by lists, which a thing that is made later has to prove. */
  readonly keepsCanary?: boolean;
  /** How many requests are planned, where several items share one. */
  plannedRequests?(): number;
  request(batch: Batch): { operation: OperationName; input: CallInput };
  /** Reads an answer as the result of an item. */
  toResult(item: Item, data: unknown): Result;
  /**
   * Judges the service's refusal of an item.
   * @throws what every further request would meet as well: the run stops
   */
  refused(item: Item, error: ClientError): Result | Promise<Result>;
  /** Planned items with the same key go by one request; where that is refused, one by one. */
  batchKey?(item: Item): string | undefined;
  /**
   * Numbers of the items that have to be through before this one.
   * @param settle journals what came of requests so far: for whoever asks the journal for it
   */
  needs?(item: Item, settle: () => void): readonly number[];
  /**
   * The result of an item without a request of its own, once those that it needs are through.
   * @param settle as for `needs`
   */
  decided?(item: Item, settle: () => void): Result | undefined;
  /**
   * Reads, just before a request is sent, whether it is still wanted.
   * @returns what became of the item where it is not; the item as it is sent after all; undefined: as it is
   */
  prepare?(item: Item): Promise<Result | Item | undefined>;
  /** Told of what came of an item by a request, or without one, before it is asked about the next. */
  ended?(result: Result): void;
  /**
   * Reads fields of a written thing that answers don't show, once the write is journaled; undefined where it is gone.
   */
  complete?(item: Item): Promise<Fields | undefined>;
  /** Has an item's answer to be completed at all? Default: each has. */
  completes?(item: Item): boolean;
  /**
   * Finds out by reading what became of the items whose answers were lost, once none of these requests can still
   * arrive.
   * @throws when that can't be read; what is unknown stays so
   */
  lookUp(): Promise<void>;
  /** Compares what is still to be sent with what is there, right before the first write (T21). */
  compareAgain?(): Promise<void>;
}
