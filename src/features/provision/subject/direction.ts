import type { ClientError } from "../../../client/errors.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { Item, Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import type { PlannedStep } from "../../../write/plan/planned-steps.js";
import type { Inventory } from "../inventory.js";

/** How a run of organizations and its undo differ. */
export interface Direction {
  /** Returns whether to read the current state right before an item is sent. */
  isRead(item: Item, planned: PlannedStep): boolean;
  /** Returns the result of an item that is already done, impossible or not allowed; undefined to send the item. */
  judge(item: Item, inventory: Inventory, journal: Journal): Result | undefined;
  /** Returns the result of an item that needs an item that was not done; undefined if all needed items were done. */
  missing(journal: Journal, item: Item, requires: readonly number[]): Result | undefined;
  /** Converts a refusal to the result of its item. */
  refused(context: RunContext, item: Item, error: ClientError): Promise<Result>;
  /** Whether the planned items are compared with the current state before the first write. */
  isComparedAgain: boolean;
}
