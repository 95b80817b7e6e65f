import type { Session } from "../../session/session.js";

type NotesContext = Pick<Session, "serviceNow" | "notes">;

/** Returns whether a month, such as `2026-10`, has not ended. Months in the distributor APIs are in UTC. */
export function isRunningMonth(month: string, now: number): boolean {
  return month >= new Date(now).toISOString().slice(0, 7);
}

/**
 * Warns that sums are not final and must not be invoiced. Must be called after a response, which provides the service's
 * time.
 * @param month default: the current month
 */
export function noteRunningMonth({ serviceNow, notes }: NotesContext, month: string | undefined): void {
  const now = serviceNow();
  const read = month ?? new Date(now).toISOString().slice(0, 7);
  if (read > new Date(now).toISOString().slice(0, 7))
    notes.note(`${read} has not started: it has no calls yet`);
  else if (isRunningMonth(read, now)) notes.note(`${read} has not ended: these are its calls so far`);
}

/** Notes that the last day, such as `2026-10-31`, has not ended. See `noteRunningMonth`. */
export function noteRunningDay({ serviceNow, notes }: NotesContext, last: string): void {
  const today = new Date(serviceNow()).toISOString().slice(0, 10);
  if (/^\d{4}-\d\d-\d\d$/.test(last) && last >= today)
    notes.note(`${today} has not ended: these are its calls so far`);
}
