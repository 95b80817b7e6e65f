export const emulatorSchema = `
CREATE TABLE world (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  world_id TEXT NOT NULL,
  random_seed INTEGER NOT NULL,
  clock_mode TEXT NOT NULL CHECK (clock_mode IN ('real', 'virtual')),
  clock_offset INTEGER NOT NULL,
  clock_frozen INTEGER NOT NULL,
  id_prefix TEXT NOT NULL,
  id_seconds INTEGER NOT NULL DEFAULT 0,
  id_counter INTEGER NOT NULL DEFAULT 0,
  cursor_key BLOB NOT NULL,
  key_generation INTEGER NOT NULL DEFAULT 0,
  control_token TEXT NOT NULL,
  limits TEXT NOT NULL DEFAULT '{}'
) STRICT;

CREATE TABLE distributors (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE organizations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'blocked')),
  features TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('public', 'legacy', 'oauth', 'distributor')),
  name TEXT NOT NULL,
  seeded INTEGER NOT NULL DEFAULT 0,
  organization_id TEXT REFERENCES organizations(id) ON DELETE CASCADE,
  distributor_id TEXT REFERENCES distributors(id) ON DELETE CASCADE,
  role TEXT,
  permissions TEXT,
  versions TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'revoked')),
  creator TEXT NOT NULL,
  expires_at INTEGER,
  limits TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_by_organization ON keys(organization_id);
CREATE INDEX keys_by_distributor ON keys(distributor_id);

CREATE TABLE windows (
  scope TEXT NOT NULL,
  bucket TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (scope, bucket)
) STRICT, WITHOUT ROWID;

CREATE TABLE faults (
  id TEXT PRIMARY KEY,
  operation TEXT,
  method TEXT,
  path TEXT,
  key_id TEXT,
  kind TEXT NOT NULL,
  probability REAL,
  times INTEGER,
  skip INTEGER NOT NULL DEFAULT 0,
  delay_ms INTEGER,
  expires_at INTEGER,
  matched INTEGER NOT NULL DEFAULT 0,
  struck INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT,
  rule TEXT,
  duration_ms REAL NOT NULL,
  key_id TEXT,
  request_body TEXT,
  response_body TEXT
) STRICT;
`;
