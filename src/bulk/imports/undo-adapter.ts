import * as z from "zod";
import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { requeue, retryLost } from "../engine/requeue.js";
import { emptyOf, type Fields, isAlike, isSame, pick } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import { findChangedFields } from "../group/changed-fields.js";
import { readItem } from "../group/remote.js";
import type { NewItem, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { failedResult, writtenResult } from "./run.js";

const Texts = z.array(z.string());

/**
 * The adapter of an undo: sends its deletes and updates. Each resource is read right before it is changed
 * (T6).
 */
export function undoAdapter(context: RunContext, journal: Journal, adapter: ImportAdapter): RunAdapter {
  const { operations, parameter } = adapter;
  const incomparable = new Set(Texts.parse(journal.setting("incomparable") ?? []));
  let refusesNull = false;
  const withoutNull = new Set<number>();
  return {
    paces: operations.delete,
    request: ([{ action, target = "", body }]) => ({
      operation: action === "delete" ? operations.delete : operations.update,
      input: { path: { [parameter]: target }, ...(action === "delete" ? {} : { body }) },
    }),
    toResult: (item, data) =>
      item.action === "delete"
        ? { number: item.number, state: "done", target: item.target ?? "" }
        : writtenResult(item, data),
    refused(item, error) {
      if (error.status === 404) return missing(item);
      // A service may show an empty field as null and refuse null in a request: then the field's own empty value is
      // sent.
      const mayBeNull = item.action === "update" && error.status === 400 && holdsNull(recordOf(item.body));
      if (!mayBeNull || withoutNull.has(item.number)) return failedResult(item, error);
      refusesNull = true;
      return { number: item.number, state: "planned" };
    },
    async prepare(item) {
      const now = await readItem(context, adapter, item.target ?? "");
      const judgement = judgeReversal(adapter, item, now?.record, incomparable);
      if (judgement !== undefined && "state" in judgement) return judgement;
      const isRewritten = refusesNull && item.action === "update";
      if (judgement === undefined && !isRewritten) return undefined;
      const { body, detail } = judgement ?? { body: recordOf(item.body), detail: item.detail };
      if (isRewritten) withoutNull.add(item.number);
      const sent = isRewritten ? withEmptyValues(body, recordOf(item.before)) : body;
      journal.amend(item.number, sent, detail);
      return { ...item, body: sent, detail };
    },
    async lookUp() {
      // The fields that are read right before the next request decides.
      retryLost(journal, requeue);
    },
  };
}

export function holdsNull(body: Fields): boolean {
  return Object.values(body).includes(null);
}

/** Replaces nulls by the empty value of the type that was written. */
export function withEmptyValues(body: Fields, written: Fields): Fields {
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, value ?? emptyOf(written[field])]),
  );
}

/** The fields of a resource that an undo compares. */
interface Compared {
  readonly type: string;
  /** The fields that voxctl writes. */
  readonly fields: readonly string[];
}

/** The undo of the changes to one resource. */
type Reversal = Pick<NewItem, "number" | "action" | "target" | "body" | "before" | "answer"> & {
  attempts: number;
};

/**
 * Decides about the next undo (T6).
 * @param now current state; undefined if it was deleted
 * @param incomparable see `changedSince`
 * @returns the result if nothing must be sent; a body to send instead; undefined to send the planned one
 */
export function judgeReversal(
  adapter: Compared,
  item: Reversal,
  now: Fields | undefined,
  incomparable: ReadonlySet<string>,
): Result | { body: Fields; detail: Fields } | undefined {
  if (now === undefined) return missing(item);
  return item.action === "delete"
    ? changedResult(adapter, item, now, incomparable)
    : restorable(adapter, item, now);
}

/** An earlier request without a response, or another user, deleted the resource. */
function missing({ number, action, target = "", attempts }: Reversal): Result {
  if (action === "delete" && attempts > 0) return { number, state: "done", target };
  return { number, state: "rejected", outcome: "gone", detail: undefined };
}

/** Describes how a resource differs from the response of the run (T1); undefined if it does not. */
function changedResult(
  adapter: Compared,
  item: Reversal,
  now: Fields,
  incomparable: ReadonlySet<string>,
): Result | undefined {
  const [responseData, sent] = [recordOf(item.answer), recordOf(item.before)];
  // A field that no response showed is compared with the sent value.
  const unshown = adapter.fields.filter((field) => !(field in responseData) && field in sent && field in now);
  const changed = [
    ...findChangedFields(adapter.type, responseData, now, new Set([...incomparable, ...unshown])),
    ...unshown.filter((field) => !isAlike(field, now[field], sent[field])),
  ];
  if (changed.length === 0) return undefined;
  const detail = { changed, now: pick(now, adapter.fields) };
  return { number: item.number, state: "rejected", outcome: "changed", detail };
}

/** Field by field: a field that another user changed since is theirs. */
function restorable(
  adapter: Compared,
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
  // An earlier request without a response has restored it.
  if (attempts > 0 && left.every((field) => isSame(now[field], body[field])))
    return { number, state: "done", target };
  const detail = { left, now: pick(now, adapter.fields) };
  return { number, state: "rejected", outcome: "changed", detail };
}
