/**
 * An item's indexing state is computed from the clock. The row contains the time of the indexing request and
 * the planned outcome. The item's text is in a separate table, so that lists don't read it.
 */
export const knowledgeSchema = `
CREATE TABLE knowledge_items (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  active INTEGER NOT NULL,
  indexing_asked_at INTEGER NOT NULL,
  -- 'lost': the item was not queued, so it stays pending.
  indexing_ends TEXT NOT NULL CHECK (indexing_ends IN ('synced', 'failed', 'lost')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_items_by_position ON knowledge_items(organization_id, id);
CREATE INDEX knowledge_items_by_group ON knowledge_items(group_id, id);
CREATE INDEX knowledge_items_by_indexing ON knowledge_items(indexing_asked_at);

CREATE TABLE knowledge_texts (
  knowledge_item_id TEXT PRIMARY KEY REFERENCES knowledge_items(id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;
`;
