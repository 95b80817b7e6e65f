/**
 * Finds the contact of a row's own key if the key is not known exactly: a spreadsheet shows 417 as 00417, and
 * a new CRM may number its customers differently.
 */
import type { Fields } from "../../write/fields.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { Journal } from "../../write/journal/journal.js";
import { recordOf } from "../../write/values.js";
import type { KnownKeys } from "../import/planning/owners.js";
import type { KeyMap } from "./key-map.js";
import type { Workspace } from "./workspace.js";

/** The keys of a file's rows, compared with the known keys. */
export interface RowKeys extends KnownKeys {
  /** From here on, the file is read completely, including which keys it lacks. */
  fileIsRead(): void;
  /** The row that has a known key, however its number is written. */
  rowOf(known: string): number | undefined;
  /** The rows whose contact was known by another key before. */
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
  /** Returns the single known key with the same number that no row has and no other row may match. */
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
      // A key that the file no longer contains doesn't keep a contact that the row matches by --match and
      // name (K3, K4).
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

/** Leading zeros come and go with a column's format. */
function isNumber(key: string): boolean {
  return /^\d+$/.test(key);
}
