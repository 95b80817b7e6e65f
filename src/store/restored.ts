/** Accepts a store that was restored from a backup or that replaced another store. */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../base/clock.js";
import type { Random } from "../base/random.js";
import { lockName } from "../write/engine/group-locks.js";
import { BulkError } from "../write/errors.js";
import { Journal } from "../write/journal/journal.js";
import { originOf } from "../write/journal/origin.js";
import { createLeases, type LeaseHolder, toShownHolder } from "./leases.js";
import { appendMissing, claimRun, hasRun, readEntries } from "./log.js";
import { type OpenStore, rememberStore } from "./open.js";
import { createProgress } from "./run-publisher.js";
import { randomUuid, readStoreRow } from "./schema.js";
import { rebuildJournal } from "./working-copy.js";
import { findWorkingCopies } from "./working-folders.js";

interface AcceptOptions {
  seenFile: string;
  dataFolder: string;
  clock: Clock;
  random: Random;
  holder: LeaseHolder;
  leaseMilliseconds: number;
}

/**
 * Accepts a store with an older state than this machine has seen. The new epoch informs other machines about
 * the restore. Uploads entries that only this machine has. Sets the timeline of unfinished runs to 0, so that
 * the next owner of a run treats the restore as a failover.
 * @returns the IDs of the runs with uploaded entries
 */
export async function acceptRestored(store: OpenStore, options: AcceptOptions): Promise<string[]> {
  const { connection } = store;
  const { schema } = connection.address;
  await connection.query(
    `UPDATE ${schema}.store SET epoch = epoch + 1, counter = counter + 1, counted_at = clock_timestamp()`,
  );
  const uploaded: string[] = [];
  for (const path of await findWorkingCopies(options.dataFolder)) {
    const id = await uploadWorkingCopy(store, path, options);
    if (id !== undefined) uploaded.push(id);
  }
  await connection.query(`UPDATE ${schema}.run SET timeline = 0 WHERE state IN ('planning', 'running')`);
  await rememberStore(options.seenFile, await readStoreRow(connection));
  return uploaded;
}

/** @returns the run's ID if the store lacked entries */
async function uploadWorkingCopy(
  { connection, sealer }: OpenStore,
  path: string,
  { clock, random, leaseMilliseconds, ...options }: AcceptOptions,
): Promise<string | undefined> {
  const holder = toShownHolder(connection.address, options.holder);
  const journal = await openUnused(path);
  if (journal === undefined) return undefined;
  const leases = createLeases(connection, { clock, fence: randomUuid(random), holder, leaseMilliseconds });
  try {
    const id = String(journal.setting("id") ?? "");
    if (journal.setting("planned_at") === undefined || (await leases.take(`run/${id}`)) !== undefined)
      return undefined;
    const parts = { connection, sealer, leases, leaseMilliseconds, folder: dirname(path) };
    if (!(await isAhead(parts, id, journal))) return undefined;
    const progress = createProgress(journal, { clock, holder, windowMilliseconds: () => 0 })();
    const { base_url, group_id } = originOf(journal);
    const groups = group_id === null ? [] : [`group/${lockName(base_url ?? "", { id: group_id })}`];
    const { timeline } = await readStoreRow(connection);
    await claimRun({ connection, leases, timeline }, id, progress.about, groups);
    await appendMissing(parts, { id, journal }, progress);
    return id;
  } finally {
    journal.close();
    await leases.release();
  }
}

/** Returns undefined if another process uses the journal or a different version of voxctl wrote it. */
async function openUnused(path: string): Promise<Journal | undefined> {
  try {
    return await Journal.open(path, { create: false });
  } catch (error) {
    if (error instanceof BulkError) return undefined;
    throw error;
  }
}

async function isAhead(
  { connection, sealer, folder }: Pick<OpenStore, "connection" | "sealer"> & { folder: string },
  id: string,
  journal: Journal,
): Promise<boolean> {
  if (!(await hasRun(connection, id))) return true;
  const path = join(folder, `${id}.stored`);
  await rm(path, { force: true });
  const { isEmpty } = await rebuildJournal(path, readEntries(connection, sealer, id));
  if (isEmpty) return true;
  const stored = await Journal.open(path, { create: false });
  try {
    return journal.lastTick() > stored.lastTick();
  } finally {
    stored.close();
  }
}
