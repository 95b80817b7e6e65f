-- A world as voxctl wrote it in format 4, and its key: a78d5c3faafbb48f8c2538ab055fe0efe1c68d9466dc9f9c54fb5c0d7d005f0a
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1987016803;
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
, number_pool INTEGER NOT NULL DEFAULT 1000, distributor_id TEXT REFERENCES distributors(id) ON DELETE CASCADE, type TEXT CHECK (type IN ('msp', 'customer')), parent_id TEXT REFERENCES organizations(id), external_id TEXT, blocked_reason TEXT) STRICT, WITHOUT ROWID;
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
CREATE TABLE groups (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organization_id, type, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE contacts (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  phone_numbers TEXT NOT NULL,
  emails TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE voices (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  languages TEXT NOT NULL,
  gender TEXT NOT NULL,
  generation TEXT NOT NULL CHECK (generation IN ('v1', 'v2')),
  -- 0: a legacy voice that old assistants keep, or one reserved for internally managed lines.
  selectable INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE prompts (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  -- When the last save asked for a rating; null where rating was off.
  rating_asked_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE assistants (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  voice_id TEXT NOT NULL,
  company_name TEXT NOT NULL,
  company_industry TEXT NOT NULL,
  introduction TEXT NOT NULL,
  phone_number TEXT UNIQUE,
  carrier TEXT,
  prompt_id TEXT,
  email_prompt_id TEXT,
  knowledge_group_ids TEXT NOT NULL DEFAULT '[]',
  glossary_group_ids TEXT NOT NULL DEFAULT '[]',
  pronunciation_group_ids TEXT NOT NULL DEFAULT '[]',
  forwarding_group_ids TEXT NOT NULL DEFAULT '[]',
  calendar_ids TEXT NOT NULL DEFAULT '[]',
  tool_ids TEXT NOT NULL DEFAULT '[]',
  -- As the API shows it: without its credential.
  pre_call_webhook TEXT,
  -- The credential, encrypted (kernel/secrets.ts).
  webhook_credential TEXT,
  -- Set by the control interface only.
  enterprise INTEGER NOT NULL DEFAULT 0,
  greeting_locked INTEGER NOT NULL DEFAULT 0,
  blocked_numbers TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE numbers (
  serial INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  -- Null while its assistant exists.
  free_at INTEGER
) STRICT;
CREATE TABLE calls (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  assistant_id TEXT NOT NULL,
  -- The assistant's number when the call was made.
  assistant_phone TEXT,
  direction TEXT NOT NULL CHECK (direction IN ('inbound', 'outbound')),
  from_number TEXT,
  to_number TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('completed', 'no_answer', 'busy', 'failed')),
  rings_at INTEGER NOT NULL,
  -- Null when nobody answers.
  answered_at INTEGER,
  ended_at INTEGER NOT NULL,
  duration_seconds INTEGER NOT NULL,
  recording_format TEXT CHECK (recording_format IN ('flac', 'wav', 'mpeg')),
  -- When the recording has been processed.
  recorded_at INTEGER,
  recording_erased_at INTEGER,
  details TEXT,
  transcript TEXT NOT NULL DEFAULT '[]',
  analyses TEXT NOT NULL DEFAULT '[]',
  notes TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE knowledge_items (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  active INTEGER NOT NULL,
  indexing_asked_at INTEGER NOT NULL,
  -- 'lost': the queue never got it, so it stays pending.
  indexing_ends TEXT NOT NULL CHECK (indexing_ends IN ('synced', 'failed', 'lost')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE knowledge_texts (
  knowledge_item_id TEXT PRIMARY KEY REFERENCES knowledge_items(id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;
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
CREATE TABLE glossary_items (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  term TEXT NOT NULL,
  definition TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
  -- Encrypted (kernel/secrets.ts); null where there is none.
  secret TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organization_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE licenses (
  id TEXT PRIMARY KEY,
  distributor_id TEXT NOT NULL REFERENCES distributors(id) ON DELETE CASCADE,
  external_id TEXT NOT NULL,
  product TEXT,
  status TEXT NOT NULL CHECK (status IN ('available', 'assigned', 'disabled')),
  owner_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  -- Held by one organization at most, and each holds one at most.
  assigned_id TEXT UNIQUE REFERENCES organizations(id),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (distributor_id, external_id),
  -- v2.license.states
  CHECK (CASE status WHEN 'available' THEN assigned_id IS NULL WHEN 'assigned' THEN assigned_id IS NOT NULL ELSE 1 END)
) STRICT, WITHOUT ROWID;
CREATE TABLE partners (
  id TEXT PRIMARY KEY,
  distributor_id TEXT NOT NULL REFERENCES distributors(id) ON DELETE CASCADE,
  external_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (distributor_id, external_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE plans (
  organization_id TEXT PRIMARY KEY REFERENCES organizations(id) ON DELETE CASCADE,
  plan TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshots (
  name TEXT PRIMARY KEY,
  -- Names its tables.
  serial INTEGER NOT NULL UNIQUE,
  -- The world's time when it was taken.
  taken_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshot_1_assistants(
  id TEXT,
  organization_id TEXT,
  name TEXT,
  language TEXT,
  voice_id TEXT,
  company_name TEXT,
  company_industry TEXT,
  introduction TEXT,
  phone_number TEXT,
  carrier TEXT,
  prompt_id TEXT,
  email_prompt_id TEXT,
  knowledge_group_ids TEXT,
  glossary_group_ids TEXT,
  pronunciation_group_ids TEXT,
  forwarding_group_ids TEXT,
  calendar_ids TEXT,
  tool_ids TEXT,
  pre_call_webhook TEXT,
  webhook_credential TEXT,
  enterprise INT,
  greeting_locked INT,
  blocked_numbers TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_calendars(
  id TEXT,
  organization_id TEXT,
  name TEXT,
  timezone TEXT,
  schedules TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_calls(
  id TEXT,
  organization_id TEXT,
  assistant_id TEXT,
  assistant_phone TEXT,
  direction TEXT,
  from_number TEXT,
  to_number TEXT,
  outcome TEXT,
  rings_at INT,
  answered_at INT,
  ended_at INT,
  duration_seconds INT,
  recording_format TEXT,
  recorded_at INT,
  recording_erased_at INT,
  details TEXT,
  transcript TEXT,
  analyses TEXT,
  notes TEXT,
  created_at INT
);
CREATE TABLE snapshot_1_contacts(
  id TEXT,
  organization_id TEXT,
  group_id TEXT,
  first_name TEXT,
  last_name TEXT,
  phone_numbers TEXT,
  emails TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_distributors(
  id TEXT,
  name TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_faults(
  id TEXT,
  operation TEXT,
  method TEXT,
  path TEXT,
  key_id TEXT,
  kind TEXT,
  probability REAL,
  times INT,
  skip INT,
  delay_ms INT,
  expires_at INT,
  matched INT,
  struck INT,
  created_at INT
);
CREATE TABLE snapshot_1_forwardings(
  id TEXT,
  organization_id TEXT,
  group_id TEXT,
  name TEXT,
  type TEXT,
  destination_type TEXT,
  phone_number TEXT,
  sip_uri TEXT,
  sip_refer_target TEXT,
  timeout REAL,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_glossary_items(
  id TEXT,
  organization_id TEXT,
  group_id TEXT,
  term TEXT,
  definition TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_groups(
  id TEXT,
  organization_id TEXT,
  type TEXT,
  name TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_keys(
  id TEXT,
  digest,
  prefix TEXT,
  kind TEXT,
  name TEXT,
  seeded INT,
  organization_id TEXT,
  distributor_id TEXT,
  role TEXT,
  permissions TEXT,
  versions TEXT,
  status TEXT,
  creator TEXT,
  expires_at INT,
  limits TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_knowledge_items(
  id TEXT,
  organization_id TEXT,
  group_id TEXT,
  name TEXT,
  active INT,
  indexing_asked_at INT,
  indexing_ends TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_knowledge_texts(
  knowledge_item_id TEXT,
  text TEXT
);
CREATE TABLE snapshot_1_licenses(
  id TEXT,
  distributor_id TEXT,
  external_id TEXT,
  product TEXT,
  status TEXT,
  owner_id TEXT,
  assigned_id TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_numbers(
  serial INT,
  organization_id TEXT,
  free_at INT
);
CREATE TABLE snapshot_1_organizations(
  id TEXT,
  name TEXT,
  status TEXT,
  features TEXT,
  created_at INT,
  updated_at INT,
  number_pool INT,
  distributor_id TEXT,
  type TEXT,
  parent_id TEXT,
  external_id TEXT,
  blocked_reason TEXT
);
CREATE TABLE snapshot_1_partners(
  id TEXT,
  distributor_id TEXT,
  external_id TEXT,
  name TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_plans(
  organization_id TEXT,
  "plan" TEXT
);
CREATE TABLE snapshot_1_prompts(
  id TEXT,
  organization_id TEXT,
  name TEXT,
  kind TEXT,
  text TEXT,
  rating_asked_at INT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_pronunciation_items(
  id TEXT,
  organization_id TEXT,
  group_id TEXT,
  token TEXT,
  replacement TEXT,
  spell_out INT,
  speaking_rate REAL,
  ipa TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_requests(
  id INT,
  at INT,
  method TEXT,
  path TEXT,
  status INT,
  code TEXT,
  rule TEXT,
  duration_ms REAL,
  key_id TEXT,
  request_body TEXT,
  response_body TEXT
);
CREATE TABLE snapshot_1_tools(
  id TEXT,
  organization_id TEXT,
  name TEXT,
  description TEXT,
  type TEXT,
  url TEXT,
  method TEXT,
  headers TEXT,
  parameters TEXT,
  secret TEXT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_voices(
  id TEXT,
  name TEXT,
  languages TEXT,
  gender TEXT,
  generation TEXT,
  selectable INT,
  created_at INT,
  updated_at INT
);
CREATE TABLE snapshot_1_windows(
  scope TEXT,
  bucket TEXT,
  started_at INT,
  count INT
);
CREATE TABLE snapshot_1_world(
  id INT,
  world_id TEXT,
  random_seed INT,
  clock_mode TEXT,
  clock_offset INT,
  clock_frozen INT,
  id_prefix TEXT,
  id_seconds INT,
  id_counter INT,
  cursor_key,
  key_generation INT,
  control_token TEXT,
  limits TEXT
);
CREATE INDEX keys_by_organization ON keys(organization_id);
CREATE INDEX keys_by_distributor ON keys(distributor_id);
CREATE INDEX groups_by_position ON groups(organization_id, id);
CREATE INDEX contacts_by_position ON contacts(organization_id, id);
CREATE INDEX contacts_by_group ON contacts(group_id, id);
CREATE INDEX prompts_by_position ON prompts(organization_id, id);
CREATE INDEX assistants_by_position ON assistants(organization_id, id);
CREATE INDEX assistants_by_prompt ON assistants(prompt_id);
CREATE INDEX numbers_by_organization ON numbers(organization_id);
CREATE INDEX numbers_by_end ON numbers(free_at) WHERE free_at IS NOT NULL;
CREATE INDEX calls_by_time ON calls(organization_id, created_at, id);
CREATE INDEX calls_by_assistant ON calls(organization_id, assistant_id, created_at, id);
CREATE INDEX calls_by_phone ON calls(organization_id, assistant_phone, created_at, id);
CREATE INDEX calls_outbound ON calls(assistant_id, created_at) WHERE direction = 'outbound';
CREATE INDEX calls_by_end ON calls(ended_at);
CREATE INDEX calls_counted ON calls(organization_id, created_at, ended_at, duration_seconds)
  WHERE outcome = 'completed';
CREATE INDEX calls_counted_by_assistant
  ON calls(organization_id, assistant_id, created_at, ended_at, duration_seconds) WHERE outcome = 'completed';
CREATE INDEX knowledge_items_by_position ON knowledge_items(organization_id, id);
CREATE INDEX knowledge_items_by_group ON knowledge_items(group_id, id);
CREATE INDEX knowledge_items_by_indexing ON knowledge_items(indexing_asked_at);
CREATE INDEX forwardings_by_position ON forwardings(organization_id, id);
CREATE INDEX forwardings_by_group ON forwardings(group_id, id);
CREATE INDEX glossary_items_by_position ON glossary_items(organization_id, id);
CREATE INDEX glossary_items_by_group ON glossary_items(group_id, id);
CREATE INDEX pronunciation_items_by_position ON pronunciation_items(organization_id, id);
CREATE INDEX pronunciation_items_by_group ON pronunciation_items(group_id, id);
CREATE INDEX calendars_by_position ON calendars(organization_id, id);
CREATE INDEX tools_by_position ON tools(organization_id, id);
CREATE UNIQUE INDEX organizations_by_external_id ON organizations(distributor_id, external_id);
CREATE INDEX organizations_by_distributor ON organizations(distributor_id, id);
CREATE INDEX organizations_by_parent ON organizations(parent_id, id);
CREATE INDEX licenses_by_owner ON licenses(owner_id, id);
CREATE VIEW partner_view AS
  SELECT partner.id, partner.distributor_id, partner.external_id, coalesce(msp.name, partner.name) AS name,
    coalesce(msp.status, 'inactive') AS status, msp.id AS organization_id, partner.created_at
  FROM partners partner
  LEFT JOIN organizations msp ON msp.distributor_id = partner.distributor_id
    AND msp.external_id = partner.external_id AND msp.type = 'msp'
  UNION ALL
  SELECT msp.id, msp.distributor_id, msp.external_id, msp.name, msp.status, msp.id, msp.created_at
  FROM organizations msp
  WHERE msp.type = 'msp' AND NOT EXISTS (
    SELECT 1 FROM partners partner
    WHERE partner.distributor_id = msp.distributor_id AND partner.external_id = msp.external_id
  );
CREATE VIEW customer_view AS
  SELECT customer.id, customer.distributor_id, customer.external_id, msp.external_id AS partner_external_id,
    customer.parent_id, customer.name, plans.plan, customer.status, customer.created_at
  FROM organizations customer
  JOIN organizations msp ON msp.id = customer.parent_id
  LEFT JOIN plans ON plans.organization_id = customer.id
  WHERE customer.type = 'customer';
INSERT INTO "world" ("id", "world_id", "random_seed", "clock_mode", "clock_offset", "clock_frozen", "id_prefix", "id_seconds", "id_counter", "cursor_key", "key_generation", "control_token", "limits") VALUES (1, 'f362db2979804986838eff26', 1, 'virtual', -22893433412, 1772442090000, '22b109816a', 1772442090, 1, X'0c517bfd6a2ec600f9de28697c1db388afdd83220a675fde661e6953d05fe799', 0, 'khmJc143V0l2Q86C29Yj_qaNew_RRSwH', '{}');
INSERT INTO "distributors" ("id", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000000', 'Distributor', 1772442000000, 1772442000000);
INSERT INTO "organizations" ("id", "name", "status", "features", "created_at", "updated_at", "number_pool", "distributor_id", "type", "parent_id", "external_id", "blocked_reason") VALUES ('69a5519022b109816a000001', 'Organization', 'active', '["public_api","outbound_calls","knowledge","statistics","mcp"]', 1772442000000, 1772442000000, 998, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000007', X'e4f7aa4a7c1d681321e162cd2faab112401cd834567122ece5d54ab08cc09558', 'nDGWxpAb', 'public', 'admin', 1, '69a5519022b109816a000001', NULL, 'admin', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000008', X'0da05e9d66569828e18f3c5a3ab9a5b9291ba9d342532caa7d7a64d273566d4c', 'piKX3C3D', 'public', 'editor', 1, '69a5519022b109816a000001', NULL, 'editor', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000009', X'57cc6e669d998e091242d3e9b77659713bd2a15b71c22dd93acdad42e742c6d0', 'ZMBOsvTv', 'public', 'caller', 1, '69a5519022b109816a000001', NULL, 'caller', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000a', X'becb2c4221c34c4818a2932f1991feb5a43f795539dcb72e139eb7459fdfe037', 'deIboq43', 'public', 'viewer', 1, '69a5519022b109816a000001', NULL, 'viewer', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000b', X'a81c5e901b584cc6052a9fc0d611b97e95157869b3b9755e4c5f9307230497b0', 'vak_rF0G', 'legacy', 'legacy', 1, '69a5519022b109816a000001', NULL, 'admin', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000c', X'0b9d74b15c296ffd4deefbf2bfb9be33c71535e04878421fb499023cf396aea0', 'j4T07T-q', 'distributor', 'distributor_v1', 1, NULL, '69a5519022b109816a000000', NULL, NULL, '["v1"]', 'active', 'seed', 1803978000000, NULL, 1772442000000, 1772442000000);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000d', X'465e9ee1f975daf4af9aab37e8b368bc037243c83a39ed42efc4128b6587b6df', 'nckGhDyu', 'distributor', 'distributor_v2', 1, NULL, '69a5519022b109816a000000', NULL, NULL, '["v2"]', 'active', 'seed', 1803978000000, NULL, 1772442000000, 1772442000000);
INSERT INTO "windows" ("scope", "bucket", "started_at", "count") VALUES ('69a5519022b109816a000007', 'read', 1772442090000, 1);
INSERT INTO "windows" ("scope", "bucket", "started_at", "count") VALUES ('69a5519022b109816a000007', 'write', 1772442000000, 6);
INSERT INTO "faults" ("id", "operation", "method", "path", "key_id", "kind", "probability", "times", "skip", "delay_ms", "expires_at", "matched", "struck", "created_at") VALUES ('69a551ea22b109816a000001', 'groups.get', NULL, NULL, NULL, 'error_before', NULL, NULL, 1, NULL, NULL, 0, 0, 1772442090000);
INSERT INTO "requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (1, 1772442000000, 'GET', '/api/v1/groups?type=contacts', 200, NULL, NULL, 14.409494999796152, '69a5519022b109816a000007', NULL, '{"data":[{"id":"69a5519022b109816a000002","type":"contacts","name":"Default","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}],"meta":{"has_more":false,"next_cursor":null}}');
INSERT INTO "requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (2, 1772442000000, 'POST', '/api/v1/contacts', 201, NULL, NULL, 2.097539000213146, '69a5519022b109816a000007', '{"group_id":"69a5519022b109816a000002","first_name":"Ada","last_name":"Old","phone_numbers":["+4930123456"]}', '{"data":{"id":"69a5519022b109816a000016","group_id":"69a5519022b109816a000002","first_name":"Ada","last_name":"Old","phone_numbers":["+4930123456"],"emails":[],"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (3, 1772442000000, 'GET', '/api/v1/voices', 200, NULL, NULL, 0.43941299989819527, '69a5519022b109816a000007', NULL, '{"data":[{"id":"69a5519022b109816a00000e","name":"Clara","languages":["de","en"],"gender":"female","generation":"v2","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a00000f","name":"Moritz","languages":["de","en"],"gender":"male","generation":"v2","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a000010","name":"Noa","languages":["de","en","fr"],"gender":"neutral","generation":"v2","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a000011","name":"Juliette","languages":["fr"],"gender":"female","generation":"v2","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a000012","name":"Hanna","languages":["de"],"gender":"female","generation":"v1","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a000013","name":"Oliver","languages":["en"],"gender":"male","generation":"v1","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}]}');
INSERT INTO "requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (4, 1772442000000, 'POST', '/api/v1/tools', 201, NULL, NULL, 2.1452890001237392, '69a5519022b109816a000007', '{"name":"look_up","url":"https://tools.example/look","headers":{"X-Tool-Token":"***"},"secret":"***"}', '{"data":{"id":"69a5519022b109816a000017","name":"look_up","description":"","type":"webhook","url":"https://tools.example/look","method":"POST","headers":{"X-Tool-Token":"***"},"parameters":{},"has_secret":true,"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (5, 1772442000000, 'POST', '/api/v1/assistants', 201, NULL, NULL, 5.106542999856174, '69a5519022b109816a000007', '{"name":"Front desk","language":"de","voice_id":"69a5519022b109816a00000e","company_name":"Company","company_industry":"Trade","introduction":"Guten Tag.","tool_ids":["69a5519022b109816a000017"],"pre_call_webhook":{"enabled":true,"url":"https://hooks.example/call","headers":{"X-Hook-Token":"***"},"auth":{"type":"bearer","secret":"***"}}}', '{"data":{"id":"69a5519022b109816a000018","name":"Front desk","language":"de","voice_id":"69a5519022b109816a00000e","company_name":"Company","company_industry":"Trade","introduction":"Guten Tag.","phone_number":"+4932221000001","carrier":"emulated","prompt_id":null,"email_prompt_id":null,"knowledge_group_ids":[],"glossary_group_ids":[],"pronunciation_group_ids":[],"forwarding_group_ids":[],"calendar_ids":[],"tool_ids":["69a5519022b109816a000017"],"pre_call_webhook":{"enabled":true,"url":"https://hooks.example/call","headers":{"X-Hook-Token":"***"},"auth":{"type":"bearer","has_secret":true}},"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (6, 1772442000000, 'POST', '/api/v1/assistants', 201, NULL, NULL, 0.6669610003009439, '69a5519022b109816a000007', '{"name":"No webhook","language":"de","voice_id":"69a5519022b109816a00000e","company_name":"Company","company_industry":"Trade","introduction":"Hallo."}', '{"data":{"id":"69a5519022b109816a000019","name":"No webhook","language":"de","voice_id":"69a5519022b109816a00000e","company_name":"Company","company_industry":"Trade","introduction":"Hallo.","phone_number":"+4932221000002","carrier":"emulated","prompt_id":null,"email_prompt_id":null,"knowledge_group_ids":[],"glossary_group_ids":[],"pronunciation_group_ids":[],"forwarding_group_ids":[],"calendar_ids":[],"tool_ids":[],"pre_call_webhook":null,"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (7, 1772442000000, 'PATCH', '/api/v1/tools/69a5519022b109816a000017', 200, NULL, NULL, 5.810600000433624, '69a5519022b109816a000007', '{"headers":{"X-Tool-Token":"***","__proto__x":"***"}}', '{"data":{"id":"69a5519022b109816a000017","name":"look_up","description":"","type":"webhook","url":"https://tools.example/look","method":"POST","headers":{"X-Tool-Token":"***","__proto__x":"***"},"parameters":{},"has_secret":true,"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (8, 1772442000000, 'PATCH', '/api/v1/assistants/69a5519022b109816a000018', 200, NULL, NULL, 1.7179140001535416, '69a5519022b109816a000007', '{"pre_call_webhook":{"enabled":true,"url":"https://hooks.example/call","headers":{"X-Hook-Token":"***"}}}', '{"data":{"id":"69a5519022b109816a000018","name":"Front desk","language":"de","voice_id":"69a5519022b109816a00000e","company_name":"Company","company_industry":"Trade","introduction":"Guten Tag.","phone_number":"+4932221000001","carrier":"emulated","prompt_id":null,"email_prompt_id":null,"knowledge_group_ids":[],"glossary_group_ids":[],"pronunciation_group_ids":[],"forwarding_group_ids":[],"calendar_ids":[],"tool_ids":["69a5519022b109816a000017"],"pre_call_webhook":{"enabled":true,"url":"https://hooks.example/call","headers":{"X-Hook-Token":"***"},"auth":{"type":"bearer","has_secret":true}},"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (9, 1772442090000, 'GET', '/api/v1/contacts?limit=1', 200, NULL, NULL, 1.1602349998429418, '69a5519022b109816a000007', NULL, '{"data":[{"id":"69a5519022b109816a000016","group_id":"69a5519022b109816a000002","first_name":"Ada","last_name":"Old","phone_numbers":["+4930123456"],"emails":[],"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}],"meta":{"has_more":false,"next_cursor":null}}');
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000002', '69a5519022b109816a000001', 'contacts', 'Default', 1772442000000, 1772442000000);
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000003', '69a5519022b109816a000001', 'knowledges', 'Default', 1772442000000, 1772442000000);
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000004', '69a5519022b109816a000001', 'forwardings', 'Default', 1772442000000, 1772442000000);
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000005', '69a5519022b109816a000001', 'glossaries', 'Default', 1772442000000, 1772442000000);
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000006', '69a5519022b109816a000001', 'pronunciations', 'Default', 1772442000000, 1772442000000);
INSERT INTO "contacts" ("id", "organization_id", "group_id", "first_name", "last_name", "phone_numbers", "emails", "created_at", "updated_at") VALUES ('69a5519022b109816a000016', '69a5519022b109816a000001', '69a5519022b109816a000002', 'Ada', 'Old', '["+4930123456"]', '[]', 1772442000000, 1772442000000);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a00000e', 'Clara', '["de","en"]', 'female', 'v2', 1, 1772442000000, 1772442000000);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a00000f', 'Moritz', '["de","en"]', 'male', 'v2', 1, 1772442000000, 1772442000000);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000010', 'Noa', '["de","en","fr"]', 'neutral', 'v2', 1, 1772442000000, 1772442000000);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000011', 'Juliette', '["fr"]', 'female', 'v2', 1, 1772442000000, 1772442000000);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000012', 'Hanna', '["de"]', 'female', 'v1', 1, 1772442000000, 1772442000000);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000013', 'Oliver', '["en"]', 'male', 'v1', 1, 1772442000000, 1772442000000);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000014', 'Gisela (legacy)', '["de"]', 'female', 'v1', 0, 1772442000000, 1772442000000);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000015', 'Line 1 (reserved)', '["de","en"]', 'neutral', 'v2', 0, 1772442000000, 1772442000000);
INSERT INTO "assistants" ("id", "organization_id", "name", "language", "voice_id", "company_name", "company_industry", "introduction", "phone_number", "carrier", "prompt_id", "email_prompt_id", "knowledge_group_ids", "glossary_group_ids", "pronunciation_group_ids", "forwarding_group_ids", "calendar_ids", "tool_ids", "pre_call_webhook", "webhook_credential", "enterprise", "greeting_locked", "blocked_numbers", "created_at", "updated_at") VALUES ('69a5519022b109816a000018', '69a5519022b109816a000001', 'Front desk', 'de', '69a5519022b109816a00000e', 'Company', 'Trade', 'Guten Tag.', '+4932221000001', 'emulated', NULL, NULL, '[]', '[]', '[]', '[]', '[]', '["69a5519022b109816a000017"]', '{"enabled":true,"url":"https://hooks.example/call","headers":{"X-Hook-Token":"hook-header-after"},"auth":{"type":"bearer","has_secret":true}}', 'Tn86yTMK23YEcrpO2r6Hn1KMp8-r1inbiMQWczN_tpqZFERBx15i', 0, 0, '[]', 1772442000000, 1772442000000);
INSERT INTO "assistants" ("id", "organization_id", "name", "language", "voice_id", "company_name", "company_industry", "introduction", "phone_number", "carrier", "prompt_id", "email_prompt_id", "knowledge_group_ids", "glossary_group_ids", "pronunciation_group_ids", "forwarding_group_ids", "calendar_ids", "tool_ids", "pre_call_webhook", "webhook_credential", "enterprise", "greeting_locked", "blocked_numbers", "created_at", "updated_at") VALUES ('69a5519022b109816a000019', '69a5519022b109816a000001', 'No webhook', 'de', '69a5519022b109816a00000e', 'Company', 'Trade', 'Hallo.', '+4932221000002', 'emulated', NULL, NULL, '[]', '[]', '[]', '[]', '[]', '[]', NULL, NULL, 0, 0, '[]', 1772442000000, 1772442000000);
INSERT INTO "numbers" ("serial", "organization_id", "free_at") VALUES (1, '69a5519022b109816a000001', NULL);
INSERT INTO "numbers" ("serial", "organization_id", "free_at") VALUES (2, '69a5519022b109816a000001', NULL);
INSERT INTO "calls" ("id", "organization_id", "assistant_id", "assistant_phone", "direction", "from_number", "to_number", "outcome", "rings_at", "answered_at", "ended_at", "duration_seconds", "recording_format", "recorded_at", "recording_erased_at", "details", "transcript", "analyses", "notes", "created_at") VALUES ('69a551ea22b109816a000000', '69a5519022b109816a000001', '69a5519022b109816a000018', '+4932221000001', 'inbound', '+493023125999', '+4932221000001', 'completed', 1772442030000, 1772442030000, 1772442090000, 60, NULL, NULL, NULL, NULL, '[{"role":"assistant","text":"Guten Tag.","offset_seconds":0},{"role":"user","text":"Gut, dass Sie anrufen. Worum geht es?","offset_seconds":6},{"role":"user","text":"Verstanden, vielen Dank.","offset_seconds":48},{"role":"assistant","text":"Ich danke Ihnen. Auf Wiederhören!","offset_seconds":55}]', '[{"name":"turns","value":"4"},{"name":"goal_reached","value":"no"}]', '[]', 1772442030000);
INSERT INTO "tools" ("id", "organization_id", "name", "description", "type", "url", "method", "headers", "parameters", "secret", "created_at", "updated_at") VALUES ('69a5519022b109816a000017', '69a5519022b109816a000001', 'look_up', '', 'webhook', 'https://tools.example/look', 'POST', '{"X-Tool-Token":"tool-header-after","__proto__x":"1"}', '{}', 'uDB3bmMiwMNtBM_94Femjb12WCTCwA7pkRrvjirmgvQA0rtkLu9n', 1772442000000, 1772442000000);
INSERT INTO "snapshots" ("name", "serial", "taken_at") VALUES ('before', 1, 1772442000000);
INSERT INTO "snapshot_1_assistants" ("id", "organization_id", "name", "language", "voice_id", "company_name", "company_industry", "introduction", "phone_number", "carrier", "prompt_id", "email_prompt_id", "knowledge_group_ids", "glossary_group_ids", "pronunciation_group_ids", "forwarding_group_ids", "calendar_ids", "tool_ids", "pre_call_webhook", "webhook_credential", "enterprise", "greeting_locked", "blocked_numbers", "created_at", "updated_at") VALUES ('69a5519022b109816a000018', '69a5519022b109816a000001', 'Front desk', 'de', '69a5519022b109816a00000e', 'Company', 'Trade', 'Guten Tag.', '+4932221000001', 'emulated', NULL, NULL, '[]', '[]', '[]', '[]', '[]', '["69a5519022b109816a000017"]', '{"enabled":true,"url":"https://hooks.example/call","headers":{"X-Hook-Token":"hook-header-before"},"auth":{"type":"bearer","has_secret":true}}', 'Tn86yTMK23YEcrpO2r6Hn1KMp8-r1inbiMQWczN_tpqZFERBx15i', 0, 0, '[]', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_assistants" ("id", "organization_id", "name", "language", "voice_id", "company_name", "company_industry", "introduction", "phone_number", "carrier", "prompt_id", "email_prompt_id", "knowledge_group_ids", "glossary_group_ids", "pronunciation_group_ids", "forwarding_group_ids", "calendar_ids", "tool_ids", "pre_call_webhook", "webhook_credential", "enterprise", "greeting_locked", "blocked_numbers", "created_at", "updated_at") VALUES ('69a5519022b109816a000019', '69a5519022b109816a000001', 'No webhook', 'de', '69a5519022b109816a00000e', 'Company', 'Trade', 'Hallo.', '+4932221000002', 'emulated', NULL, NULL, '[]', '[]', '[]', '[]', '[]', '[]', NULL, NULL, 0, 0, '[]', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_contacts" ("id", "organization_id", "group_id", "first_name", "last_name", "phone_numbers", "emails", "created_at", "updated_at") VALUES ('69a5519022b109816a000016', '69a5519022b109816a000001', '69a5519022b109816a000002', 'Ada', 'Old', '["+4930123456"]', '[]', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_distributors" ("id", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000000', 'Distributor', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000002', '69a5519022b109816a000001', 'contacts', 'Default', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000003', '69a5519022b109816a000001', 'knowledges', 'Default', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000004', '69a5519022b109816a000001', 'forwardings', 'Default', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000005', '69a5519022b109816a000001', 'glossaries', 'Default', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000006', '69a5519022b109816a000001', 'pronunciations', 'Default', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000007', X'e4f7aa4a7c1d681321e162cd2faab112401cd834567122ece5d54ab08cc09558', 'nDGWxpAb', 'public', 'admin', 1, '69a5519022b109816a000001', NULL, 'admin', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000008', X'0da05e9d66569828e18f3c5a3ab9a5b9291ba9d342532caa7d7a64d273566d4c', 'piKX3C3D', 'public', 'editor', 1, '69a5519022b109816a000001', NULL, 'editor', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000009', X'57cc6e669d998e091242d3e9b77659713bd2a15b71c22dd93acdad42e742c6d0', 'ZMBOsvTv', 'public', 'caller', 1, '69a5519022b109816a000001', NULL, 'caller', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000a', X'becb2c4221c34c4818a2932f1991feb5a43f795539dcb72e139eb7459fdfe037', 'deIboq43', 'public', 'viewer', 1, '69a5519022b109816a000001', NULL, 'viewer', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000b', X'a81c5e901b584cc6052a9fc0d611b97e95157869b3b9755e4c5f9307230497b0', 'vak_rF0G', 'legacy', 'legacy', 1, '69a5519022b109816a000001', NULL, 'admin', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000c', X'0b9d74b15c296ffd4deefbf2bfb9be33c71535e04878421fb499023cf396aea0', 'j4T07T-q', 'distributor', 'distributor_v1', 1, NULL, '69a5519022b109816a000000', NULL, NULL, '["v1"]', 'active', 'seed', 1803978000000, NULL, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000d', X'465e9ee1f975daf4af9aab37e8b368bc037243c83a39ed42efc4128b6587b6df', 'nckGhDyu', 'distributor', 'distributor_v2', 1, NULL, '69a5519022b109816a000000', NULL, NULL, '["v2"]', 'active', 'seed', 1803978000000, NULL, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_numbers" ("serial", "organization_id", "free_at") VALUES (1, '69a5519022b109816a000001', NULL);
INSERT INTO "snapshot_1_numbers" ("serial", "organization_id", "free_at") VALUES (2, '69a5519022b109816a000001', NULL);
INSERT INTO "snapshot_1_organizations" ("id", "name", "status", "features", "created_at", "updated_at", "number_pool", "distributor_id", "type", "parent_id", "external_id", "blocked_reason") VALUES ('69a5519022b109816a000001', 'Organization', 'active', '["public_api","outbound_calls","knowledge","statistics","mcp"]', 1772442000000, 1772442000000, 998, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "snapshot_1_requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (1, 1772442000000, 'GET', '/api/v1/groups?type=contacts', 200, NULL, NULL, 14.409494999796152, '69a5519022b109816a000007', NULL, '{"data":[{"id":"69a5519022b109816a000002","type":"contacts","name":"Default","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}],"meta":{"has_more":false,"next_cursor":null}}');
INSERT INTO "snapshot_1_requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (2, 1772442000000, 'POST', '/api/v1/contacts', 201, NULL, NULL, 2.097539000213146, '69a5519022b109816a000007', '{"group_id":"69a5519022b109816a000002","first_name":"Ada","last_name":"Old","phone_numbers":["+4930123456"]}', '{"data":{"id":"69a5519022b109816a000016","group_id":"69a5519022b109816a000002","first_name":"Ada","last_name":"Old","phone_numbers":["+4930123456"],"emails":[],"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "snapshot_1_requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (3, 1772442000000, 'GET', '/api/v1/voices', 200, NULL, NULL, 0.43941299989819527, '69a5519022b109816a000007', NULL, '{"data":[{"id":"69a5519022b109816a00000e","name":"Clara","languages":["de","en"],"gender":"female","generation":"v2","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a00000f","name":"Moritz","languages":["de","en"],"gender":"male","generation":"v2","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a000010","name":"Noa","languages":["de","en","fr"],"gender":"neutral","generation":"v2","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a000011","name":"Juliette","languages":["fr"],"gender":"female","generation":"v2","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a000012","name":"Hanna","languages":["de"],"gender":"female","generation":"v1","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"},{"id":"69a5519022b109816a000013","name":"Oliver","languages":["en"],"gender":"male","generation":"v1","created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}]}');
INSERT INTO "snapshot_1_requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (4, 1772442000000, 'POST', '/api/v1/tools', 201, NULL, NULL, 2.1452890001237392, '69a5519022b109816a000007', '{"name":"look_up","url":"https://tools.example/look","headers":{"X-Tool-Token":"***"},"secret":"***"}', '{"data":{"id":"69a5519022b109816a000017","name":"look_up","description":"","type":"webhook","url":"https://tools.example/look","method":"POST","headers":{"X-Tool-Token":"***"},"parameters":{},"has_secret":true,"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "snapshot_1_requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (5, 1772442000000, 'POST', '/api/v1/assistants', 201, NULL, NULL, 5.106542999856174, '69a5519022b109816a000007', '{"name":"Front desk","language":"de","voice_id":"69a5519022b109816a00000e","company_name":"Company","company_industry":"Trade","introduction":"Guten Tag.","tool_ids":["69a5519022b109816a000017"],"pre_call_webhook":{"enabled":true,"url":"https://hooks.example/call","headers":{"X-Hook-Token":"***"},"auth":{"type":"bearer","secret":"***"}}}', '{"data":{"id":"69a5519022b109816a000018","name":"Front desk","language":"de","voice_id":"69a5519022b109816a00000e","company_name":"Company","company_industry":"Trade","introduction":"Guten Tag.","phone_number":"+4932221000001","carrier":"emulated","prompt_id":null,"email_prompt_id":null,"knowledge_group_ids":[],"glossary_group_ids":[],"pronunciation_group_ids":[],"forwarding_group_ids":[],"calendar_ids":[],"tool_ids":["69a5519022b109816a000017"],"pre_call_webhook":{"enabled":true,"url":"https://hooks.example/call","headers":{"X-Hook-Token":"***"},"auth":{"type":"bearer","has_secret":true}},"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "snapshot_1_requests" ("id", "at", "method", "path", "status", "code", "rule", "duration_ms", "key_id", "request_body", "response_body") VALUES (6, 1772442000000, 'POST', '/api/v1/assistants', 201, NULL, NULL, 0.6669610003009439, '69a5519022b109816a000007', '{"name":"No webhook","language":"de","voice_id":"69a5519022b109816a00000e","company_name":"Company","company_industry":"Trade","introduction":"Hallo."}', '{"data":{"id":"69a5519022b109816a000019","name":"No webhook","language":"de","voice_id":"69a5519022b109816a00000e","company_name":"Company","company_industry":"Trade","introduction":"Hallo.","phone_number":"+4932221000002","carrier":"emulated","prompt_id":null,"email_prompt_id":null,"knowledge_group_ids":[],"glossary_group_ids":[],"pronunciation_group_ids":[],"forwarding_group_ids":[],"calendar_ids":[],"tool_ids":[],"pre_call_webhook":null,"created_at":"2026-03-02T09:00:00.000Z","updated_at":"2026-03-02T09:00:00.000Z"}}');
INSERT INTO "snapshot_1_tools" ("id", "organization_id", "name", "description", "type", "url", "method", "headers", "parameters", "secret", "created_at", "updated_at") VALUES ('69a5519022b109816a000017', '69a5519022b109816a000001', 'look_up', '', 'webhook', 'https://tools.example/look', 'POST', '{"X-Tool-Token":"tool-header-before"}', '{}', 'uDB3bmMiwMNtBM_94Femjb12WCTCwA7pkRrvjirmgvQA0rtkLu9n', 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a00000e', 'Clara', '["de","en"]', 'female', 'v2', 1, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a00000f', 'Moritz', '["de","en"]', 'male', 'v2', 1, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000010', 'Noa', '["de","en","fr"]', 'neutral', 'v2', 1, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000011', 'Juliette', '["fr"]', 'female', 'v2', 1, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000012', 'Hanna', '["de"]', 'female', 'v1', 1, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000013', 'Oliver', '["en"]', 'male', 'v1', 1, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000014', 'Gisela (legacy)', '["de"]', 'female', 'v1', 0, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000015', 'Line 1 (reserved)', '["de","en"]', 'neutral', 'v2', 0, 1772442000000, 1772442000000);
INSERT INTO "snapshot_1_windows" ("scope", "bucket", "started_at", "count") VALUES ('69a5519022b109816a000007', 'read', 1772442000000, 2);
INSERT INTO "snapshot_1_windows" ("scope", "bucket", "started_at", "count") VALUES ('69a5519022b109816a000007', 'write', 1772442000000, 4);
INSERT INTO "snapshot_1_world" ("id", "world_id", "random_seed", "clock_mode", "clock_offset", "clock_frozen", "id_prefix", "id_seconds", "id_counter", "cursor_key", "key_generation", "control_token", "limits") VALUES (1, 'f362db2979804986838eff26', 1, 'virtual', -22893433412, 1772442000000, '22b109816a', 1772442000, 25, X'0c517bfd6a2ec600f9de28697c1db388afdd83220a675fde661e6953d05fe799', 0, 'khmJc143V0l2Q86C29Yj_qaNew_RRSwH', '{}');
UPDATE sqlite_sequence SET seq = 9 WHERE name = 'requests';
PRAGMA user_version = 4;
