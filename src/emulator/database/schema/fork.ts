/** An emulator with these tables records every write; forks/fork.ts creates the tables, not a migration. */
export const forkSchema = `
CREATE TABLE fork (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- By the emulator's clock.
  started_at INTEGER NOT NULL,
  -- Duration of a request by that clock.
  latency_ms INTEGER NOT NULL
) STRICT;

-- The writes, in an order in which the emulator could have received them.
CREATE TABLE writes (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  operation TEXT NOT NULL,
  path TEXT NOT NULL,
  -- Secrets are replaced, as in {"$secret": 3}; header values are encrypted.
  body TEXT,
  status INTEGER NOT NULL,
  code TEXT,
  rule TEXT,
  -- Whether a change was committed, even if a fault dropped the response.
  effect INTEGER NOT NULL,
  created_id TEXT,
  before TEXT,
  after TEXT,
  -- Number of items deleted with their group: {"contacts": 1200}.
  cascade TEXT
) STRICT;

CREATE TABLE cascaded (
  write_id INTEGER NOT NULL,
  resource TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (write_id, resource, id)
) STRICT, WITHOUT ROWID;

-- Encrypted (kernel/secrets.ts).
CREATE TABLE written_secrets (
  id INTEGER PRIMARY KEY,
  sealed TEXT NOT NULL
) STRICT;

-- Reads are only counted. The code is the refusal's code; empty for a successful read.
CREATE TABLE reads (
  operation TEXT NOT NULL,
  code TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (operation, code)
) STRICT, WITHOUT ROWID;
`;
