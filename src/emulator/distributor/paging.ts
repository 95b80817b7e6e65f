import type { DistributorContext, Page } from "../context.js";
import { decodeCursor, type Position } from "../kernel/cursor.js";
import { refuse } from "./policy.js";

/**
 * Returns undefined if there is no cursor.
 * @throws Refusal VALIDATION_ERROR if the cursor was altered or was issued for another list (D-cursor)
 */
export function parsePosition(
  context: DistributorContext,
  cursor: string | undefined,
  filters: Page["filters"],
): Position | undefined {
  if (cursor === undefined) return undefined;
  const scope = { operation: context.operation, owner: context.distributorId, filters };
  const position = decodeCursor(context.state.cursorHmac, scope, cursor);
  if (!position) {
    throw refuse(
      "VALIDATION_ERROR",
      "D-cursor",
      "the cursor was not issued for this list with these filters; start again without a cursor",
    );
  }
  return position;
}
