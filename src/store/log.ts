import type { Clock } from "../base/clock.js";
import type { StoreConnection } from "./connection.js";
import { StoreError } from "./errors.js";
import type { Leases } from "./leases.js";
import { bufferOf } from "./schema.js";
import type { Sealer } from "./sealing.js";

/** Unencrypted data about a run, which other machines can read without the store key. */
export interface RunProgress {
  state: "planning" | "running" | "finished" | "undone";
  counts: { done: number; failed: number; open: number };
  /** Milliseconds since 1970, by the machine's clock. */
  finishedAt: number | undefined;
  /** Origin and owner of the run. */
  about: object;
}

/** Writes the entries of one run, numbered and encrypted. Writes only while this process holds its leases. */
export interface RunLog {
  /**
   * Appends an entry and renews the leases in the same statement. Retries while the store is unavailable.
   * @throws StoreError `run_taken` if another process has taken a lease or the run; `store_unavailable` after the
   *   longest outage; the signal's reason
   */
  append(payload: Uint8Array, progress: RunProgress): Promise<void>;
}

export interface RunLogParts {
  connection: StoreConnection;
  sealer: Sealer;
  leases: Leases;
  clock: Clock;
  signal: AbortSignal;
  outageMilliseconds: number;
  leaseMilliseconds: number;
  /** Acquires expired leases again; returns false if another process has one of them or the run. */
  retake(): Promise<boolean>;
  /** Called at the start of each outage. */
  onOutage(error: StoreError): void;
}

const firstPauseMilliseconds = 250;
const longestPauseMilliseconds = 5_000;

export function createRunLog(parts: RunLogParts, run: { id: string; seq: number }): RunLog {
  const { sealer, leases } = parts;
  let { seq } = run;
  return {
    async append(payload, progress) {
      const next = seq + 1;
      const send = async () => {
        const start = leases.start();
        const sealed = sealer.seal(payload, ["entry", run.id, next, leases.fence]);
        const isAppended = await appendEntry(parts, run.id, next, sealed, progress);
        if (isAppended) leases.confirm(start);
        return isAppended;
      };
      await persist(parts, async () => {
        if (await send()) return;
        // Either the response to an earlier attempt was lost, or the leases expired and no other process took them.
        if (await hasEntry(parts, run.id, next)) return;
        if (!(await parts.retake()) || !(await send())) throw takenError();
      });
      seq = next;
    },
  };
}

/** Repeats `work` with increasing pauses while the store is unavailable. */
export async function persist<T>(
  {
    clock,
    signal,
    outageMilliseconds,
    onOutage,
  }: Pick<RunLogParts, "clock" | "signal" | "outageMilliseconds" | "onOutage">,
  work: () => Promise<T>,
): Promise<T> {
  let waited = 0;
  for (let pause = firstPauseMilliseconds; ; pause = Math.min(pause * 2, longestPauseMilliseconds)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || !error.isTransient || waited >= outageMilliseconds) throw error;
      if (waited === 0) onOutage(error);
      await clock.sleep(pause, signal);
      waited += pause;
    }
  }
}

/** Renews all leases with this fence and, if none is lost, advances the run and inserts the entry, in one statement. */
async function appendEntry(
  { connection, leases, leaseMilliseconds }: RunLogParts,
  id: string,
  seq: number,
  payload: Uint8Array,
  { state, counts, finishedAt, about }: RunProgress,
): Promise<boolean> {
  const { schema } = connection.address;
  const rows = await connection.query(
    `WITH renewed AS (
       UPDATE ${schema}.lease SET expires_at = clock_timestamp() + $3::interval, seen_at = clock_timestamp()
       WHERE fence = $1 AND expires_at > clock_timestamp() RETURNING name
     ), advanced AS (
       UPDATE ${schema}.run SET seq = $5::bigint, state = $7, counts = $8, about = $10,
         finished_at = to_timestamp($9::double precision / 1000)
       WHERE id = $4 AND fence = $1 AND seq = $5::bigint - 1 AND (SELECT count(*) FROM renewed) = $2 RETURNING id
     )
     INSERT INTO ${schema}.entry (run, seq, fence, at, payload)
     SELECT id, $5::bigint, $1::uuid, clock_timestamp(), $6 FROM advanced RETURNING seq`,
    [
      leases.fence,
      leases.names.length,
      `${leaseMilliseconds} milliseconds`,
      id,
      seq,
      payload,
      state,
      JSON.stringify(counts),
      finishedAt ?? null,
      JSON.stringify(about),
    ],
  );
  return rows.length > 0;
}

/** Returns whether an append without a response took effect. */
async function hasEntry({ connection, leases }: RunLogParts, id: string, seq: number): Promise<boolean> {
  const rows = await connection.query(
    `SELECT 1 FROM ${connection.address.schema}.entry WHERE run = $1 AND seq = $2 AND fence = $3`,
    [id, seq, leases.fence],
  );
  return rows.length > 0;
}

export function takenError(): StoreError {
  return new StoreError(
    "run_taken",
    "another process has taken over this run or its group, so this process stopped",
    {
      hint: "to see the other process, run `voxctl runs list`",
    },
  );
}

const entriesAtOnce = 50;

/** Yields the entries of a run in order, decrypted. */
export async function* readEntries(
  connection: StoreConnection,
  sealer: Sealer,
  id: string,
): AsyncGenerator<{ seq: number; payload: Buffer }, void> {
  for (let seq = 0; ; ) {
    const rows = await connection.query(
      `SELECT seq, fence, payload FROM ${connection.address.schema}.entry WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
      [id, seq, entriesAtOnce],
    );
    for (const row of rows) {
      const next = Number(row["seq"]);
      // Fail, because writes that the missing entry records would be sent again.
      if (next !== seq + 1)
        throw new StoreError("store_damaged", `entry ${seq + 1} of run ${id} is missing from the store`);
      seq = next;
      yield { seq, payload: sealer.open(bufferOf(row["payload"]), ["entry", id, seq, String(row["fence"])]) };
    }
    if (rows.length < entriesAtOnce) return;
  }
}
