export const groupsSchema = `
CREATE TABLE groups (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organization_id, type, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX groups_by_position ON groups(organization_id, id);
`;
