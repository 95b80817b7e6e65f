import { emptyOf, type Fields, isAlike, isSame, pick } from "../fields.js";
import { findChangedFields } from "../group/changed-fields.js";
import type { NewItem, Result } from "../journal/item.js";
import { recordOf } from "../values.js";

export function holdsNull(body: Fields): boolean {
  return Object.values(body).includes(null);
}

/** Replaces null with an empty value of the same type as the field's value in `written`. */
export function withEmptyValues(body: Fields, written: Fields): Fields {
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, value ?? emptyOf(written[field])]),
  );
}

interface Compared {
  readonly type: string;
  readonly fields: readonly string[];
}

type Reversal = Pick<NewItem, "number" | "action" | "target" | "body" | "before" | "answer"> & {
  attempts: number;
};

/**
 * @param now current state of the resource; undefined if it was deleted
 * @param incomparable see `findChangedFields`
 * @returns the result if no request is required; a body to send instead; undefined to send the planned body
 */
export function judgeReversal(
  compared: Compared,
  item: Reversal,
  now: Fields | undefined,
  incomparable: ReadonlySet<string>,
): Result | { body: Fields; detail: Fields } | undefined {
  if (now === undefined) return missingResult(item);
  return item.action === "delete"
    ? changedResult(compared, item, now, incomparable)
    : restorable(compared, item, now);
}

/**
 * An earlier request of this undo without a response may have deleted the resource. Otherwise, another user
 * deleted it.
 */
function missingResult({ number, action, target = "", attempts }: Reversal): Result {
  if (action === "delete" && attempts > 0) return { number, state: "done", target };
  return { number, state: "rejected", outcome: "gone", detail: undefined };
}

function changedResult(
  { type, fields }: Compared,
  item: Reversal,
  now: Fields,
  incomparable: ReadonlySet<string>,
): Result | undefined {
  const [responseData, sent] = [recordOf(item.answer), recordOf(item.before)];
  // No response contains these fields, so compare with the sent values.
  const unshown = fields.filter((field) => !(field in responseData) && field in sent && field in now);
  const changed = [
    ...findChangedFields(type, responseData, now, new Set([...incomparable, ...unshown])),
    ...unshown.filter((field) => !isAlike(field, now[field], sent[field])),
  ];
  if (changed.length === 0) return undefined;
  const detail = { changed, now: pick(now, [...fields, ...changed]) };
  return { number: item.number, state: "rejected", outcome: "changed", detail };
}

/** Restores each field unless another user has changed the field since the run. */
function restorable(
  { fields: compared }: Compared,
  { number, target = "", attempts, ...item }: Reversal,
  now: Fields,
): Result | { body: Fields; detail: Fields } | undefined {
  const [body, written, responseData] = [recordOf(item.body), recordOf(item.before), recordOf(item.answer)];
  const fields = Object.keys(body);
  const isUntouched = (field: string) =>
    field in responseData
      ? isSame(now[field], responseData[field])
      : isAlike(field, now[field], written[field]);
  const restored = fields.filter(isUntouched);
  const left = fields.filter((field) => !restored.includes(field));
  if (left.length === 0) return undefined;
  if (restored.length > 0) return { body: pick(body, restored), detail: { left } };
  // An earlier request without a response has already restored the resource.
  if (attempts > 0 && left.every((field) => isSame(now[field], body[field])))
    return { number, state: "done", target };
  const detail = { left, now: pick(now, compared) };
  return { number, state: "rejected", outcome: "changed", detail };
}
