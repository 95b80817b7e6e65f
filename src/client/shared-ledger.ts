import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../base/clock.js";
import { type Database, openDatabase, type Row } from "../base/database.js";
import type { Random } from "../base/random.js";
import { type LimitLedger, memoryLedger } from "./limit-ledger.js";
import { type BucketState, withdraw } from "./pacing.js";

interface SharedLedgerOptions {
  /** The file; its folder is made where it is missing. */
  path: string;
  /** The machine's: processes agree on it. The states' own times are the client's clock's, which has to be it, too. */
  clock: Clock;
  random: Random;
  /** A process that let so long pass without counting anything is dead, or its requests are long over. */
  leaseMilliseconds: number;
}

interface SharedLedger extends LimitLedger {
  close(): void;
}

/** Reads alone are seldom many: the file is opened for the first mutation, or after so many reads. */
const readsBeforeSharing = 10;
/** How long another process's transaction, which takes well below a millisecond, is waited for. */
const busyMilliseconds = 2_000;
/** Older counts say nothing any more: twice the longest window. */
const forgottenMilliseconds = 2 * 60 * 60_000;

const version = 1;
const schema = `
  DROP TABLE IF EXISTS buckets;
  DROP TABLE IF EXISTS flights;
  CREATE TABLE buckets (
    bucket TEXT PRIMARY KEY,
    size REAL NOT NULL,
    window REAL NOT NULL,
    reset REAL,
    date REAL,
    ends_at REAL,
    ends_at_guessed INTEGER NOT NULL,
    declared REAL,
    started REAL NOT NULL,
    due REAL,
    changed_at REAL NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE flights (
    bucket TEXT NOT NULL,
    process TEXT NOT NULL,
    requests INTEGER NOT NULL,
    expires_at REAL NOT NULL,
    PRIMARY KEY (bucket, process)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${version};
`;

/**
 * A ledger that all processes of this machine share: an SQLite file that holds counts, by digest. What a process has in
 * flight stands under its own name and expires, so that a dead one gives its share back. Counting is a courtesy: where
 * the file can't be used, the process counts for itself.
 */
export function sharedLedger({ path, clock, random, leaseMilliseconds }: SharedLedgerOptions): SharedLedger {
  const memory = memoryLedger();
  const inMemory = new Set<string>();
  const self = random.bytes(9).toString("base64url");
  let reads = 0;
  let opening: Promise<void> | undefined;
  let database: Database | undefined;

  const close = () => {
    try {
      database?.close();
    } catch {}
    database = undefined;
  };

  const share = async (): Promise<void> => {
    try {
      database = await openLedger(path, clock.now());
      const opened = database;
      for (const bucket of inMemory) moveIn(opened, bucket);
    } catch {
      close();
    }
  };

  /** What was counted before the file was opened. */
  const moveIn = (opened: Database, bucket: string) => {
    const own = memory.update(bucket, (state) => {
      if (state === undefined) throw new TypeError("a bucket without a state");
      return { state, result: state };
    });
    change(opened, bucket, (shared) => {
      const state =
        shared === undefined
          ? own
          : { ...shared, started: shared.started + own.started, inFlight: shared.inFlight + own.inFlight };
      return { state, result: undefined };
    });
  };

  const change = <Result>(
    opened: Database,
    bucket: string,
    step: (state: BucketState | undefined) => { state: BucketState; result: Result },
  ): Result =>
    opened.transaction(() => {
      const now = clock.now();
      const row = opened.prepare("SELECT * FROM buckets WHERE bucket = ?").get(bucket);
      const flights = opened.prepare("SELECT * FROM flights WHERE bucket = ?").all(bucket);
      let inFlight = 0;
      let own = 0;
      let expired = 0;
      for (const flight of flights) {
        const requests = Number(flight["requests"]);
        inFlight += requests;
        if (flight["process"] === self) own = requests;
        else if (isOver(Number(flight["expires_at"]), now, leaseMilliseconds)) {
          expired += requests;
          opened
            .prepare("DELETE FROM flights WHERE bucket = ? AND process = ?")
            .run(bucket, String(flight["process"]));
        }
      }
      let before = row && stateOf(row, inFlight);
      // Nobody knows what became of them: the server may have counted each.
      for (let request = 0; before && request < expired; request += 1) before = withdraw(before, true);
      const { state, result } = step(before);
      if (state === before && expired === 0) return result;
      store(opened, bucket, state, now);
      const left = Math.max(0, own + state.inFlight - (before?.inFlight ?? 0));
      storeFlights(opened, { bucket, process: self, requests: left, expiresAt: now + leaseMilliseconds });
      return result;
    });

  return {
    ready({ mutation }) {
      if (!mutation) reads += 1;
      if (opening === undefined && (mutation || reads > readsBeforeSharing)) opening = share();
      return opening;
    },
    update(bucket, step) {
      if (database) {
        try {
          return change(database, bucket, step);
        } catch {
          close();
        }
      }
      inMemory.add(bucket);
      return memory.update(bucket, step);
    },
    close,
  };
}

/** A lease that lasts longer than any can was given before the clock was set back. */
function isOver(expiresAt: number, now: number, leaseMilliseconds: number): boolean {
  return expiresAt <= now || expiresAt > now + 100 * leaseMilliseconds;
}

async function openLedger(path: string, now: number): Promise<Database> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Nobody else's to read, not even for a moment.
  const file = await open(path, "a", 0o600);
  await file.close();
  const database = await openDatabase(path, { busyMilliseconds });
  try {
    // No WAL: two processes that open a new file at the same time would trip each other over it.
    database.exec("PRAGMA journal_mode = PERSIST");
    // A power failure may take counts that nobody needs after it.
    database.exec("PRAGMA synchronous = OFF");
    const userVersion = () => Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (userVersion() !== version) {
      database.transaction(() => {
        if (userVersion() !== version) database.exec(schema);
      });
    }
    database
      .prepare("DELETE FROM buckets WHERE changed_at < ? OR changed_at > ?")
      .run(now - forgottenMilliseconds, now + forgottenMilliseconds);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function stateOf(row: Row, inFlight: number): BucketState {
  const known = (name: string): number | undefined =>
    row[name] === null || row[name] === undefined ? undefined : Number(row[name]);
  return {
    limit: Number(row["size"]),
    windowMilliseconds: Number(row["window"]),
    reset: known("reset"),
    date: known("date"),
    endsAt: known("ends_at"),
    endsAtGuessed: row["ends_at_guessed"] !== 0,
    declared: known("declared"),
    started: Number(row["started"]),
    inFlight,
    due: known("due"),
  };
}

function store(database: Database, bucket: string, state: BucketState, now: number): void {
  database
    .prepare(
      "INSERT OR REPLACE INTO buckets (bucket, size, window, reset, date, ends_at, ends_at_guessed, declared, started, due, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .run(
      bucket,
      state.limit,
      state.windowMilliseconds,
      state.reset ?? null,
      state.date ?? null,
      state.endsAt ?? null,
      state.endsAtGuessed ? 1 : 0,
      state.declared ?? null,
      state.started,
      state.due ?? null,
      now,
    );
}

interface Flights {
  bucket: string;
  process: string;
  requests: number;
  expiresAt: number;
}

function storeFlights(database: Database, { bucket, process, requests, expiresAt }: Flights): void {
  if (requests === 0) {
    database.prepare("DELETE FROM flights WHERE bucket = ? AND process = ?").run(bucket, process);
    return;
  }
  database
    .prepare("INSERT OR REPLACE INTO flights (bucket, process, requests, expires_at) VALUES (?, ?, ?, ?)")
    .run(bucket, process, requests, expiresAt);
}
