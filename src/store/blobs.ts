/** A blob is named content that machines share, such as a group's key map. */
import type { SharedBlobs } from "../write/engine/shared-runs.js";
import type { StoreConnection } from "./connection.js";
import { StoreError } from "./errors.js";
import { persist, type RunLogParts, takenError } from "./log.js";
import { bufferOf } from "./schema.js";
import type { Sealer } from "./sealing.js";

/** Size of a part before it is encrypted, in bytes. */
const partBytes = 4_000_000;

/**
 * Returns undefined if the store has no blob with this name.
 * @throws StoreError `store_damaged`
 */
export async function loadBlob(
  connection: StoreConnection,
  sealer: Sealer,
  name: string,
): ReturnType<SharedBlobs["load"]> {
  const rows = await connection.query(
    `SELECT part, generation, payload FROM ${connection.address.schema}.blob WHERE name = $1 ORDER BY part`,
    [name],
  );
  if (rows.length === 0) return undefined;
  const generation = Number(rows[0]?.["generation"]);
  const parts = rows.map((row, part) =>
    sealer.open(bufferOf(row["payload"]), placeOf(name, generation, part, rows.length)),
  );
  return { generation, content: Buffer.concat(parts) };
}

export async function listBlobNames(connection: StoreConnection, prefix: string): Promise<string[]> {
  const rows = await connection.query(
    `SELECT name FROM ${connection.address.schema}.blob WHERE part = 0 AND starts_with(name, $1) ORDER BY name`,
    [prefix],
  );
  return rows.map(({ name }) => String(name));
}

/** The encryption authenticates the number of parts, so a missing part is detected. */
function placeOf(name: string, generation: number, part: number, parts: number) {
  return ["blob", name, generation, part, parts];
}

function sealBlob(sealer: Sealer, name: string, generation: number, content: Buffer): Buffer[] {
  const count = Math.max(1, Math.ceil(content.length / partBytes));
  return Array.from({ length: count }, (_, part) =>
    sealer.seal(
      content.subarray(part * partBytes, (part + 1) * partBytes),
      placeOf(name, generation, part, count),
    ),
  );
}

/** A process can save a blob only while it holds all its leases. */
export function createSharedBlobs(parts: RunLogParts): SharedBlobs {
  const { connection, sealer, leases, leaseMilliseconds } = parts;
  const { schema } = connection.address;
  const save = async (name: string, generation: number, sealed: readonly Buffer[]): Promise<boolean> => {
    const start = leases.start();
    const rows = await connection.query(
      `WITH renewed AS (
         UPDATE ${schema}.lease SET expires_at = clock_timestamp() + $3::interval, seen_at = clock_timestamp()
         WHERE fence = $1 AND expires_at > clock_timestamp() RETURNING name
       ), known AS (
         SELECT coalesce(max(generation), 0) AS generation FROM ${schema}.blob WHERE name = $4
       ), allowed AS (
         SELECT 1 FROM known WHERE generation = $5::bigint AND (SELECT count(*) FROM renewed) = $2
       ), shortened AS (
         DELETE FROM ${schema}.blob WHERE name = $4 AND part >= $7 AND EXISTS (SELECT 1 FROM allowed)
       )
       INSERT INTO ${schema}.blob AS kept (name, part, generation, payload)
       SELECT $4, number - 1, $5::bigint + 1, payload
       FROM unnest($6::bytea[]) WITH ORDINALITY AS parts (payload, number), allowed
       ON CONFLICT (name, part) DO UPDATE SET generation = excluded.generation, payload = excluded.payload
         WHERE kept.generation = $5::bigint
       RETURNING part`,
      [
        ...[leases.fence, leases.names.length, `${leaseMilliseconds} milliseconds`, name, generation],
        ...[sealed, sealed.length],
      ],
    );
    if (rows.length < sealed.length) return false;
    leases.confirm(start);
    return true;
  };
  const isSaved = async (name: string, sealed: readonly Buffer[]): Promise<boolean> => {
    const [row] = await connection.query(`SELECT payload FROM ${schema}.blob WHERE name = $1 AND part = 0`, [
      name,
    ]);
    return row !== undefined && sealed[0]?.equals(bufferOf(row["payload"])) === true;
  };
  return {
    load: (name) => persist(parts, () => loadBlob(connection, sealer, name)),
    async save(name, generation, content) {
      const sealed = sealBlob(sealer, name, generation + 1, content);
      await persist(parts, async () => {
        if (await save(name, generation, sealed)) return;
        // This save failed for one of three reasons: an earlier attempt succeeded but its response was lost,
        // another process changed the blob, or the leases expired.
        if (await isSaved(name, sealed)) return;
        if (await leases.renew()) throw changedError();
        if (!(await parts.retake())) throw takenError();
        if (!(await save(name, generation, sealed))) throw changedError();
      });
    },
  };
}

function changedError(): StoreError {
  return new StoreError(
    "store_changed",
    "the key map was not saved in the store, because another process has changed it since it was loaded",
    {
      hint: "the contacts were changed, but their keys were not saved; the next run matches the contacts by the --match fields",
    },
  );
}

/**
 * Doesn't change an existing blob.
 * @returns false if the store already has a blob with this name
 */
export async function addBlob(
  connection: StoreConnection,
  sealer: Sealer,
  name: string,
  content: Buffer,
): Promise<boolean> {
  const { schema } = connection.address;
  const rows = await connection.query(
    `INSERT INTO ${schema}.blob (name, part, generation, payload)
     SELECT $1, number - 1, 1, payload FROM unnest($2::bytea[]) WITH ORDINALITY AS parts (payload, number)
     WHERE NOT EXISTS (SELECT 1 FROM ${schema}.blob WHERE name = $1)
     ON CONFLICT DO NOTHING RETURNING part`,
    [name, sealBlob(sealer, name, 1, content)],
  );
  return rows.length > 0;
}
