import type { ClientError } from "../../../client/errors.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { Item, Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import type { PlannedStep } from "../../../write/plan/planned-steps.js";
import type { Inventory } from "../inventory.js";

/** The differences between a run of organizations and its undo. */
export interface Direction {
  /** Returns whether the current state is read right before an item is sent. */
  isRead(item: Item, planned: PlannedStep): boolean;
  /** Returns the result of an item that is made already, impossible or not allowed; undefined to send it. */
  judge(item: Item, inventory: Inventory, journal: Journal): Result | undefined;
  /** Returns the result of an item of which a needed item came to nothing. */
  missing(journal: Journal, item: Item, requires: readonly number[]): Result | undefined;
  /** Reads a refusal as the result of its item. */
  refused(context: RunContext, item: Item, error: ClientError): Promise<Result>;
  /** Whether the planned items are compared with the current state before the first write (T21). */
  isComparedAgain: boolean;
}
