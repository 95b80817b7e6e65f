import { createHash } from "node:crypto";
import type { Behavior } from "./behavior.js";
import { createInvalid, type Fields, Refusal } from "./exchange.js";
import type { Row, Setting } from "./service-state.js";

export interface Page {
  rows: { row: Row; fields: Fields }[];
  next: string | undefined;
  total: number;
  /** Number of the page, from 1, and the number of pages. */
  page: number;
  pages: number;
}

interface PageRequest {
  limit: string | null;
  cursor: string | null;
}

/** Returns the rows that a list shows. A lagging list shows an earlier state. */
export function listVisible(rows: readonly Row[], { behavior, now, lagMilliseconds }: Setting): Page["rows"] {
  const lag = (does: boolean) => now() - (does ? lagMilliseconds : 0);
  const visible = rows.flatMap((row) => {
    if (row.createdAt > lag(behavior.lagsAfterCreate)) return [];
    if (row.deletedAt !== undefined && row.deletedAt <= lag(behavior.lagsAfterDelete)) return [];
    const known =
      row.versions.filter(({ at }) => at <= lag(behavior.lagsAfterUpdate)).at(-1) ?? row.versions[0];
    return [{ row, fields: known?.fields ?? {} }];
  });
  return sortRows(visible, behavior.order);
}

function sortRows(rows: Page["rows"], order: Behavior["order"]): Page["rows"] {
  const hashOf = ({ row }: { row: Row }) => createHash("sha256").update(`place ${row.id}`).digest("hex");
  return rows.sort((left, right) => {
    if (order === "oldest first") return left.row.number - right.row.number;
    if (order === "newest first") return right.row.number - left.row.number;
    return hashOf(left) < hashOf(right) ? -1 : 1;
  });
}

/**
 * Returns a page of a list (public.general.9). A cursor is a position, or identifies the row after which the
 * page starts.
 * @throws Refusal 400 for a limit that this deployment does not accept
 */
export function toPage(all: Page["rows"], { limit, cursor }: PageRequest, behavior: Behavior): Page {
  const requestedSize = limitOf(limit, behavior);
  const size = Math.min(requestedSize, behavior.rowsPerPage);
  const start = cursor === null ? 0 : findStart(all, cursor, behavior);
  if (behavior.emptyPages && cursor !== null && !cursor.startsWith("e") && start < all.length) {
    return { rows: [], next: `e${cursor}`, total: all.length, page: 0, pages: 0 };
  }
  const rows = all.slice(start, start + size);
  const end = start + rows.length;
  const last = rows.at(-1);
  const more = end < all.length && last !== undefined;
  const next = behavior.cursors === "position" ? `p${end}` : `a${last?.row.number}`;
  return {
    rows,
    next: more ? next : undefined,
    total: all.length,
    page: Math.floor(start / size) + 1,
    pages: Math.max(1, Math.ceil(all.length / size)),
  };
}

function findStart(all: Page["rows"], cursor: string, behavior: Behavior): number {
  const cursorMatch = /^e?([ap])(\d+)$/.exec(cursor);
  if (!cursorMatch) throw createInvalid("cursor", "invalid cursor for this list");
  const value = Number(cursorMatch[2]);
  if (cursorMatch[1] === "p") return value;
  const at = all.findIndex(({ row }) => row.number === value);
  if (at >= 0) return at + 1;
  // The cursor's row was deleted, so the page starts at the row's former position.
  const after = all.findIndex(({ row }) =>
    behavior.order === "newest first" ? row.number < value : row.number > value,
  );
  return after >= 0 ? after : all.length;
}

function limitOf(text: string | null, { largestLimit, limitRefusal }: Behavior): number {
  if (text === null) return Math.min(50, largestLimit);
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= largestLimit) return limit;
  const message = "the request's parameters are out of bounds";
  if (limitRefusal === "details") throw createInvalid("limit", `limit must be 1 to ${largestLimit}`);
  const details =
    limitRefusal === "no details" ? [] : [{ path: ["query"], message: "too much was asked for" }];
  throw new Refusal(400, "validation_failed", message, details);
}
