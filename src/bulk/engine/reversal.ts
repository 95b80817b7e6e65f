import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import type { Work } from "./execute.js";
import type { Found, Lookup } from "./reconcile.js";
import type { Kind } from "./run.js";

/** A kind of thing whose runs can be undone. */
export interface Reversible {
  operations: { get: OperationName; update: OperationName; delete: OperationName };
  /** The path's parameter: `contact_id`. */
  parameter: string;
  /** Everything in the run's group, as it is now. */
  things(): AsyncIterable<Found>;
  /** A thing from an answer's data, with all of its fields. */
  found(data: unknown): Found | undefined;
  /** Would these fields change nothing? */
  hasFields(value: unknown, fields: Readonly<Record<string, unknown>>): boolean;
  /** The import's own requests: what it left open is settled first. */
  requests(journal: Journal): Kind;
}

/** The requests of an undo, each looked at once more before it is sent. */
export function reversal(client: Client, kind: Reversible): Kind {
  const { operations, parameter } = kind;
  const work: Work = {
    paces: operations.delete,
    request: ({ action, target = "", body }) => ({
      operation: action === "delete" ? operations.delete : operations.update,
      input: { path: { [parameter]: target }, ...(action === "delete" ? {} : { body }) },
    }),
    targetOf: ({ target }) => target,
    rejects: (_, { status = 0 }) => status === 400 || status === 404 || status === 409,
    outdated: (item) => outdated(client, kind, item),
  };
  const lookup: Lookup = {
    things: () => kind.things(),
    existedBefore: () => true,
    judgeUpdate: (item, { value }) => {
      if (kind.hasFields(value, recordOf(item.body))) return "done";
      return kind.hasFields(value, recordOf(item.before)) ? "undone" : "changed";
    },
  };
  return { work, lookup };
}

/** An undo may take an hour: each thing is looked at again before it is touched. */
async function outdated(client: Client, kind: Reversible, item: Item): Promise<Result | undefined> {
  const { number, target = "" } = item;
  try {
    const { data } = await client.call(kind.operations.get, { path: { [kind.parameter]: target } });
    const found = kind.found(data);
    if (found === undefined) return undefined;
    const same =
      item.action === "delete"
        ? found.fingerprint === item.fingerprint
        : kind.hasFields(found.value, recordOf(item.before));
    return same ? undefined : { number, state: "rejected", outcome: "changed", detail: { now: found.value } };
  } catch (error) {
    if (!(error instanceof ClientError) || error.status !== 404) throw error;
    return { number, state: "rejected", outcome: "gone", detail: undefined };
  }
}
