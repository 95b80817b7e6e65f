/**
 * References to several resources are JSON arrays (public/assigned.ts). `email_prompt_id` is not a foreign
 * key, because it may refer to a deleted prompt (D-prompt).
 */
export const assistantsSchema = `
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
  -- The webhook as the API shows it, without the credential.
  pre_call_webhook TEXT,
  -- The credential, encrypted (kernel/secrets.ts).
  webhook_credential TEXT,
  -- Set only through the control interface.
  enterprise INTEGER NOT NULL DEFAULT 0,
  greeting_locked INTEGER NOT NULL DEFAULT 0,
  blocked_numbers TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX assistants_by_position ON assistants(organization_id, id);
CREATE INDEX assistants_by_prompt ON assistants(prompt_id);

-- Number of phone numbers that can still be assigned to the organization.
ALTER TABLE organizations ADD COLUMN number_pool INTEGER NOT NULL DEFAULT 1000;

-- Phone numbers that are in use, or reserved until the last call of a deleted assistant ends.
CREATE TABLE numbers (
  serial INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  -- Null while the number's assistant exists.
  free_at INTEGER
) STRICT;
CREATE INDEX numbers_by_organization ON numbers(organization_id);
CREATE INDEX numbers_by_end ON numbers(free_at) WHERE free_at IS NOT NULL;
`;
