export const forwardingsSchema = `
CREATE TABLE forwardings (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  name TEXT,
  type TEXT NOT NULL,
  destination_type TEXT NOT NULL,
  phone_number TEXT,
  sip_uri TEXT,
  sip_refer_target TEXT,
  timeout REAL NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX forwardings_by_position ON forwardings(organization_id, id);
CREATE INDEX forwardings_by_group ON forwardings(group_id, id);
`;
