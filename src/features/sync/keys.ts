/**
 * Finds the contact of a row by the row's key. Another program may change the format of a key, for example
 * 417 to 00417 or 417.0, and a new CRM may assign new keys.
 */
import type { Fields } from "../../write/fields.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { Journal } from "../../write/journal/journal.js";
import { recordOf } from "../../write/values.js";
import type { KnownKeys } from "../import/planning/owners.js";
import type { KeyMap } from "./key-map.js";
import type { Workspace } from "./workspace.js";

export interface RowKeys extends KnownKeys {
  /** Called after the whole file was read. Until then, a later row may contain a key that seems missing. */
  fileIsRead(): void;
  /**
   * Returns the number of the row with this key. If no row has exactly this key, leading zeros and a final
   * `.0` are ignored.
   */
  rowOf(known: string): number | undefined;
  /** Yields the rows whose contact had a different key in earlier runs. */
  renamed(): Generator<{ former: string; key: string }, void>;
}

interface Parts {
  journal: Journal;
  keyMap: KeyMap;
  workspace: Workspace;
  adapter: ImportAdapter;
}

export function createRowKeys({ journal, keyMap, workspace, adapter }: Parts): RowKeys {
  let isRead = false;
  /**
   * Ignores leading zeros and a final `.0`. Returns undefined if the file contains the known key itself, or
   * if several known keys or several rows match.
   */
  const alikeOf = (key: string) => {
    if (!isRead || !isNumber(key) || workspace.rowsAlike(key).length > 1) return undefined;
    const known = keyMap.byNumber(key).filter((row) => !hasRow(row.key));
    return known.length === 1 ? known[0] : undefined;
  };
  const hasRow = (key: string | null) => key !== null && workspace.rowOfKey(key) !== undefined;
  const isSameName = (id: string, row: number) => {
    const contact: Fields | undefined = workspace.shown(id);
    const { input, body } = journal.item(row) ?? {};
    return contact !== undefined && adapter.findDifferingName(recordOf(input ?? body), contact) === undefined;
  };
  return {
    fileIsRead: () => {
      isRead = true;
    },
    knownId(row) {
      const key = workspace.keyOf(row);
      if (key === undefined) return undefined;
      return (keyMap.byKey(key) ?? alikeOf(key))?.id ?? undefined;
    },
    isOwnedByAnotherRow(id, row) {
      const owner = keyMap.byId(id)?.key ?? null;
      if (owner === null || owner === workspace.keyOf(row)) return false;
      // If the file lacks the contact's key, a row that matches by --match and name may take over the
      // contact.
      return !isRead || hasRow(owner) || !isSameName(id, row);
    },
    rowOf(known) {
      const exact = workspace.rowOfKey(known);
      if (exact !== undefined || !isNumber(known)) return exact;
      const [row, ...moreRows] = workspace.rowsAlike(known);
      const isFree = row !== undefined && moreRows.length === 0 && keyMap.byKey(row.key) === undefined;
      return isFree ? row.number : undefined;
    },
    *renamed() {
      const items = journal.database.prepare("SELECT number, target FROM items WHERE target IS NOT NULL");
      for (const { number, target } of items.iterate()) {
        const key = workspace.keyOf(Number(number));
        const former = keyMap.byId(String(target))?.key ?? undefined;
        if (key !== undefined && former !== undefined && former !== key) yield { former, key };
      }
    },
  };
}

/** Returns whether a key is a number, so that other programs may add or remove leading zeros or a final `.0`. */
function isNumber(key: string): boolean {
  return /^\d+(?:\.0)?$/.test(key);
}
