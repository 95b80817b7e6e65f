export const toolsSchema = `
CREATE TABLE tools (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT NOT NULL,
  url TEXT NOT NULL,
  method TEXT NOT NULL,
  headers TEXT NOT NULL,
  parameters TEXT NOT NULL,
  -- Encrypted (kernel/secrets.ts); null if no secret is set.
  secret TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organization_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tools_by_position ON tools(organization_id, id);
`;
