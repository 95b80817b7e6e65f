import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../base/clock.js";
import { formatCount } from "../base/text.js";
import { journalVersion } from "../write/journal/file.js";
import type { Journal } from "../write/journal/journal.js";
import type { Progress } from "../write/journal/list.js";
import type { StoreConnection } from "./connection.js";
import { StoreError } from "./errors.js";
import { formatPlace, formatTime, type LeaseHolder, type Leases } from "./leases.js";
import { bufferOf, readStoreRow } from "./schema.js";
import type { Sealer } from "./sealing.js";
import { findMissingChanges, rebuildJournal } from "./working-copy.js";

/** Unencrypted data about a run. Other machines can read it without the store key. */
export interface RunProgress {
  state: "planning" | "running" | "finished" | "undone";
  counts: Progress;
  /** Milliseconds since 1970, by the machine's clock. */
  finishedAt: number | undefined;
  about: object;
}

/** Encrypts and numbers the entries of one run. Writes only while this process holds its leases. */
export interface RunLog {
  /**
   * Appends an entry and renews the leases in one statement. Retries while the store is unavailable.
   * @throws StoreError `run_taken` if another process has taken a lease or the run; `store_unavailable` after
   *   a long outage; the signal's reason
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
  /** Acquires expired leases again. Returns false if another process has taken a lease or the run. */
  retake(): Promise<boolean>;
  /** Called at the start of each outage. */
  onOutage(error: StoreError): void;
}

const firstPauseMilliseconds = 250;
const longestPauseMilliseconds = 5_000;

/** @param recover appends lost entries again; see `appendMissing` */
export function createRunLog(
  parts: RunLogParts,
  run: { id: string; seq: number },
  recover: () => Promise<number | undefined>,
): RunLog {
  const { sealer, leases } = parts;
  let { seq } = run;
  return {
    async append(payload, progress) {
      const next = seq + 1;
      const send = async () => {
        // Without leases, another process may own the run, so append nothing.
        if (leases.names.length === 0) return false;
        const start = leases.start();
        const sealed = sealer.seal(payload, ["entry", run.id, next, leases.fence]);
        const isAppended = await appendEntry(parts, run.id, next, sealed, progress);
        if (isAppended) leases.confirm(start);
        return isAppended;
      };
      seq = await persist(parts, async () => {
        if (await send()) return next;
        // The append failed. Either an earlier attempt took effect but its response was lost, or the leases
        // expired.
        if (await hasEntry(parts, run.id, next)) return next;
        if (!(await parts.retake())) throw takenError();
        if (await send()) return next;
        const recovered = await recover();
        if (recovered === undefined) throw takenError();
        return recovered;
      });
    },
  };
}

/**
 * Makes this process the owner of the run. Creates the run if necessary.
 * @returns the number of the run's last entry
 */
export async function claimRun(
  { connection, leases, timeline }: Pick<RunLogParts, "connection" | "leases"> & { timeline: number },
  id: string,
  about: object,
  written = leases.names.filter((name) => !name.startsWith("run/")),
): Promise<number> {
  const { schema } = connection.address;
  const [row] = await connection.query(
    `INSERT INTO ${schema}.run (id, about, leases, format, fence, seq, timeline, state, counts, started_at)
     VALUES ($1, $2, $3, $4, $5, 0, $6, 'planning', '{}', clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET fence = excluded.fence, timeline = excluded.timeline,
       about = ${schema}.run.about || jsonb_build_object('holder', excluded.about->'holder')
     RETURNING seq`,
    [id, JSON.stringify(about), written, journalVersion, leases.fence, timeline],
  );
  return Number(row?.["seq"] ?? 0);
}

export async function hasRun(connection: StoreConnection, id: string): Promise<boolean> {
  const run = `SELECT 1 FROM ${connection.address.schema}.run WHERE id = $1`;
  return (await connection.query(run, [id])).length > 0;
}

/**
 * Appends the journal's changes that are missing from the store after a failover or a restored backup.
 * @returns the number of the last entry; undefined if another process owns the run
 */
export async function appendMissing(
  parts: Pick<RunLogParts, "connection" | "sealer" | "leases" | "leaseMilliseconds"> & { folder: string },
  { id, journal }: { id: string; journal: Pick<Journal, "database"> },
  progress: RunProgress,
): Promise<number | undefined> {
  const { connection, sealer, leases, folder } = parts;
  const run = `SELECT fence FROM ${connection.address.schema}.run WHERE id = $1`;
  const [row] = await connection.query(run, [id]);
  if (row !== undefined && row["fence"] !== leases.fence) return undefined;
  const { timeline } = await readStoreRow(connection);
  await claimRun({ connection, leases, timeline }, id, progress.about);
  const path = join(folder, `${id}.stored`);
  await rm(path, { force: true });
  const copy = await rebuildJournal(path, readEntries(connection, sealer, id));
  let { seq } = copy;
  for (const payload of await findMissingChanges(path, copy, journal.database)) {
    const sealed = sealer.seal(payload, ["entry", id, seq + 1, leases.fence]);
    if (!(await appendEntry(parts, id, seq + 1, sealed, progress))) return undefined;
    seq += 1;
  }
  await rm(path, { force: true });
  return seq;
}

/** Repeats `work` with growing pauses while the store is unavailable. */
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

/**
 * Renews all leases and appends the entry in one statement. If a lease was lost, the statement changes
 * neither the run nor its entries.
 */
async function appendEntry(
  { connection, leases, leaseMilliseconds }: Pick<RunLogParts, "connection" | "leases" | "leaseMilliseconds">,
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

/** Returns whether an earlier append took effect although its response was lost. */
async function hasEntry({ connection, leases }: RunLogParts, id: string, seq: number): Promise<boolean> {
  const rows = await connection.query(
    `SELECT 1 FROM ${connection.address.schema}.entry WHERE run = $1 AND seq = $2 AND fence = $3`,
    [id, seq, leases.fence],
  );
  return rows.length > 0;
}

/** @param count number of responses passed to the owner */
export function takenError({
  owner,
  count = 0,
  hint = "to see which process is using each run: `voxctl runs list`",
}: {
  owner?: LeaseHolder | undefined;
  count?: number;
  hint?: string | undefined;
} = {}): StoreError {
  const since = owner?.since === undefined ? "" : ` (command started at ${formatTime(owner.since)})`;
  const continued =
    owner === undefined
      ? "another process has taken over this run or its group"
      : `${formatPlace(owner)} has taken over this run or its group${since}`;
  const handedOver =
    count === 0
      ? ""
      : `; ${formatCount(count, "response")} ${count === 1 ? "was" : "were"} passed to the other process`;
  return new StoreError(takenCode, `${continued}, so this process stopped${handedOver}`, {
    hint,
  });
}

const takenCode = "run_taken";

export function isTaken(error: unknown): boolean {
  return error instanceof StoreError && error.code === takenCode;
}

const entriesAtOnce = 50;

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
      // Fail, because the missing entry may have recorded writes that voxctl would send again.
      if (next !== seq + 1)
        throw new StoreError("store_damaged", `entry ${seq + 1} of run ${id} is missing from the store`);
      seq = next;
      yield { seq, payload: sealer.open(bufferOf(row["payload"]), ["entry", id, seq, String(row["fence"])]) };
    }
    if (rows.length < entriesAtOnce) return;
  }
}
