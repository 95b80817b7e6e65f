import { parseTime } from "../../base/time-text.js";
import { type Fields, isSame } from "../fields.js";

/** Fields that the service changes in any resource, in addition to times (`…_at`). */
const changedByService = new Set(["id", "sync_status", "rating", "carrier", "has_secret", "has_password"]);
const changedByServiceOf: Readonly<Record<string, readonly string[]>> = {
  assistants: ["phone_number"],
};
/**
 * Resource types whose `updated_at` changes only when a client changes a resource. For other types, indexing
 * and rating also change it.
 */
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
 * Returns fields that differ between a resource and an earlier response. Ignores fields that the service
 * changes by itself.
 * @param incomparable fields that appear only in responses to writes or only in responses to gets
 */
export function findChangedFields(
  resource: string,
  responseData: Fields,
  now: Fields,
  incomparable: ReadonlySet<string>,
): string[] {
  return [...new Set([...Object.keys(responseData), ...Object.keys(now)])].filter((field) => {
    if (field === "updated_at" && updatedByCallers.has(resource)) {
      return field in responseData && field in now && !isSameInstant(responseData[field], now[field]);
    }
    if (changedByService.has(field) || field.endsWith("_at")) return false;
    if (changedByServiceOf[resource]?.includes(field) === true) return false;
    return !incomparable.has(field) && !isSame(responseData[field], now[field]);
  });
}

/** Returns fields that, for every item, are missing from exactly one of the two states. */
export function findIncomparableFields(items: readonly { responseData: Fields; now: Fields }[]): string[] {
  const [first, ...moreItems] = items;
  // A single item proves nothing, because a user may have changed it.
  if (first === undefined || moreItems.length === 0) return [];
  const isOneSided = (field: string) => (item: { responseData: Fields; now: Fields }) =>
    field in item.responseData !== field in item.now;
  return Object.keys({ ...first.responseData, ...first.now }).filter((field) =>
    items.every(isOneSided(field)),
  );
}

/** Returns whether two times are equal, with the precision of the less precise one. */
export function isSameInstant(left: unknown, right: unknown): boolean {
  if (typeof left !== "string" || typeof right !== "string") return isSame(left, right);
  const [first, second] = [parseTime(left), parseTime(right)];
  if (Number.isNaN(first) || Number.isNaN(second)) return left === right;
  return Math.abs(first - second) < Math.max(stepOf(left), stepOf(right));
}

/** Returns the precision of a time, in milliseconds. */
function stepOf(time: string): number {
  const digits = /[.,](\d+)/.exec(time)?.[1]?.length ?? 0;
  return 10 ** Math.max(0, 3 - digits);
}
