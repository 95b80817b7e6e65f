/** Replaces the entries of a run after a person's data was erased from a copy of the run. */
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../base/clock.js";
import { openDatabase } from "../base/database.js";
import type { Random } from "../base/random.js";
import { StoreError } from "./errors.js";
import { createLeases, type LeaseHolder, toShownHolder } from "./leases.js";
import type { OpenStore } from "./open.js";
import { keepWritesOf } from "./remove-runs.js";
import { randomUuid } from "./schema.js";
import { findMissingChanges, rebuildJournal } from "./working-copy.js";

/**
 * Replaces the entries of a finished run with an edited copy of the run. Keeps the list of the run's writes.
 * @throws StoreError `run_busy` if the run is unfinished or another process uses it
 */
export async function replaceEntries(
  store: OpenStore,
  { id, path }: { id: string; path: string },
  options: { clock: Clock; random: Random; holder: LeaseHolder; leaseMilliseconds: number },
): Promise<void> {
  const { connection, sealer } = store;
  const { schema } = connection.address;
  const fence = randomUuid(options.random);
  const holder = toShownHolder(connection.address, options.holder);
  const leases = createLeases(connection, { ...options, holder, fence });
  const busy = () => new StoreError("run_busy", `run ${id} is unfinished, or another process is using it`);
  if ((await leases.take(`run/${id}`)) !== undefined) throw busy();
  try {
    await keepWritesOf(store, id, dirname(path));
    const payloads = (await readWhole(path)).map((payload, index) =>
      sealer.seal(payload, ["entry", id, index + 1, fence]),
    );
    // Use one statement, so that other processes never read a partial replacement.
    const rows = await connection.query(
      `WITH changed AS (
         UPDATE ${schema}.run SET seq = cardinality($3::bytea[]), fence = $2
         WHERE id = $1 AND state IN ('finished', 'undone') RETURNING id
       ), removed AS (
         DELETE FROM ${schema}.entry WHERE run IN (SELECT id FROM changed) RETURNING 1
       ), late AS (
         DELETE FROM ${schema}.answer WHERE run IN (SELECT id FROM changed) RETURNING 1
       )
       INSERT INTO ${schema}.entry (run, seq, fence, at, payload)
       SELECT changed.id, part.seq, $2::uuid, clock_timestamp(), part.payload
       FROM changed, (SELECT count(*) FROM removed) AS removals,
         unnest($3::bytea[]) WITH ORDINALITY AS part (payload, seq)
       RETURNING seq`,
      [id, fence, payloads],
    );
    if (rows.length === 0) throw busy();
  } finally {
    await leases.release();
  }
}

async function readWhole(path: string): Promise<Buffer[]> {
  const empty = `${path}.new`;
  const created = await rebuildJournal(empty, noEntries());
  const database = await openDatabase(path);
  try {
    return await findMissingChanges(empty, created, database);
  } finally {
    database.close();
    await rm(empty, { force: true });
  }
}

async function* noEntries(): AsyncGenerator<never, void> {}
