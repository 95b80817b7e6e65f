export const glossarySchema = `
CREATE TABLE glossary_items (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  term TEXT NOT NULL,
  definition TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX glossary_items_by_position ON glossary_items(organization_id, id);
CREATE INDEX glossary_items_by_group ON glossary_items(group_id, id);
`;
