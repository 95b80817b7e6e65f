import type { Database } from "../../../base/database.js";

const schema = `
  CREATE TABLE IF NOT EXISTS owners (id TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS owners_number ON owners (number);
`;

/** Assigns each resource to at most one row, so that no two rows overwrite the same resource. */
export interface Owners {
  knownId(row: number): string | undefined;
  /** Whether rows have their own keys. A row is then matched by its other values only if its key is new. */
  readonly hasKeys: boolean;
  isFree(id: string, row: number): boolean;
  take(id: string, row: number): void;
  /** Removes the row's assignment, so that the row can be decided again. */
  release(row: number): void;
  rowOf(id: string): number | undefined;
}

export interface KnownKeys {
  knownId(row: number): string | undefined;
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
