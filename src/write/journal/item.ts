import type { Row, SqlValue } from "../../base/database.js";
import { parseExactJson, stringifyExactJson } from "../../base/exact-json.js";
import { omit } from "../fields.js";
import { recordOf } from "../values.js";

/**
 * `skipped`: the item needs no request. `unknown`: the response was lost; the item is not sent again before
 * its outcome is known.
 */
export type ItemState = "skipped" | "planned" | "sent" | "done" | "rejected" | "unknown";

type Action = "create" | "update" | "delete";

export interface NewItem {
  number: number;
  line: number;
  state: "skipped" | "planned";
  /** Outcome, such as `created` or `invalid`. For a planned item, the expected outcome. */
  outcome: string;
  action?: Action | undefined;
  target?: string | undefined;
  body?: unknown;
  /** Previous values of the fields that an update changes. */
  before?: unknown;
  /** The row's fields, if they differ from the request body. */
  input?: unknown;
  /** The resource in an earlier response. */
  answer?: unknown;
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
  readonly answer: unknown;
  /**
   * `sentTick`: tick of the last request. `endedTick`: tick when the response arrived or the request could no
   * longer take effect.
   */
  readonly sentTick: number;
  readonly endedTick: number | undefined;
  readonly detail: unknown;
  /** Number of requests that may have taken effect. */
  readonly attempts: number;
}

export type Result =
  | { number: number; state: "done"; target: string; answer?: unknown; detail?: unknown }
  | { number: number; state: "rejected"; outcome: string; detail: unknown }
  | { number: number; state: "unknown"; detail: unknown }
  /** The item needs no request after all. */
  | { number: number; state: "skipped"; outcome: string; detail: unknown; target?: string | undefined }
  /** The request certainly had no effect and can be sent again. */
  | { number: number; state: "planned" };

/** Returns whether an item needs no more requests, because its outcome is known or can't be determined. */
export function isFinal({ state, detail }: Pick<Item, "state" | "detail">): boolean {
  if (state !== "unknown") return state === "done" || state === "rejected" || state === "skipped";
  return typeof detail === "object" && detail !== null && "decided" in detail && detail.decided === false;
}

export function json(value: unknown): SqlValue {
  return value === undefined ? null : stringifyExactJson(value);
}

/**
 * Omits the fields that the item's step marks as secret.
 * @param hidden see `PlanStep`
 */
export function resourceJson(state: unknown, hidden: unknown): SqlValue {
  return json(state !== undefined && Array.isArray(hidden) ? omit(recordOf(state), hidden) : state);
}

function parsed(value: Row[string] | undefined): unknown {
  return typeof value === "string" ? parseExactJson(value) : undefined;
}

function text(value: Row[string] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const states: readonly ItemState[] = ["skipped", "planned", "sent", "done", "rejected", "unknown"];
const actions: readonly Action[] = ["create", "update", "delete"];

export function itemOf(row: Row): Item {
  const state = states.find((name) => name === row["state"]);
  if (state === undefined)
    throw new TypeError(`the journal contains an item with an unexpected state: ${String(row["state"])}`);
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
