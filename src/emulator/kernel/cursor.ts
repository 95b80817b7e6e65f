import { timingSafeEqual } from "node:crypto";
import type { SqlValue } from "../../base/database.js";
import type { Hmac } from "./hmac.js";

const macBytes = 16;

/** Where a page starts: the sort values of the previous page's last row. */
export type Position = readonly (string | number)[];

/** The owner, operation and filters for which a cursor is valid (D-cursor). */
interface CursorScope {
  operation: string;
  owner: string;
  filters: Readonly<Record<string, SqlValue | undefined>>;
}

function sign(hmac: Hmac, scope: CursorScope, payload: string): Buffer {
  const filters = Object.entries(scope.filters)
    .filter(([, value]) => value !== undefined)
    .sort();
  const signed = JSON.stringify([
    scope.operation, // D-cursor
    scope.owner,
    filters.map(([name, value]) => [name, String(value)]),
    payload,
  ]);
  return hmac(signed).subarray(0, macBytes);
}

export function encodeCursor(hmac: Hmac, scope: CursorScope, position: Position): string {
  const payload = JSON.stringify(position);
  return Buffer.concat([sign(hmac, scope, payload), Buffer.from(payload)]).toString("base64url");
}

/** Returns a cursor's position; undefined if the cursor was altered or was issued for another list. */
export function decodeCursor(hmac: Hmac, scope: CursorScope, cursor: string): Position | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  // Only the exact text of an issued cursor is valid, but `Buffer.from` skips invalid characters.
  if (bytes.length <= macBytes || bytes.toString("base64url") !== cursor) return undefined;
  const payload = bytes.subarray(macBytes).toString("utf8");
  // public.general.9b
  if (!timingSafeEqual(bytes.subarray(0, macBytes), sign(hmac, scope, payload))) return undefined;
  const position: unknown = JSON.parse(payload);
  return Array.isArray(position) && position.every(isPositionValue) ? position : undefined;
}

function isPositionValue(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
