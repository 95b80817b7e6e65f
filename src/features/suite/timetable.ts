import { buckets, cooldownSeconds } from "../../contract/limits.js";

export interface Slot {
  assistant: string;
  to: string;
}

/** Constraints that delay calls. Times are in milliseconds. */
export interface Timetable {
  /** When each assistant may call again. */
  readonly assistants: ReadonlyMap<string, number>;
  /** Busy numbers. */
  readonly numbers: ReadonlySet<string>;
  readonly limitedUntil: number;
}

// public.limits.1
export const cooldownMilliseconds = cooldownSeconds * 1_000;
const { limit, windowSeconds } = buckets.outbound_trigger;

/** Returns the earliest time for a call; Infinity if the number is busy. */
export function earliestStart(slot: Slot, timetable: Timetable): number {
  if (timetable.numbers.has(numberKey(slot.to))) return Number.POSITIVE_INFINITY;
  return Math.max(timetable.assistants.get(slot.assistant) ?? 0, timetable.limitedUntil);
}

/** Returns a phone number without separators. */
export function numberKey(to: string): string {
  return to.replace(/[^\d+]/g, "");
}

/**
 * Estimates how long all calls take together, if each is placed as early as possible
 * (public.limits.outbound).
 * @param slots calls with their estimated duration
 * @returns milliseconds
 */
export function estimateDuration(slots: readonly (Slot & { milliseconds: number })[]): number {
  const assistants = new Map<string, number>();
  const numbers = new Map<string, number>();
  const waiting = [...slots];
  let end = 0;
  for (let made = 0; waiting.length > 0; made += 1) {
    const limitedUntil = Math.floor(made / limit) * windowSeconds * 1_000;
    const starts = waiting.map((slot) =>
      Math.max(assistants.get(slot.assistant) ?? 0, numbers.get(numberKey(slot.to)) ?? 0, limitedUntil),
    );
    const start = Math.min(...starts);
    const [slot] = waiting.splice(starts.indexOf(start), 1);
    if (!slot) break;
    assistants.set(slot.assistant, start + cooldownMilliseconds);
    numbers.set(numberKey(slot.to), start + slot.milliseconds);
    end = Math.max(end, start + slot.milliseconds);
  }
  return end;
}
