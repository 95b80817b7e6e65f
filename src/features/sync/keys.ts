/**
 * Finds a row's contact by the row's own key. The key may be written differently (417 as 00417 in a spreadsheet), or a
 * new CRM may have renumbered its customers.
 */
import type { Fields } from "../../write/fields.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { Journal } from "../../write/journal/journal.js";
import { recordOf } from "../../write/values.js";
import type { KnownKeys } from "../import/planning/owners.js";
import type { KeyMap } from "./key-map.js";
import type { Workspace } from "./workspace.js";

/** Matches the keys of a file's rows to the known keys. */
export interface RowKeys extends KnownKeys {
  /** Called after the whole file was read, when the missing keys are known. */
  fileIsRead(): void;
  /** Returns the row with a known key. Leading zeros are ignored. */
  rowOf(known: string): number | undefined;
  /** Yields the rows whose contact had a different key before. */
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
   * Returns the only known key that is the same number and that no row in the file has. Returns undefined if there is
   * no such key or if several rows match.
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
      // The file may lack the contact's key. A row that matches the contact by --match and name may then take over the
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

/** Returns whether a key is a number, which can gain or lose leading zeros with the column format. */
function isNumber(key: string): boolean {
  return /^\d+$/.test(key);
}
