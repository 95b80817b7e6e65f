import type { Session } from "../../session/session.js";

type NotesContext = Pick<Session, "serviceNow" | "notes">;

/** Returns the current month in UTC, such as `2026-10`. The distributor APIs use UTC. */
export function getCurrentMonth({ serviceNow }: Pick<Session, "serviceNow">): string {
  return new Date(serviceNow()).toISOString().slice(0, 7);
}

/** Returns a note for a month that has not ended; undefined if the month has ended. */
export function describeRunningMonth(month: string, current: string): string | undefined {
  if (month > current) return `${month} has not started: it has no calls yet`;
  return month === current ? `${month} has not ended, so its numbers can still change` : undefined;
}

/**
 * Prints a note if the month has not ended. Call this function after a response, because the response
 * provides the service's time.
 * @param month default: the current month
 */
export function noteRunningMonth(context: NotesContext, month: string | undefined): void {
  const current = getCurrentMonth(context);
  const note = describeRunningMonth(month ?? current, current);
  if (note !== undefined) context.notes.note(note);
}

/** Prints a note if `last`, such as `2026-10-31`, is today or later. See `noteRunningMonth`. */
export function noteRunningDay({ serviceNow, notes }: NotesContext, last: string): void {
  const today = new Date(serviceNow()).toISOString().slice(0, 10);
  if (/^\d{4}-\d\d-\d\d$/.test(last) && last >= today)
    notes.note(`${today} has not ended (UTC), so its numbers can still change`);
}
