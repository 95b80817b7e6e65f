import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, stopwatch } from "../base/clock.js";
import { type Database, openDatabase, type Row } from "../base/database.js";
import { makePrivateFolder } from "../base/private-file.js";
import type { Random } from "../base/random.js";
import { type LimitLedger, memoryLedger, type Step } from "./limit-ledger.js";
import { type BucketState, lose, release, settle } from "./pacing.js";

interface SharedLedgerOptions {
  path: string;
  /** This machine's monotonic clock, which all processes share. The client must use the same clock. */
  clock: Clock;
  random: Random;
  /**
   * Time after which a process that stores nothing counts as dead or idle. Its requests no longer count as in
   * flight.
   */
  leaseMilliseconds: number;
}

interface SharedLedger extends LimitLedger {
  close(): void;
}

/**
 * Number of read requests after which the file is opened. Most commands send fewer read requests. A mutation
 * opens the file at once.
 */
const readsBeforeSharing = 10;
/** Longest wait for another process's transaction. A transaction usually takes less than a millisecond. */
const busyMilliseconds = 2_000;
/** Age at which counts are deleted: twice the longest window. */
const forgottenMilliseconds = 2 * 60 * 60_000;

const version = 2;
const schema = `
  DROP TABLE IF EXISTS buckets;
  DROP TABLE IF EXISTS flights;
  CREATE TABLE buckets (
    bucket TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    -- By the monotonic clock, and by the date.
    changed_at REAL NOT NULL,
    changed_on REAL NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE flights (
    bucket TEXT NOT NULL,
    process TEXT NOT NULL,
    requests INTEGER NOT NULL,
    sent INTEGER NOT NULL,
    expires_at REAL NOT NULL,
    PRIMARY KEY (bucket, process)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${version};
`;

/**
 * Opens a ledger in an SQLite file that all processes on this machine share. Each process's count of requests
 * in flight expires, so that a dead process doesn't block capacity. If the file can't be used, the process
 * counts only its own requests.
 */
export function openSharedLedger({
  path,
  clock,
  random,
  leaseMilliseconds,
}: SharedLedgerOptions): SharedLedger {
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
      database = await openLedger(path, clock);
      const opened = database;
      for (const bucket of inMemory) moveIn(opened, bucket);
    } catch {
      close();
    }
  };

  const moveIn = (opened: Database, bucket: string) => {
    const own = memory.update(bucket, (state) => {
      if (state === undefined) throw new TypeError("a bucket without a state");
      return { state, result: state };
    });
    change(opened, bucket, (shared) => {
      const state =
        shared === undefined
          ? own
          : {
              ...shared,
              started: shared.started + own.started,
              inFlight: shared.inFlight + own.inFlight,
              sent: shared.sent + own.sent,
            };
      return { state, result: undefined };
    });
  };

  const change = <Result>(opened: Database, bucket: string, step: Step<Result>): Result =>
    opened.transaction(() => {
      const now = stopwatch(clock);
      const flights = readFlights(opened, bucket, { self, now, leaseMilliseconds });
      const row = opened.prepare("SELECT * FROM buckets WHERE bucket = ?").get(bucket);
      const before = row && flights.of(readBucketState(row, { now, date: clock.now() }));
      const { state, result } = step(before);
      if (state === before && !flights.expired) return result;
      store(opened, bucket, state, { now, date: clock.now() });
      storeFlights(opened, {
        bucket,
        process: self,
        requests: Math.max(0, flights.own.requests + state.inFlight - (before?.inFlight ?? 0)),
        sent: Math.max(0, flights.own.sent + state.sent - (before?.sent ?? 0)),
        expiresAt: now + leaseMilliseconds,
      });
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

interface FlightTimes {
  self: string;
  now: number;
  leaseMilliseconds: number;
}

/**
 * Counts the in-flight requests of all processes. A dead process's requests are closed. Requests that it had
 * sent count toward the limit, because they might have reached the server.
 */
function readFlights(database: Database, bucket: string, { self, now, leaseMilliseconds }: FlightTimes) {
  const own = { requests: 0, sent: 0 };
  const all = { requests: 0, sent: 0 };
  const lost = { requests: 0, sent: 0 };
  for (const row of database.prepare("SELECT * FROM flights WHERE bucket = ?").all(bucket)) {
    const process = String(row["process"]);
    const totals = [all];
    if (process === self) totals.push(own);
    else if (isOver(Number(row["expires_at"]), now, leaseMilliseconds)) {
      totals.push(lost);
      database.prepare("DELETE FROM flights WHERE bucket = ? AND process = ?").run(bucket, process);
    }
    for (const total of totals) {
      total.requests += Number(row["requests"]);
      total.sent += Number(row["sent"]);
    }
  }
  return {
    own,
    expired: lost.requests > 0,
    of(stored: BucketState): BucketState {
      const state: BucketState = { ...stored, inFlight: all.requests, sent: all.sent };
      for (let request = 0; request < lost.requests; request += 1)
        if (request < lost.sent) lose(state, true);
        else release(state);
      return state;
    },
  };
}

/**
 * Returns whether a lease has expired. Also returns true for a time that is too far in the future, because it
 * was stored before the machine restarted.
 */
function isOver(expiresAt: number, now: number, leaseMilliseconds: number): boolean {
  return expiresAt <= now || expiresAt > now + 100 * leaseMilliseconds;
}

async function openLedger(path: string, clock: Clock): Promise<Database> {
  await makePrivateFolder(dirname(path));
  // Create the file with private permissions, because SQLite would let other users read a file that it
  // creates.
  const file = await open(path, "a", 0o600);
  await file.close();
  const database = await openDatabase(path, { busyMilliseconds });
  try {
    appendOnly(database);
    // Losing these counts in a power failure is harmless.
    database.exec("PRAGMA synchronous = OFF");
    const userVersion = () => Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (userVersion() !== version) {
      database.transaction(() => {
        if (userVersion() !== version) database.exec(schema);
      });
    }
    const now = stopwatch(clock);
    database
      .prepare("DELETE FROM buckets WHERE changed_at < ? OR changed_at > ?")
      .run(now - forgottenMilliseconds, now + forgottenMilliseconds);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Enables the write-ahead log, because it makes transactions three times as fast. If another process is using
 * the file, leaves the log disabled; a later process will enable it.
 */
function appendOnly(database: Database): void {
  try {
    database.exec("PRAGMA journal_mode = WAL");
  } catch (error) {
    if (!(error instanceof Error && /locked|busy/i.test(error.message))) throw error;
  }
}

interface Times {
  now: number;
  date: number;
}

/**
 * Reads a stored state. If the date shows that the window ended long ago, closes the window. The monotonic
 * clock doesn't show this, because it stops while the machine sleeps and restarts at 0.
 */
function readBucketState(row: Row, { now, date }: Times): BucketState {
  // The file's schema version guarantees this type.
  const state: BucketState = JSON.parse(String(row["state"]));
  const unseen = date - Number(row["changed_on"]) - (now - Number(row["changed_at"]));
  if (unseen > state.windowMilliseconds) settle(state, Number.POSITIVE_INFINITY);
  return state;
}

function store(database: Database, bucket: string, state: BucketState, { now, date }: Times): void {
  database
    .prepare("INSERT OR REPLACE INTO buckets (bucket, state, changed_at, changed_on) VALUES (?, ?, ?, ?)")
    .run(bucket, JSON.stringify(state), now, date);
}

interface Flights {
  bucket: string;
  process: string;
  requests: number;
  sent: number;
  expiresAt: number;
}

function storeFlights(database: Database, { bucket, process, requests, sent, expiresAt }: Flights): void {
  if (requests === 0) {
    database.prepare("DELETE FROM flights WHERE bucket = ? AND process = ?").run(bucket, process);
    return;
  }
  database
    .prepare(
      "INSERT OR REPLACE INTO flights (bucket, process, requests, sent, expires_at) VALUES (?, ?, ?, ?, ?)",
    )
    .run(bucket, process, requests, sent, expiresAt);
}
