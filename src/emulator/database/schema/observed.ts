export const observedSchema = `
-- JSON objects with masked secrets.
ALTER TABLE requests ADD COLUMN request_headers TEXT;
ALTER TABLE requests ADD COLUMN response_headers TEXT;
-- JSON: id and kind of each fault that was applied.
ALTER TABLE requests ADD COLUMN faults TEXT;

CREATE TABLE incoming_calls (
  call_id TEXT PRIMARY KEY REFERENCES calls(id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  -- JSON: request to the pre-call webhook and its response, with masked secrets; null without a webhook.
  webhook TEXT,
  -- The prompt as the call used it; null if the assistant has none.
  prompt TEXT
) STRICT;
`;
