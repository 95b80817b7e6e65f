import type { Client } from "../../client/types.js";
import type { ImportAdapter } from "../engine/import-adapter.js";
import type { RemoteItem } from "../engine/reconcile.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { compareAgain } from "./compare-again.js";
import {
  changesOf,
  completed,
  type ExistingItem,
  existingItemOf,
  fingerprintOf,
  type ItemType,
  readItems,
} from "./item-type.js";

/** What an import of items, and its undo, need to know of a type of items. */
export function itemAdapter(type: ItemType, client: Client, groupId: string): ImportAdapter {
  const remoteItem = ({ id, fields }: ExistingItem): RemoteItem => ({
    id,
    fingerprint: fingerprintOf(type, fields),
    value: fields,
  });
  return {
    type: type.name,
    operations: type.operations,
    parameter: type.parameter,
    async *remoteItems(isWanted) {
      for await (const item of readItems(client, type, groupId)) {
        yield remoteItem(isWanted(item.id) ? await completed(client, type, item) : item);
      }
    },
    remoteItem(data) {
      const item = existingItemOf(type, data);
      return item && remoteItem(item);
    },
    hasFields: (value, fields) => changesOf(recordOf(value), fields) === undefined,
    existedBefore(journal, id) {
      createSeen(journal);
      return journal.database.prepare("SELECT 1 FROM seen WHERE id = ?").get(id) !== undefined;
    },
    compareAgain: (journal, signal) => compareAgain(type, client, journal, groupId, signal),
  };
}

/** The table of what was in the group before the run. */
export function createSeen(journal: Journal): void {
  journal.database.exec("CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY) WITHOUT ROWID");
}
