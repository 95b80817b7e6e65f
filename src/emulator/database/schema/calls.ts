/**
 * A row contains everything that happens in a call, so that the call's state can be derived from the clock.
 * `assistant_id` is not a foreign key, because a deleted assistant's calls remain listed (D-assistant).
 */
export const callsSchema = `
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
  -- Null if the call is not answered.
  answered_at INTEGER,
  ended_at INTEGER NOT NULL,
  duration_seconds INTEGER NOT NULL,
  recording_format TEXT CHECK (recording_format IN ('flac', 'wav', 'mpeg')),
  -- Time at which the recording is ready.
  recorded_at INTEGER,
  recording_erased_at INTEGER,
  details TEXT,
  transcript TEXT NOT NULL DEFAULT '[]',
  analyses TEXT NOT NULL DEFAULT '[]',
  notes TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX calls_by_time ON calls(organization_id, created_at, id);
CREATE INDEX calls_by_assistant ON calls(organization_id, assistant_id, created_at, id);
CREATE INDEX calls_by_phone ON calls(organization_id, assistant_phone, created_at, id);
-- Used to check the cooldown.
CREATE INDEX calls_outbound ON calls(assistant_id, created_at) WHERE direction = 'outbound';
-- Used to find calls that are still in progress.
CREATE INDEX calls_by_end ON calls(ended_at);
-- Covering indexes for statistics.
CREATE INDEX calls_counted ON calls(organization_id, created_at, ended_at, duration_seconds)
  WHERE outcome = 'completed';
CREATE INDEX calls_counted_by_assistant
  ON calls(organization_id, assistant_id, created_at, ended_at, duration_seconds) WHERE outcome = 'completed';
`;
