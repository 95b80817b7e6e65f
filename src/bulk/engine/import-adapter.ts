import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { RunType } from "../journal/identity.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import type { RunAdapter } from "./adapter.js";
import { failureDetail } from "./judgement.js";
import { type RemoteItem, reconcile } from "./reconcile.js";

/** What makes one type of thing that lies in a group differ from another: contacts, glossary entries … */
export interface ImportAdapter {
  readonly type: RunType;
  readonly operations: Readonly<Record<"create" | "get" | "update" | "delete", OperationName>>;
  /** The path's parameter: `contact_id`. */
  readonly parameter: string;
  /**
   * Everything in the group, as it is now.
   * @param isWanted of which of them all fields are wanted, where a list shows fewer
   */
  remoteItems(isWanted: (id: string) => boolean): AsyncIterable<RemoteItem>;
  /** A thing from an answer's data, with all of its fields. */
  remoteItem(data: unknown): RemoteItem | undefined;
  /** Would these fields change nothing? */
  hasFields(value: unknown, fields: Readonly<Record<string, unknown>>): boolean;
  /** Was it in the group before the run? */
  existedBefore(journal: Journal, id: string): boolean;
  /** Compares what is still to be sent with the group as it is now. */
  compareAgain(journal: Journal, signal: AbortSignal): Promise<void>;
}

/** How an import's creates and updates are sent, and looked up where an answer was lost. */
export function importRun(
  adapter: ImportAdapter,
  { signal }: { signal: AbortSignal },
  journal: Journal,
  groupId: string,
): RunAdapter {
  const { operations, parameter } = adapter;
  const existedBefore = (id: string) => adapter.existedBefore(journal, id);
  // What a request whose answer was lost may have made or changed; of the others the list says enough.
  const isWanted = (id: string) =>
    journal.lostAbout(id) !== undefined || !(existedBefore(id) || journal.knowsTarget(id));
  return {
    paces: operations.create,
    request: ([{ action, target = "", body }]) =>
      action === "update"
        ? { operation: operations.update, input: { path: { [parameter]: target }, body } }
        : { operation: operations.create, input: { body: { group_id: groupId, ...recordOf(body) } } },
    answered: ({ number, target }, data) => doneOr(number, target ?? adapter.remoteItem(data)?.id),
    // On a create it is the group that is missing; on an update only the thing itself.
    refused: (item, error) =>
      error.status === 404 && item.action === "create" ? undefined : failed(item, error),
    lookUp: () =>
      reconcile(journal, signal, {
        remoteItems: () => adapter.remoteItems(isWanted),
        existedBefore,
        judgeUpdate: (item, { value }) => {
          if (adapter.hasFields(value, recordOf(item.body))) return "done";
          return adapter.hasFields(value, beforeImage(item)) ? "undone" : "changed";
        },
      }),
    compareAgain: () => adapter.compareAgain(journal, signal),
  };
}

/** Without an id, what a request made can't be told apart from what others made. */
function doneOr(number: number, target: string | undefined): Result {
  return target === undefined
    ? { number, state: "unknown", detail: { reason: "the answer holds no id" } }
    : { number, state: "done", target };
}

function failed({ number }: Item, error: ClientError): Result {
  return { number, state: "rejected", outcome: "failed", detail: failureDetail(error) };
}

/** Of what an update changes, as it was. */
function beforeImage(item: Item): Readonly<Record<string, unknown>> {
  const before = recordOf(item.before);
  return Object.fromEntries(Object.keys(recordOf(item.body)).map((field) => [field, before[field]]));
}

/** How an undo's deletes and updates are sent, each compared once more before. */
export function undoRunOf(
  adapter: ImportAdapter,
  { client, signal }: { client: Client; signal: AbortSignal },
  journal: Journal,
): RunAdapter {
  const { operations, parameter } = adapter;
  return {
    paces: operations.delete,
    request: ([{ action, target = "", body }]) => ({
      operation: action === "delete" ? operations.delete : operations.update,
      input: { path: { [parameter]: target }, ...(action === "delete" ? {} : { body }) },
    }),
    answered: ({ number, target }) => doneOr(number, target),
    refused: failed,
    outdated: (item) => outdated(client, adapter, item),
    lookUp: () =>
      reconcile(journal, signal, {
        remoteItems: () => adapter.remoteItems(() => true),
        existedBefore: () => true,
        judgeUpdate: (item, { value }) => {
          if (adapter.hasFields(value, recordOf(item.body))) return "done";
          return adapter.hasFields(value, recordOf(item.before)) ? "undone" : "changed";
        },
      }),
  };
}

/** An undo may take an hour: each thing is read again before it is touched. */
async function outdated(client: Client, adapter: ImportAdapter, item: Item): Promise<Result | undefined> {
  const { number, target = "" } = item;
  try {
    const { data } = await client.call(adapter.operations.get, { path: { [adapter.parameter]: target } });
    const now = adapter.remoteItem(data);
    if (now === undefined) return undefined;
    const isSame =
      item.action === "delete"
        ? now.fingerprint === item.fingerprint
        : adapter.hasFields(now.value, recordOf(item.before));
    return isSame ? undefined : { number, state: "rejected", outcome: "changed", detail: { now: now.value } };
  } catch (error) {
    if (!(error instanceof ClientError) || error.status !== 404) throw error;
    return { number, state: "rejected", outcome: "gone", detail: undefined };
  }
}
