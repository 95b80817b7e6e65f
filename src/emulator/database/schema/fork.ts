/**
 * Tables that only a fork has. An emulator with these tables records every write. They are created by `forks/fork.ts`, not by a migration.
 */
export const forkSchema = `
CREATE TABLE fork (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Of the emulator's clock.
  started_at INTEGER NOT NULL,
  -- How long an answer takes by that clock.
  latency_ms INTEGER NOT NULL
) STRICT;

-- In an order in which the emulator could have received them one after the other.
CREATE TABLE writes (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  operation TEXT NOT NULL,
  path TEXT NOT NULL,
  -- Secrets replaced: {"$secret": 3}; values of headers encrypted.
  body TEXT,
  status INTEGER NOT NULL,
  code TEXT,
  rule TEXT,
  -- Something was committed, also where the answer was lost by a fault.
  effect INTEGER NOT NULL,
  created_id TEXT,
  before TEXT,
  after TEXT,
  -- What went with a deleted group: {"contacts": 1200}.
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

-- Reads are counted only; code: of their refusal, empty where they were answered.
CREATE TABLE reads (
  operation TEXT NOT NULL,
  code TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (operation, code)
) STRICT, WITHOUT ROWID;
`;
