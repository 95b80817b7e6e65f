/** Names of months and weekdays in German and English, in the calendar's order. */
export const months = [
  "januar|january",
  "februar|february",
  "märz|march",
  "april",
  "mai|may",
  "juni|june",
  "juli|july",
  "august",
  "september",
  "oktober|october",
  "november",
  "dezember|december",
] as const;

export const weekdays = [
  "montag|monday",
  "dienstag|tuesday",
  "mittwoch|wednesday",
  "donnerstag|thursday",
  "freitag|friday",
  "samstag|sonnabend|saturday",
  "sonntag|sunday",
] as const;

/** Returns the index of a name in such a list, from 0. */
export function findNameIndex(names: readonly string[], name: string): number {
  return names.findIndex((variants) => variants.split("|").includes(name.toLowerCase()));
}
