const clockEvents = {
  indexing_starts: "a knowledge item's indexing starts",
  indexing_ends: "a knowledge item's indexing ends",
  rating_ends: "a prompt's rating is ready",
  call_rings: "a call rings",
  call_answered: "a call is answered",
  call_ends: "a call ends",
  recording_ready: "a recording is ready",
  cooldown_ends: "an assistant's cooldown ends",
  limit_window_ends: "a rate limit's window ends",
  key_expires: "a key expires",
  fault_expires: "a fault expires",
  number_becomes_free: "a phone number becomes available",
} as const;

export type ClockEvent = keyof typeof clockEvents;

/**
 * Returns the description of an event; for an unknown event from a newer server, the event's name with
 * spaces.
 */
export function clockEventText(event: string): string {
  const texts: Readonly<Record<string, string>> = clockEvents;
  return texts[event] ?? event.replaceAll("_", " ");
}
