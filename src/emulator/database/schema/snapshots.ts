/** The rows of each snapshot are in separate tables (kernel/snapshots.ts). */
export const snapshotsSchema = `
CREATE TABLE snapshots (
  name TEXT PRIMARY KEY,
  -- Number in the names of the snapshot's tables.
  serial INTEGER NOT NULL UNIQUE,
  -- The emulator's time when the snapshot was created.
  taken_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
