import type { Row } from "../../base/database.js";
import type { Context, Page } from "../context.js";
import { invalid } from "../refusal.js";
import { decodeCursor, type Position } from "./cursor.js";

/**
 * In characters. A page that reaches this length ends before its `limit`, with `has_more` set to true,
 * because a longer page would delay other requests (D-page).
 */
export const longestPage = 512 * 1024;

/** Adds rows to the page. Returns whether more rows fit. */
export function fillPage(page: Row[], rows: Iterable<Row>): boolean {
  let size = page.reduce((sum, row) => sum + sizeOf(row), 0);
  if (size > longestPage) return false;
  for (const row of rows) {
    page.push(row);
    size += sizeOf(row);
    if (size > longestPage) return false;
  }
  return true;
}

function sizeOf(row: Row): number {
  let size = 0;
  for (const value of Object.values(row))
    if (typeof value === "string" || value instanceof Uint8Array) size += value.length;
  return size;
}

/** @param rows up to `limit + 1` rows, of which the page contains the first `limit` */
export function toPage<T>(
  rows: T[],
  limit: number,
  filters: Page["filters"],
  positionAfter: (last: T) => Position,
): Page<T> & { rows: T[] } {
  const shown = rows.length > limit ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  return {
    rows: shown,
    next: rows.length > limit && last !== undefined ? positionAfter(last) : null,
    filters,
  };
}

/**
 * Returns undefined if there is no cursor.
 * @throws Refusal validation_failed if the cursor was altered or was issued for another list
 * (public.general.9b)
 */
export function parsePosition(
  context: Context,
  cursor: string | undefined,
  owner: string,
  filters: Page["filters"],
): Position | undefined {
  if (cursor === undefined) return undefined;
  const position = decodeCursor(
    context.state.cursorHmac,
    { operation: context.operation, owner, filters },
    cursor,
  );
  if (!position) {
    throw invalid("public.general.9b", [
      {
        path: ["cursor"],
        message: "was not issued for this list with these filters; start again without a cursor",
      },
    ]);
  }
  return position;
}
