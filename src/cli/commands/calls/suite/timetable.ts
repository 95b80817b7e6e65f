import { buckets, cooldownSeconds } from "../../../../contract/limits.js";

/** The needs of one call. */
export interface Slot {
  assistant: string;
  /** The number that is called. */
  to: string;
}

/** The obstacles to calls. Times in milliseconds. */
export interface Timetable {
  /** When each assistant may call again. */
  readonly assistants: ReadonlyMap<string, number>;
  /** Numbers that are being called: a second call would find them busy. */
  readonly numbers: ReadonlySet<string>;
  /** When the limit lets calls through again. */
  readonly limitedUntil: number;
}

// public.limits.1
export const cooldownMilliseconds = cooldownSeconds * 1_000;
const { limit, windowSeconds } = buckets.outbound_trigger;

/** When a call may be made; Infinity while its number is being called. */
export function earliestStart(slot: Slot, timetable: Timetable): number {
  if (timetable.numbers.has(numberKey(slot.to))) return Number.POSITIVE_INFINITY;
  return Math.max(timetable.assistants.get(slot.assistant) ?? 0, timetable.limitedUntil);
}

/** The number without what only makes it readable. */
export function numberKey(to: string): string {
  return to.replace(/[^\d+]/g, "");
}

/**
 * How long all of these calls take, made as early as cooldown and limit allow (public.limits.outbound).
 * @param slots each with the length that is guessed for its call
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
