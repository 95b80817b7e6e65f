import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { makePrivateFolder, writePrivateFile } from "../base/private-file.js";
import type { Random } from "../base/random.js";
import { parseStoreAddress } from "./address.js";
import { createStoreConnection, type StoreConnection } from "./connection.js";
import { StoreError } from "./errors.js";
import { readStoreRow, type StoreRowInfo } from "./schema.js";
import { createSealer, type Sealer } from "./sealing.js";

export interface OpenStore {
  connection: StoreConnection;
  info: StoreRowInfo;
  sealer: Sealer;
}

export interface GivenAddress {
  address: string;
  /** Name of the address in messages, such as `VOXCTL_STORE`. */
  source: string;
  /** Password for an address that contains no password. */
  password: string | undefined;
}

/**
 * Returns a connection that opens when the first statement runs.
 * @throws BulkError `invalid_store`
 */
export function connectStore({ address, source, password }: GivenAddress): StoreConnection {
  const parsed = parseStoreAddress(address, source);
  return createStoreConnection({ ...parsed, password: parsed.password ?? password });
}

interface OpenStoreOptions extends GivenAddress {
  keys: readonly Buffer[];
  random: Random;
  /** File with the store's state at this machine's last use. */
  seenFile: string;
  /** Whether to accept a different store or an older state of the store. */
  acceptsRestored?: boolean;
}

/** A failover loses at most the changes of this period. A restored backup loses more. */
const behindMilliseconds = 60_000;

const Seen = z.object({
  id: z.string(),
  epoch: z.number(),
  counter: z.number(),
  timeline: z.number(),
  /** The database's time, in milliseconds since 1970. */
  at: z.number(),
});
type Seen = z.output<typeof Seen>;

/**
 * Opens a store for a run. Checks the store's layout and key, and detects a store that was replaced by an
 * older copy.
 * @throws StoreError
 */
export async function openStore({
  keys,
  random,
  seenFile,
  acceptsRestored = false,
  ...given
}: OpenStoreOptions): Promise<OpenStore> {
  const connection = connectStore(given);
  try {
    // Read the file before the store. Otherwise, another process could update the store and the file between
    // the two reads, and the store would seem older than the file.
    const seen = acceptsRestored ? undefined : await readSeen(seenFile);
    const info = await readStoreRow(connection);
    const sealer = createSealer(keys, info.id, random);
    if (!sealer.isKeyOf(info.keyCheck))
      throw new StoreError("store_key_wrong", "the store key does not belong to this store", {
        hint: "set VOXCTL_STORE_KEY to the key that `voxctl store init` printed",
      });
    if (seen !== undefined) checkSeen(seen, info);
    // Each command increases the store's counter. A restored backup has a lower counter.
    const counted = { ...info, counter: await countCommand(connection) };
    await rememberStore(seenFile, counted);
    return { connection, info: counted, sealer };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function countCommand(connection: StoreConnection): Promise<number> {
  const [row] = await connection.query(
    `UPDATE ${connection.address.schema}.store SET counter = counter + 1, counted_at = clock_timestamp() RETURNING counter`,
  );
  return Number(row?.["counter"] ?? 0);
}

/** @throws StoreError `store_other`, `store_restored` */
function checkSeen(seen: Seen, info: StoreRowInfo): void {
  if (seen.id !== info.id)
    throw new StoreError("store_other", "the store at this address was replaced by another store", {
      hint: "if this is intended, run `voxctl store check --accept-restored`",
    });
  const isBehind = info.epoch < seen.epoch || (info.epoch === seen.epoch && info.counter < seen.counter);
  const isFailover = info.timeline > seen.timeline && seen.at - info.countedAt < behindMilliseconds;
  if (isBehind && !isFailover)
    throw new StoreError(
      "store_restored",
      "the store was reset to an older state since this machine last used it",
      {
        hint: "if the store was restored from a backup, run `voxctl store check --accept-restored`",
      },
    );
}

async function readSeen(path: string): Promise<Seen | undefined> {
  try {
    return Seen.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

export async function rememberStore(
  path: string,
  { id, epoch, counter, timeline, now }: StoreRowInfo,
): Promise<void> {
  await makePrivateFolder(dirname(path));
  const seen: Seen = { id, epoch, counter, timeline, at: now };
  // Replace the file atomically: other processes read and write it at the same time.
  await writePrivateFile(path, JSON.stringify(seen), { replace: true });
}
