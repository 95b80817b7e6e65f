import type { Database } from "../../../base/database.js";

const schema = `
  CREATE TABLE IF NOT EXISTS owners (id TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS owners_number ON owners (number);
`;

/**
 * Assigns resources to rows if each resource belongs to one row, so that two rows never overwrite each other.
 */
export interface Owners {
  /** The id of the resource that the row's own key identifies. */
  knownId(row: number): string | undefined;
  /** Whether rows have their own keys: then a match by content only adopts an existing resource. */
  readonly hasKeys: boolean;
  isFree(id: string, row: number): boolean;
  take(id: string, row: number): void;
  /** The row is decided again. */
  release(row: number): void;
  /** The row that owns it. */
  rowOf(id: string): number | undefined;
}

/** The resources that a caller's own keys identify. */
export interface KnownKeys {
  knownId(row: number): string | undefined;
  /** Returns whether the key of another row identifies it. */
  isOwnedByAnotherRow(id: string, row: number): boolean;
}

export function createOwners(database: Database, keys?: KnownKeys): Owners {
  database.exec(schema);
  const rowOf = (id: string) => {
    const number = database.prepare("SELECT number FROM owners WHERE id = ?").get(id)?.["number"];
    return number === undefined ? undefined : Number(number);
  };
  return {
    hasKeys: keys !== undefined,
    knownId: (row) => keys?.knownId(row),
    isFree(id, row) {
      const owner = rowOf(id);
      return (owner === undefined || owner === row) && keys?.isOwnedByAnotherRow(id, row) !== true;
    },
    take: (id, row) => void database.prepare("INSERT OR REPLACE INTO owners VALUES (?, ?)").run(id, row),
    release: (row) => void database.prepare("DELETE FROM owners WHERE number = ?").run(row),
    rowOf,
  };
}
