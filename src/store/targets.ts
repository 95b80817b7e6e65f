/**
 * Stores the digest of each configuration target's lock file. A machine with a different lock file must not
 * apply the configuration.
 */
import type { AppliedTarget } from "../write/engine/shared-runs.js";
import type { StoreConnection } from "./connection.js";
import { formatPlace, LeaseHolder } from "./leases.js";

/**
 * Returns what was last applied to a target; undefined if no configuration was applied. Needs no store key.
 */
export async function findTarget(
  connection: StoreConnection,
  name: string,
): Promise<AppliedTarget | undefined> {
  const [row] = await connection.query(
    `SELECT lock_sha256, about, extract(epoch FROM clock_timestamp() - at) * 1000 AS milliseconds
     FROM ${connection.address.schema}.target WHERE name = $1`,
    [name],
  );
  if (row === undefined) return undefined;
  const holder = LeaseHolder.safeParse(row["about"]).data;
  return {
    lockSha256: String(row["lock_sha256"]),
    by: holder === undefined ? "another machine" : formatPlace(holder),
    ago: Number(row["milliseconds"]),
  };
}

/** @param before expected digest in the store; a different digest is not replaced */
export async function saveTarget(
  connection: StoreConnection,
  name: string,
  lockSha256: string,
  { holder, before }: { holder: LeaseHolder; before?: string | undefined },
): Promise<void> {
  const { schema } = connection.address;
  await connection.query(
    `INSERT INTO ${schema}.target AS known (name, lock_sha256, about, at)
     VALUES ($1, $2, $3, clock_timestamp())
     ON CONFLICT (name) DO UPDATE SET lock_sha256 = excluded.lock_sha256, about = excluded.about, at = excluded.at
     WHERE $4::text IS NULL OR known.lock_sha256 = $4`,
    [name, lockSha256, JSON.stringify(holder), before ?? null],
  );
}
