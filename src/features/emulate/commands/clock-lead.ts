import { parseTime } from "../../../base/time-text.js";
import type { Session } from "../../../cli/session/session.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { ControlData } from "../../../contract/control/control.js";

const daySeconds = 86_400;

/** Adds `ahead_seconds`: how far an emulator's clock is ahead of real time, negative if it is behind. */
export function addLead<Clock extends ControlData<"clock.get">>(
  clock: Clock,
  session: Pick<Session, "clock">,
): Clock & { ahead_seconds: number } {
  return { ...clock, ahead_seconds: Math.round((parseTime(clock.now) - session.clock.now()) / 1_000) };
}

export function noteLead(
  { ahead_seconds }: ReturnType<typeof addLead>,
  { notes }: Pick<Session, "notes">,
): void {
  if (ahead_seconds === 0) return;
  const direction = ahead_seconds > 0 ? "ahead of" : "behind";
  notes.note(`The emulator's clock is ${formatSpan(Math.abs(ahead_seconds))} ${direction} real time.`);
}

export function formatSpan(seconds: number): string {
  return seconds < 2 * daySeconds
    ? durationText(seconds * 1_000)
    : `${Math.round((seconds / daySeconds) * 10) / 10} days`;
}
