/** Descriptions of the events that occur as the clock moves. */
const clockEvents = {
  indexing_starts: "the indexing of a knowledge item starts",
  indexing_ends: "the indexing of a knowledge item ends",
  rating_ends: "the rating of a prompt ends",
  call_rings: "a call rings",
  call_answered: "a call is answered",
  call_ends: "a call ends",
  recording_ready: "a recording is ready",
  cooldown_ends: "the cooldown of an assistant ends",
  limit_window_ends: "the window of a limit ends",
  key_expires: "a key expires",
  fault_expires: "a fault expires",
  number_becomes_free: "a phone number becomes available",
} as const;

export type ClockEvent = keyof typeof clockEvents;

/** Returns the description of an event, or the words of its name if a newer server sent it. */
export function clockEventText(event: string): string {
  const texts: Readonly<Record<string, string>> = clockEvents;
  return texts[event] ?? event.replaceAll("_", " ");
}
