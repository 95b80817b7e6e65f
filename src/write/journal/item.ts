import type { Row, SqlValue } from "../../base/database.js";
import { parseExactJson, stringifyExactJson } from "../../base/exact-json.js";

/**
 * An item is one row, step or organization of a run. `skipped` items need no request. `unknown` is a state,
 * not an error: the response was lost, and the item is neither done nor sent again until its outcome is
 * resolved.
 */
export type ItemState = "skipped" | "planned" | "sent" | "done" | "rejected" | "unknown";

/** The request of an item: planned, or sent. */
type Action = "create" | "update" | "delete";

export interface NewItem {
  /** From 1: the row of the input, or the step of a plan. */
  number: number;
  line: number;
  state: "skipped" | "planned";
  /** The outcome of a finished item: `created`, `invalid` … */
  outcome: string;
  action?: Action | undefined;
  /** Id of the item's resource, if it is already known. */
  target?: string | undefined;
  /** The request's body. */
  body?: unknown;
  /** The fields that an update changes, with their former values. */
  before?: unknown;
  /** The fields of the row, if the body differs from them. */
  input?: unknown;
  /** The resource in an earlier response. */
  answer?: unknown;
  /** Additional data for the results file. */
  detail?: unknown;
}

export interface Item {
  readonly number: number;
  readonly line: number;
  readonly state: ItemState;
  readonly outcome: string;
  readonly action: Action | undefined;
  readonly target: string | undefined;
  readonly body: unknown;
  readonly before: unknown;
  readonly input: unknown;
  /** The resource in the response to its write. */
  readonly answer: unknown;
  /** Journal ticks of the last request and of its response, or of the time when it could no longer arrive. */
  readonly sentTick: number;
  readonly endedTick: number | undefined;
  readonly detail: unknown;
  /** Number of requests that may have taken effect. */
  readonly attempts: number;
}

/** The result of an item that was sent. */
export type Result =
  | { number: number; state: "done"; target: string; answer?: unknown; detail?: unknown }
  | { number: number; state: "rejected"; outcome: string; detail: unknown }
  | { number: number; state: "unknown"; detail: unknown }
  /** It needs no request any more. */
  | { number: number; state: "skipped"; outcome: string; detail: unknown; target?: string | undefined }
  /** It certainly did not happen, and may be sent again. */
  | { number: number; state: "planned" };

/** Returns whether nothing about the item is open: no request, and no unconfirmed outcome. */
export function isFinal({ state, detail }: Pick<Item, "state" | "detail">): boolean {
  if (state !== "unknown") return state === "done" || state === "rejected" || state === "skipped";
  return typeof detail === "object" && detail !== null && "decided" in detail && detail.decided === false;
}

/** Serializes a value for the journal. */
export function json(value: unknown): SqlValue {
  return value === undefined ? null : stringifyExactJson(value);
}

function parsed(value: Row[string] | undefined): unknown {
  return typeof value === "string" ? parseExactJson(value) : undefined;
}

function text(value: Row[string] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const states: readonly ItemState[] = ["skipped", "planned", "sent", "done", "rejected", "unknown"];
const actions: readonly Action[] = ["create", "update", "delete"];

/** Converts a row of the table to an item. */
export function itemOf(row: Row): Item {
  const state = states.find((name) => name === row["state"]);
  if (state === undefined)
    throw new TypeError(`a journal contains an item in the state ${String(row["state"])}`);
  return {
    number: Number(row["number"]),
    line: Number(row["line"]),
    state,
    outcome: String(row["outcome"]),
    action: actions.find((name) => name === row["action"]),
    target: text(row["target"]),
    body: parsed(row["body"]),
    before: parsed(row["before"]),
    input: parsed(row["input"]),
    answer: parsed(row["answer"]),
    sentTick: Number(row["sent_tick"]),
    endedTick: row["ended_tick"] === null ? undefined : Number(row["ended_tick"]),
    detail: parsed(row["detail"]),
    attempts: Number(row["attempts"]),
  };
}
