import { parseTime } from "../../base/time-text.js";
import { type Fields, isSame } from "../fields.js";

/** Fields that the service changes by itself, whatever the resource; so do times (`…_at`). */
const changedByService = new Set(["id", "sync_status", "rating", "carrier", "has_secret", "has_password"]);
/** The same of one resource. */
const changedByServiceOf: Readonly<Record<string, readonly string[]>> = {
  assistants: ["phone_number"],
};
/** Where `updated_at` moves only when a user changes the thing: elsewhere, indexing and rating move it, too. */
const updatedByCallers = new Set([
  "contacts",
  "groups",
  "forwardings",
  "glossary",
  "pronunciation",
  "calendars",
  "tools",
]);

/**
 * The fields in which a thing is no longer as an answer had shown it (T1), without what the service changes by itself.
 * A field that only one of the two shows was filled or emptied since.
 * @param incomparable fields of which it is known that answers to writes and gets don't both show them
 */
export function changedSince(
  resource: string,
  answered: Fields,
  now: Fields,
  incomparable: ReadonlySet<string>,
): string[] {
  return [...new Set([...Object.keys(answered), ...Object.keys(now)])].filter((field) => {
    if (field === "updated_at" && updatedByCallers.has(resource)) {
      return field in answered && field in now && !isSameInstant(answered[field], now[field]);
    }
    if (changedByService.has(field) || field.endsWith("_at")) return false;
    if (changedByServiceOf[resource]?.includes(field) === true) return false;
    return !incomparable.has(field) && !isSame(answered[field], now[field]);
  });
}

/** The fields that for each of these things only one of the two shows. */
export function incomparableFields(things: readonly { answered: Fields; now: Fields }[]): string[] {
  const [first, ...others] = things;
  // One thing alone may as well have been changed.
  if (first === undefined || others.length === 0) return [];
  const isOneSided = (field: string) => (thing: { answered: Fields; now: Fields }) =>
    field in thing.answered !== field in thing.now;
  return Object.keys({ ...first.answered, ...first.now }).filter((field) => things.every(isOneSided(field)));
}

/** Times are compared at the coarser precision of the two. */
export function isSameInstant(one: unknown, other: unknown): boolean {
  if (typeof one !== "string" || typeof other !== "string") return isSame(one, other);
  const [first, second] = [parseTime(one), parseTime(other)];
  if (Number.isNaN(first) || Number.isNaN(second)) return one === other;
  return Math.abs(first - second) < Math.max(stepOf(one), stepOf(other));
}

/** Milliseconds between two times that are written so. */
function stepOf(time: string): number {
  const digits = /[.,](\d+)/.exec(time)?.[1]?.length ?? 0;
  return 10 ** Math.max(0, 3 - digits);
}
