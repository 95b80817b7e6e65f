export const calendarsSchema = `
CREATE TABLE calendars (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  schedules TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organization_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX calendars_by_position ON calendars(organization_id, id);
`;
