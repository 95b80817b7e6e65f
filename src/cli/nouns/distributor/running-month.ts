import type { Session } from "../../session/session.js";

type NotesContext = Pick<Session, "serviceNow" | "notes">;

/** The distributor APIs use UTC. */
function getCurrentMonth({ serviceNow }: Pick<Session, "serviceNow">): string {
  return new Date(serviceNow()).toISOString().slice(0, 7);
}

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

export function noteRunningDay(
  { serviceNow, notes }: NotesContext,
  { from, to }: { from: string; to: string },
): void {
  const today = new Date(serviceNow()).toISOString().slice(0, 10);
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);
  if (isDay(from) && from > today) notes.note(`${from} has not started (UTC): it has no calls yet`);
  else if (isDay(to) && to >= today)
    notes.note(`${today} has not ended (UTC), so its numbers can still change`);
}
