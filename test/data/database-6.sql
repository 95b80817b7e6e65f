-- A world as voxctl wrote it in format 6, and its key: df2d503627a59a2a27bd3f76baceef56553d2499553fa67a965978bc2085aa65
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
  limits TEXT NOT NULL DEFAULT '{}'
, clock_latest INTEGER NOT NULL DEFAULT 0) STRICT;
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
, webhook_headers TEXT) STRICT, WITHOUT ROWID;
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
CREATE TABLE snapshots (
  name TEXT PRIMARY KEY,
  -- Names its tables.
  serial INTEGER NOT NULL UNIQUE,
  -- The world's time when it was taken.
  taken_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE mirror (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  request TEXT NOT NULL,
  -- The collector's own counters, written together with the rows that they count.
  progress TEXT NOT NULL DEFAULT '{}',
  -- Null while it is being filled.
  manifest TEXT,
  -- Of pseudonyms, while it is being filled: without it nothing leads back to what they stand for.
  pseudonym_key TEXT
) STRICT;
CREATE TABLE mirrored (
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  -- As its list showed it; what only a get shows lies apart.
  raw TEXT NOT NULL,
  hash TEXT NOT NULL,
  detail TEXT,
  -- What the world's own tables made of both; null where that is the same.
  shown TEXT,
  shown_detail TEXT,
  -- The last collect that saw it, and whether its detail is still to be read.
  pass INTEGER NOT NULL,
  wants_detail INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (resource, id)
) STRICT, WITHOUT ROWID;
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
  -- Rows that came twice, were hidden or changed without saying so: signs of lists that can't be trusted.
  signs INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE mirror_dangling (
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (resource, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE mirror_fields (
  resource TEXT NOT NULL,
  field TEXT NOT NULL,
  PRIMARY KEY (resource, field)
) STRICT, WITHOUT ROWID;
CREATE TABLE mirror_contradictions (
  decision TEXT PRIMARY KEY,
  example TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE absent_reads (
  resource TEXT NOT NULL,
  -- Empty where no group was asked for.
  group_id TEXT NOT NULL,
  reads INTEGER NOT NULL,
  PRIMARY KEY (resource, group_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE "groups" (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE "calendars" (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  schedules TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE "tools" (
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
CREATE TABLE snapshot_1_absent_reads(
  resource TEXT,
  group_id TEXT,
  reads INT
);
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
  updated_at INT,
  webhook_headers TEXT
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
CREATE TABLE snapshot_1_mirror(
  id INT,
  request TEXT,
  progress TEXT,
  manifest TEXT,
  pseudonym_key TEXT
);
CREATE TABLE snapshot_1_mirror_contradictions(
  decision TEXT,
  example TEXT
);
CREATE TABLE snapshot_1_mirror_dangling(
  resource TEXT,
  id TEXT
);
CREATE TABLE snapshot_1_mirror_fields(
  resource TEXT,
  field TEXT
);
CREATE TABLE snapshot_1_mirror_lists(
  name TEXT,
  resource TEXT,
  pass INT,
  cursor TEXT,
  done INT,
  "rows" INT
);
CREATE TABLE snapshot_1_mirror_passes(
  pass INT,
  changed INT,
  signs INT
);
CREATE TABLE snapshot_1_mirrored(
  resource TEXT,
  id TEXT,
  raw TEXT,
  hash TEXT,
  detail TEXT,
  shown TEXT,
  shown_detail TEXT,
  pass INT,
  wants_detail INT
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
  limits TEXT,
  clock_latest INT
);
CREATE INDEX keys_by_organization ON keys(organization_id);
CREATE INDEX keys_by_distributor ON keys(distributor_id);
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
CREATE UNIQUE INDEX organizations_by_external_id ON organizations(distributor_id, external_id);
CREATE INDEX organizations_by_distributor ON organizations(distributor_id, id);
CREATE INDEX organizations_by_parent ON organizations(parent_id, id);
CREATE INDEX licenses_by_owner ON licenses(owner_id, id);
CREATE INDEX mirrored_by_pass ON mirrored(resource, pass);
CREATE INDEX mirrored_wanting ON mirrored(resource, id) WHERE wants_detail = 1;
CREATE INDEX groups_by_position ON groups(organization_id, id);
CREATE INDEX groups_by_name ON groups(organization_id, type, name);
CREATE INDEX calendars_by_position ON calendars(organization_id, id);
CREATE INDEX calendars_by_name ON calendars(organization_id, name);
CREATE INDEX tools_by_position ON tools(organization_id, id);
CREATE INDEX tools_by_name ON tools(organization_id, name);
INSERT INTO "world" ("id", "world_id", "random_seed", "clock_mode", "clock_offset", "clock_frozen", "id_prefix", "id_seconds", "id_counter", "cursor_key", "key_generation", "limits", "clock_latest") VALUES (1, '697c8f2af3f8cd31a571a6c6', 1, 'virtual', -22924259979, 1772442090507, '22b109816a', 1772442000, 30, X'1e2f9921d89a3d86651a24b1c024f814b6badc370f69242b808472de2c76d464', 0, '{}', 1772442000007);
INSERT INTO "distributors" ("id", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000000', 'Distributor', 1772442000007, 1772442000007);
INSERT INTO "organizations" ("id", "name", "status", "features", "created_at", "updated_at", "number_pool", "distributor_id", "type", "parent_id", "external_id", "blocked_reason") VALUES ('69a5519022b109816a000001', 'Organization', 'active', '["public_api","outbound_calls","knowledge","statistics","mcp"]', 1772442000007, 1772442000007, 1000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000007', X'58b395cef20fcaf3150bdda11cf02c182897ce009422525f1467a765c0a10c89', 'JCxabfa-', 'public', 'admin', 1, '69a5519022b109816a000001', NULL, 'admin', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000008', X'44bd0b5e57538034eb4429e534ec944cff6d67b82004608c3c3961de12aecf23', '9TaoWVXO', 'public', 'editor', 1, '69a5519022b109816a000001', NULL, 'editor', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000009', X'8068cae86ce75681ef7a64b684d88e4246524bfa37cd440e38222c61843a4e52', 'Xm-Esz1b', 'public', 'caller', 1, '69a5519022b109816a000001', NULL, 'caller', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000a', X'77e5f2d7bb7179c47af3f0b0ef3bc5c09d2948db535fa4b99600a6d8bd82c8cc', 'IjYXtDxj', 'public', 'viewer', 1, '69a5519022b109816a000001', NULL, 'viewer', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000b', X'3b9ca1ef2b2daa9337486d074e4b8f1469cdeebcccee336918164e6115350441', 'vak_R-bP', 'legacy', 'legacy', 1, '69a5519022b109816a000001', NULL, 'admin', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000c', X'add160b3de987db2f25617e10ec65c16e49d89d6a33094b235b6c78c57706af5', '93U8Ydfw', 'distributor', 'distributor_v1', 1, NULL, '69a5519022b109816a000000', NULL, NULL, '["v1"]', 'active', 'seed', 1803978000007, NULL, 1772442000007, 1772442000007);
INSERT INTO "keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000d', X'0f297f4566e92383bf21e59e9d11438325990a6fd3d3b1f155da03f1315bd53d', 'hz_0AeQQ', 'distributor', 'distributor_v2', 1, NULL, '69a5519022b109816a000000', NULL, NULL, '["v2"]', 'active', 'seed', 1803978000007, NULL, 1772442000007, 1772442000007);
INSERT INTO "contacts" ("id", "organization_id", "group_id", "first_name", "last_name", "phone_numbers", "emails", "created_at", "updated_at") VALUES ('69a5519022b109816a000016', '69a5519022b109816a000001', '69a5519022b109816a000002', CAST(X'5a6fc3ab20225a22205c20f09fa6b7e280a82001090a27' AS TEXT), 'O''Brien', '["+4930231845"]', '["zoe@example.org"]', 1772442000007, 1772442000007);
INSERT INTO "contacts" ("id", "organization_id", "group_id", "first_name", "last_name", "phone_numbers", "emails", "created_at", "updated_at") VALUES ('69a5519022b109816a000017', '69a5519022b109816a000001', '69a5519022b109816a000002', 'Anna', 'Later', '[]', '["anna@example.org"]', 1772442000007, 1772442090507);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a00000e', 'Clara', '["de","en"]', 'female', 'v2', 1, 1772442000007, 1772442000007);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a00000f', 'Moritz', '["de","en"]', 'male', 'v2', 1, 1772442000007, 1772442000007);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000010', 'Noa', '["de","en","fr"]', 'neutral', 'v2', 1, 1772442000007, 1772442000007);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000011', 'Juliette', '["fr"]', 'female', 'v2', 1, 1772442000007, 1772442000007);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000012', 'Hanna', '["de"]', 'female', 'v1', 1, 1772442000007, 1772442000007);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000013', 'Oliver', '["en"]', 'male', 'v1', 1, 1772442000007, 1772442000007);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000014', 'Gisela (legacy)', '["de"]', 'female', 'v1', 0, 1772442000007, 1772442000007);
INSERT INTO "voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000015', 'Line 1 (reserved)', '["de","en"]', 'neutral', 'v2', 0, 1772442000007, 1772442000007);
INSERT INTO "forwardings" ("id", "organization_id", "group_id", "name", "type", "destination_type", "phone_number", "sip_uri", "sip_refer_target", "timeout", "created_at", "updated_at") VALUES ('69a5519022b109816a00001d', '69a5519022b109816a000001', '69a5519022b109816a000004', NULL, 'standard', 'phone', '+493023125101', NULL, NULL, 20, 1772442000007, 1772442000007);
INSERT INTO "forwardings" ("id", "organization_id", "group_id", "name", "type", "destination_type", "phone_number", "sip_uri", "sip_refer_target", "timeout", "created_at", "updated_at") VALUES ('69a5519022b109816a00001e', '69a5519022b109816a000001', '69a5519022b109816a000004', 'Labor', 'emergency', 'sip', NULL, 'sip:labor@pbx.example.org', NULL, 12.5, 1772442000007, 1772442000007);
INSERT INTO "glossary_items" ("id", "organization_id", "group_id", "term", "definition", "created_at", "updated_at") VALUES ('69a5519022b109816a000019', '69a5519022b109816a000001', '69a5519022b109816a000005', 'HKP', '', 1772442000007, 1772442000007);
INSERT INTO "pronunciation_items" ("id", "organization_id", "group_id", "token", "replacement", "spell_out", "speaking_rate", "ipa", "created_at", "updated_at") VALUES ('69a5519022b109816a00001a', '69a5519022b109816a000001', '69a5519022b109816a000006', 'PZR', NULL, 1, NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "pronunciation_items" ("id", "organization_id", "group_id", "token", "replacement", "spell_out", "speaking_rate", "ipa", "created_at", "updated_at") VALUES ('69a5519022b109816a00001b', '69a5519022b109816a000001', '69a5519022b109816a000006', 'Allee', 'Al-lee', 0, 1, NULL, 1772442000007, 1772442000007);
INSERT INTO "pronunciation_items" ("id", "organization_id", "group_id", "token", "replacement", "spell_out", "speaking_rate", "ipa", "created_at", "updated_at") VALUES ('69a5519022b109816a00001c', '69a5519022b109816a000001', '69a5519022b109816a000006', 'Weg', NULL, 0, 0.85, 'veːk', 1772442000007, 1772442000007);
INSERT INTO "snapshots" ("name", "serial", "taken_at") VALUES ('before', 1, 1772442000007);
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000002', '69a5519022b109816a000001', 'contacts', 'Default', 1772442000007, 1772442000007);
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000003', '69a5519022b109816a000001', 'knowledges', 'Default', 1772442000007, 1772442000007);
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000004', '69a5519022b109816a000001', 'forwardings', 'Default', 1772442000007, 1772442000007);
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000005', '69a5519022b109816a000001', 'glossaries', 'Default', 1772442000007, 1772442000007);
INSERT INTO "groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000006', '69a5519022b109816a000001', 'pronunciations', 'Default', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_contacts" ("id", "organization_id", "group_id", "first_name", "last_name", "phone_numbers", "emails", "created_at", "updated_at") VALUES ('69a5519022b109816a000016', '69a5519022b109816a000001', '69a5519022b109816a000002', CAST(X'5a6fc3ab20225a22205c20f09fa6b7e280a82001090a27' AS TEXT), 'O''Brien', '["+4930231845"]', '["zoe@example.org"]', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_contacts" ("id", "organization_id", "group_id", "first_name", "last_name", "phone_numbers", "emails", "created_at", "updated_at") VALUES ('69a5519022b109816a000017', '69a5519022b109816a000001', '69a5519022b109816a000002', 'Anna', '', '[]', '[]', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_distributors" ("id", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000000', 'Distributor', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_forwardings" ("id", "organization_id", "group_id", "name", "type", "destination_type", "phone_number", "sip_uri", "sip_refer_target", "timeout", "created_at", "updated_at") VALUES ('69a5519022b109816a00001d', '69a5519022b109816a000001', '69a5519022b109816a000004', NULL, 'standard', 'phone', '+493023125101', NULL, NULL, 20, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_forwardings" ("id", "organization_id", "group_id", "name", "type", "destination_type", "phone_number", "sip_uri", "sip_refer_target", "timeout", "created_at", "updated_at") VALUES ('69a5519022b109816a00001e', '69a5519022b109816a000001', '69a5519022b109816a000004', 'Labor', 'emergency', 'sip', NULL, 'sip:labor@pbx.example.org', NULL, 12.5, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_glossary_items" ("id", "organization_id", "group_id", "term", "definition", "created_at", "updated_at") VALUES ('69a5519022b109816a000018', '69a5519022b109816a000001', '69a5519022b109816a000005', 'PZR', CAST(X'50726f66657373696f6e656c6c65205a61686e7265696e6967756e672c0d0a65747761203530204d696e7574656e' AS TEXT), 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_glossary_items" ("id", "organization_id", "group_id", "term", "definition", "created_at", "updated_at") VALUES ('69a5519022b109816a000019', '69a5519022b109816a000001', '69a5519022b109816a000005', 'HKP', '', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000002', '69a5519022b109816a000001', 'contacts', 'Default', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000003', '69a5519022b109816a000001', 'knowledges', 'Default', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000004', '69a5519022b109816a000001', 'forwardings', 'Default', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000005', '69a5519022b109816a000001', 'glossaries', 'Default', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_groups" ("id", "organization_id", "type", "name", "created_at", "updated_at") VALUES ('69a5519022b109816a000006', '69a5519022b109816a000001', 'pronunciations', 'Default', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000007', X'58b395cef20fcaf3150bdda11cf02c182897ce009422525f1467a765c0a10c89', 'JCxabfa-', 'public', 'admin', 1, '69a5519022b109816a000001', NULL, 'admin', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000008', X'44bd0b5e57538034eb4429e534ec944cff6d67b82004608c3c3961de12aecf23', '9TaoWVXO', 'public', 'editor', 1, '69a5519022b109816a000001', NULL, 'editor', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a000009', X'8068cae86ce75681ef7a64b684d88e4246524bfa37cd440e38222c61843a4e52', 'Xm-Esz1b', 'public', 'caller', 1, '69a5519022b109816a000001', NULL, 'caller', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000a', X'77e5f2d7bb7179c47af3f0b0ef3bc5c09d2948db535fa4b99600a6d8bd82c8cc', 'IjYXtDxj', 'public', 'viewer', 1, '69a5519022b109816a000001', NULL, 'viewer', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000b', X'3b9ca1ef2b2daa9337486d074e4b8f1469cdeebcccee336918164e6115350441', 'vak_R-bP', 'legacy', 'legacy', 1, '69a5519022b109816a000001', NULL, 'admin', NULL, NULL, 'active', 'seed', NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000c', X'add160b3de987db2f25617e10ec65c16e49d89d6a33094b235b6c78c57706af5', '93U8Ydfw', 'distributor', 'distributor_v1', 1, NULL, '69a5519022b109816a000000', NULL, NULL, '["v1"]', 'active', 'seed', 1803978000007, NULL, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_keys" ("id", "digest", "prefix", "kind", "name", "seeded", "organization_id", "distributor_id", "role", "permissions", "versions", "status", "creator", "expires_at", "limits", "created_at", "updated_at") VALUES ('69a5519022b109816a00000d', X'0f297f4566e92383bf21e59e9d11438325990a6fd3d3b1f155da03f1315bd53d', 'hz_0AeQQ', 'distributor', 'distributor_v2', 1, NULL, '69a5519022b109816a000000', NULL, NULL, '["v2"]', 'active', 'seed', 1803978000007, NULL, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_organizations" ("id", "name", "status", "features", "created_at", "updated_at", "number_pool", "distributor_id", "type", "parent_id", "external_id", "blocked_reason") VALUES ('69a5519022b109816a000001', 'Organization', 'active', '["public_api","outbound_calls","knowledge","statistics","mcp"]', 1772442000007, 1772442000007, 1000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO "snapshot_1_pronunciation_items" ("id", "organization_id", "group_id", "token", "replacement", "spell_out", "speaking_rate", "ipa", "created_at", "updated_at") VALUES ('69a5519022b109816a00001a', '69a5519022b109816a000001', '69a5519022b109816a000006', 'PZR', NULL, 1, NULL, NULL, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_pronunciation_items" ("id", "organization_id", "group_id", "token", "replacement", "spell_out", "speaking_rate", "ipa", "created_at", "updated_at") VALUES ('69a5519022b109816a00001b', '69a5519022b109816a000001', '69a5519022b109816a000006', 'Allee', 'Al-lee', 0, 1, NULL, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_pronunciation_items" ("id", "organization_id", "group_id", "token", "replacement", "spell_out", "speaking_rate", "ipa", "created_at", "updated_at") VALUES ('69a5519022b109816a00001c', '69a5519022b109816a000001', '69a5519022b109816a000006', 'Weg', NULL, 0, 0.85, 'veːk', 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a00000e', 'Clara', '["de","en"]', 'female', 'v2', 1, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a00000f', 'Moritz', '["de","en"]', 'male', 'v2', 1, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000010', 'Noa', '["de","en","fr"]', 'neutral', 'v2', 1, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000011', 'Juliette', '["fr"]', 'female', 'v2', 1, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000012', 'Hanna', '["de"]', 'female', 'v1', 1, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000013', 'Oliver', '["en"]', 'male', 'v1', 1, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000014', 'Gisela (legacy)', '["de"]', 'female', 'v1', 0, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_voices" ("id", "name", "languages", "gender", "generation", "selectable", "created_at", "updated_at") VALUES ('69a5519022b109816a000015', 'Line 1 (reserved)', '["de","en"]', 'neutral', 'v2', 0, 1772442000007, 1772442000007);
INSERT INTO "snapshot_1_world" ("id", "world_id", "random_seed", "clock_mode", "clock_offset", "clock_frozen", "id_prefix", "id_seconds", "id_counter", "cursor_key", "key_generation", "limits", "clock_latest") VALUES (1, '697c8f2af3f8cd31a571a6c6', 1, 'virtual', -22924259979, 1772442000007, '22b109816a', 1772442000, 30, X'1e2f9921d89a3d86651a24b1c024f814b6badc370f69242b808472de2c76d464', 0, '{}', 1772442000007);
PRAGMA user_version = 6;
