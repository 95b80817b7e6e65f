export const mirrorSchema = `
CREATE TABLE mirror (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  request TEXT NOT NULL,
  -- The collector's counters, written together with the rows that they count.
  progress TEXT NOT NULL DEFAULT '{}',
  -- Null while the mirror is being filled.
  manifest TEXT,
  -- Key of the pseudonyms, while the mirror is being filled. Without the key, pseudonyms can't be resolved.
  pseudonym_key TEXT
) STRICT;

-- Resources as the source returned them.
CREATE TABLE mirrored (
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  -- The resource as its list returned it; fields that only GET returns are in "detail".
  raw TEXT NOT NULL,
  hash TEXT NOT NULL,
  detail TEXT,
  -- The values that the emulator's own tables show; null if they equal raw and detail.
  shown TEXT,
  shown_detail TEXT,
  -- The last pass that found the resource, and whether its detail must still be read.
  pass INTEGER NOT NULL,
  wants_detail INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (resource, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mirrored_by_pass ON mirrored(resource, pass);
CREATE INDEX mirrored_wanting ON mirrored(resource, id) WHERE wants_detail = 1;

CREATE TABLE mirror_lists (
  name TEXT PRIMARY KEY,
  resource TEXT NOT NULL,
  pass INTEGER NOT NULL,
  cursor TEXT,
  done INTEGER NOT NULL,
  rows INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mirror_passes (
  pass INTEGER PRIMARY KEY,
  changed INTEGER NOT NULL DEFAULT 0,
  -- Rows that were repeated, hidden or changed silently: signs that the list is unreliable.
  signs INTEGER NOT NULL DEFAULT 0
) STRICT;

-- References to resources that don't exist.
CREATE TABLE mirror_dangling (
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (resource, id)
) STRICT, WITHOUT ROWID;

-- Fields that the contract doesn't define, and decisions that the data contradicts.
CREATE TABLE mirror_fields (
  resource TEXT NOT NULL,
  field TEXT NOT NULL,
  PRIMARY KEY (resource, field)
) STRICT, WITHOUT ROWID;
CREATE TABLE mirror_contradictions (
  decision TEXT PRIMARY KEY,
  example TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Reads of data that was not copied.
CREATE TABLE absent_reads (
  resource TEXT NOT NULL,
  -- Empty if the read was not limited to a group.
  group_id TEXT NOT NULL,
  reads INTEGER NOT NULL,
  PRIMARY KEY (resource, group_id)
) STRICT, WITHOUT ROWID;
`;

/**
 * A row stores the values from the source only if the emulator's own tables show different values. `pass` has
 * no index, because an index would make writes 10% slower.
 */
export const mirroredOnceSchema = `
CREATE TABLE mirrored_once (
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  -- The resource as its list returned it; null if the resource's own table shows exactly that.
  raw TEXT,
  hash TEXT NOT NULL,
  detail TEXT,
  -- The values that the emulator's own tables show; null if they equal raw and detail.
  shown TEXT,
  shown_detail TEXT,
  -- The last pass that found the resource, and whether its detail must still be read.
  pass INTEGER NOT NULL,
  wants_detail INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (resource, id)
) STRICT, WITHOUT ROWID;
INSERT INTO mirrored_once
  SELECT resource, id, raw, hash, detail, shown, shown_detail, pass, wants_detail FROM mirrored;
DROP TABLE mirrored;
ALTER TABLE mirrored_once RENAME TO mirrored;
CREATE INDEX mirrored_wanting ON mirrored(resource, id) WHERE wants_detail = 1;
`;

/**
 * Removes the unique constraints on names, because a copied organization may have two resources with the same
 * name. Instead, the handlers check names in each write's transaction. Each table is rebuilt, because SQLite
 * can't drop a constraint.
 */
export const freeNamesSchema = `
CREATE TABLE groups_without_constraint (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO groups_without_constraint SELECT id, organization_id, type, name, created_at, updated_at FROM groups;
DROP TABLE groups;
ALTER TABLE groups_without_constraint RENAME TO groups;
CREATE INDEX groups_by_position ON groups(organization_id, id);
CREATE INDEX groups_by_name ON groups(organization_id, type, name);

CREATE TABLE calendars_without_constraint (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  schedules TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO calendars_without_constraint
  SELECT id, organization_id, name, timezone, schedules, created_at, updated_at FROM calendars;
DROP TABLE calendars;
ALTER TABLE calendars_without_constraint RENAME TO calendars;
CREATE INDEX calendars_by_position ON calendars(organization_id, id);
CREATE INDEX calendars_by_name ON calendars(organization_id, name);

CREATE TABLE tools_without_constraint (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT NOT NULL,
  url TEXT NOT NULL,
  method TEXT NOT NULL,
  headers TEXT NOT NULL,
  parameters TEXT NOT NULL,
  secret TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tools_without_constraint
  SELECT id, organization_id, name, description, type, url, method, headers, parameters, secret, created_at, updated_at
  FROM tools;
DROP TABLE tools;
ALTER TABLE tools_without_constraint RENAME TO tools;
CREATE INDEX tools_by_position ON tools(organization_id, id);
CREATE INDEX tools_by_name ON tools(organization_id, name);
`;
