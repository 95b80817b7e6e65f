import type { Client } from "../../client/types.js";
import type { Work } from "../engine/execute.js";
import type { Found, Lookup } from "../engine/reconcile.js";
import type { Kind } from "../engine/run.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { compareAgain } from "./again.js";
import { changesOf, completed, fingerprintOf, type ItemKind, readMembers } from "./kind.js";

/** An import's requests, and how to find out what became of them. */
export function itemRequests(kind: ItemKind, client: Client, journal: Journal, groupId: string): Kind {
  return {
    work: workOf(kind, groupId),
    lookup: lookupOf(kind, client, journal, groupId),
    compareAgain: compareAgain(kind, client, journal, groupId),
  };
}

function workOf({ operations, parameter }: ItemKind, groupId: string): Work {
  return {
    paces: operations.create,
    request: (item) =>
      item.action === "update"
        ? {
            operation: operations.update,
            input: { path: { [parameter]: item.target ?? "" }, body: item.body },
          }
        : { operation: operations.create, input: { body: { group_id: groupId, ...recordOf(item.body) } } },
    targetOf: (item, data) => {
      const id = recordOf(data)["id"];
      return item.target ?? (typeof id === "string" ? id : undefined);
    },
    rejects: (item, { status = 0 }) => {
      if (status === 401 || status === 402 || status === 403 || status >= 500) return false;
      // Of a create it is the group that is missing; of an update only the item.
      return status !== 404 || item.action === "update";
    },
  };
}

function lookupOf(kind: ItemKind, client: Client, journal: Journal, groupId: string): Lookup {
  createSeen(journal);
  const existedBefore = (id: string) =>
    journal.database.prepare("SELECT 1 FROM seen WHERE id = ?").get(id) !== undefined;
  // What a request whose answer was lost may have made or changed; of the others the list says enough.
  const isAsked = (id: string) =>
    journal.lostAbout(id) !== undefined || !(existedBefore(id) || journal.knowsTarget(id));
  return {
    async *things() {
      for await (const listed of readMembers(client, kind, groupId)) {
        const { id, fields } = isAsked(listed.id) ? await completed(client, kind, listed) : listed;
        yield { id, fingerprint: fingerprintOf(kind, fields), value: fields };
      }
    },
    existedBefore,
    judgeUpdate,
  };
}

function judgeUpdate(item: Item, found: Found): "done" | "undone" | "changed" {
  const now = recordOf(found.value);
  if (changesOf(now, recordOf(item.body)) === undefined) return "done";
  return changesOf(now, recordOf(item.before)) === undefined ? "undone" : "changed";
}

/** The table of what was in the group before the run. */
export function createSeen(journal: Journal): void {
  journal.database.exec("CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY) WITHOUT ROWID");
}
