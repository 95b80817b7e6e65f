import type { Database } from "../../base/database.js";
import type { PublicContext } from "../context.js";
import { conflict } from "../refusal.js";

/** Prefix of the emulator's numbers (D-assistant). +49 32 is the German prefix for non-geographic numbers. */
const range = "+4932221";

function toNumber(serial: number): string {
  return range + String(serial).padStart(6, "0");
}

/**
 * Returns the numbers of deleted assistants to their organizations' pools, after the last calls have ended.
 */
function returnDueNumbers(database: Database, now: number): void {
  const due = database.prepare("SELECT serial, organization_id FROM numbers WHERE free_at <= ?").all(now);
  for (const row of due) {
    const organizationId = row["organization_id"] ?? null;
    database
      .prepare("UPDATE organizations SET number_pool = number_pool + 1 WHERE id = ?")
      .run(organizationId);
    database.prepare("DELETE FROM numbers WHERE serial = ?").run(row["serial"] ?? null);
  }
}

export function getNumberPool(database: Database, organizationId: string, now: number): number {
  returnDueNumbers(database, now);
  const row = database.prepare("SELECT number_pool FROM organizations WHERE id = ?").get(organizationId);
  return Number(row?.["number_pool"] ?? 0);
}

/**
 * Sets how many more numbers can be assigned. A number that is reserved until a call ends is added to the
 * pool when the call ends.
 */
export function setNumberPool(database: Database, organizationId: string, size: number, now: number): void {
  returnDueNumbers(database, now);
  database.prepare("UPDATE organizations SET number_pool = ? WHERE id = ?").run(size, organizationId);
}

/** Assigns the lowest free number to an organization. Doesn't check the size of the organization's pool. */
export function takeNumber(database: Database, organizationId: string): string {
  const row = database
    .prepare(
      `SELECT CASE WHEN EXISTS (SELECT 1 FROM numbers WHERE serial = 1)
        THEN (SELECT min(serial) + 1 FROM numbers AS used WHERE NOT EXISTS (SELECT 1 FROM numbers WHERE serial = used.serial + 1))
        ELSE 1 END AS serial`,
    )
    .get();
  const serial = Number(row?.["serial"]);
  database.prepare("INSERT INTO numbers (serial, organization_id) VALUES (?, ?)").run(serial, organizationId);
  return toNumber(serial);
}

/** Reserves the number of a copied assistant. Ignores a number that the emulator would not assign. */
export function reserveNumber(database: Database, organizationId: string, phoneNumber: string): void {
  const serial = phoneNumber.startsWith(range) ? Number(phoneNumber.slice(range.length)) : Number.NaN;
  if (!Number.isInteger(serial) || serial < 1 || toNumber(serial) !== phoneNumber) return;
  database
    .prepare("INSERT INTO numbers (serial, organization_id) VALUES (?, ?) ON CONFLICT DO NOTHING")
    .run(serial, organizationId);
}

/** @throws Refusal conflict if the organization's pool is empty (public.operations.4a, D-assistant) */
export function provisionNumber(context: PublicContext): string {
  const { database, organization, now } = context;
  const left = getNumberPool(database, organization.id, now);
  if (left <= 0) throw conflict("D-assistant", "no phone number is available");
  database.prepare("UPDATE organizations SET number_pool = ? WHERE id = ?").run(left - 1, organization.id);
  return takeNumber(database, organization.id);
}

/**
 * Makes a deleted assistant's number available at `freeAt`, when all of the assistant's calls have ended
 * (D-assistant).
 */
export function releaseNumber(database: Database, phoneNumber: string, freeAt: number): void {
  if (!phoneNumber.startsWith(range)) return;
  const serial = Number(phoneNumber.slice(range.length));
  database.prepare("UPDATE numbers SET free_at = ? WHERE serial = ?").run(freeAt, serial);
}
