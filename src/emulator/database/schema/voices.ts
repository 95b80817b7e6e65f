/** Voices belong to the platform, so they are the same for every organization. */
export const voicesSchema = `
CREATE TABLE voices (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  languages TEXT NOT NULL,
  gender TEXT NOT NULL,
  generation TEXT NOT NULL CHECK (generation IN ('v1', 'v2')),
  -- 0 for a legacy voice that existing assistants keep, or a voice reserved for internally managed lines.
  selectable INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
