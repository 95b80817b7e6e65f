import type { Row, SqlValue } from "../../base/database.js";
import { parseExactJson, stringifyExactJson } from "../../base/exact-json.js";

/**
 * State of an item, which is one row, step or organization of a run. `skipped` items need no request. The response of
 * an `unknown` item was lost; it is not sent again until its outcome is resolved.
 */
export type ItemState = "skipped" | "planned" | "sent" | "done" | "rejected" | "unknown";

/** The effect of an item's request. */
type Action = "create" | "update" | "delete";

export interface NewItem {
  /** Number of the row in the input or of the step in the plan, from 1. */
  number: number;
  line: number;
  state: "skipped" | "planned";
  /** Outcome of a finished item: `created`, `invalid` … */
  outcome: string;
  action?: Action | undefined;
  /** Id of the item's resource, if known. */
  target?: string | undefined;
  /** Body of the request. */
  body?: unknown;
  /** Former values of the fields that an update changes. */
  before?: unknown;
  /** Fields of the row, if they differ from the body. */
  input?: unknown;
  /** The resource as returned by an earlier response. */
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
  /** The resource as returned by the response to the write. */
  readonly answer: unknown;
  /**
   * Journal tick of the last request. `endedTick`: tick of the response, or of the moment when the request could no
   * longer take effect.
   */
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
  /** The item no longer needs a request. */
  | { number: number; state: "skipped"; outcome: string; detail: unknown; target?: string | undefined }
  /** The request certainly had no effect and may be sent again. */
  | { number: number; state: "planned" };

/** Returns whether the item is finished: it needs no request, and its outcome is confirmed. */
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
    throw new TypeError(`the journal contains an item with the unknown state ${String(row["state"])}`);
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
