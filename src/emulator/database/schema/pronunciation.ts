export const pronunciationSchema = `
CREATE TABLE pronunciation_items (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  token TEXT NOT NULL,
  replacement TEXT,
  spell_out INTEGER NOT NULL,
  speaking_rate REAL,
  ipa TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pronunciation_items_by_position ON pronunciation_items(organization_id, id);
CREATE INDEX pronunciation_items_by_group ON pronunciation_items(group_id, id);
`;
