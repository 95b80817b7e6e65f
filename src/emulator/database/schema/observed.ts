/**
 * Data that only the control interface shows: headers and faults of requests, and the webhook requests of calls.
 */
export const observedSchema = `
-- JSON objects, secrets masked.
ALTER TABLE requests ADD COLUMN request_headers TEXT;
ALTER TABLE requests ADD COLUMN response_headers TEXT;
-- JSON: the id and kind of each fault that struck.
ALTER TABLE requests ADD COLUMN faults TEXT;

CREATE TABLE incoming_calls (
  call_id TEXT PRIMARY KEY REFERENCES calls(id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  -- JSON: what went to the pre-call webhook and what came back, secrets masked; null without one.
  webhook TEXT,
  -- As the call reads it; null where its assistant has none.
  prompt TEXT
) STRICT;
`;
