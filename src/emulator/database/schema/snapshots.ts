/** The rows of each snapshot are in separate tables. See kernel/snapshots.ts. */
export const snapshotsSchema = `
CREATE TABLE snapshots (
  name TEXT PRIMARY KEY,
  -- Names its tables.
  serial INTEGER NOT NULL UNIQUE,
  -- The emulator's time when it was taken.
  taken_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
