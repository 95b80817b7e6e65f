import type { Random } from "../base/random.js";
import type { StoreConnection } from "./connection.js";
import { StoreError } from "./errors.js";

/** Current layout of the schema. voxctl also supports the previous layout. */
const layout = 2;
const fleetLayout = 2;

const tables = (schema: string) => `
  CREATE TABLE ${schema}.store (id uuid NOT NULL, epoch int NOT NULL, layout int NOT NULL, counter bigint NOT NULL,
    counted_at timestamptz NOT NULL, key_check bytea NOT NULL);
  CREATE TABLE ${schema}.lease (name text PRIMARY KEY, fence uuid NOT NULL, expires_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL, holder jsonb NOT NULL);
  CREATE INDEX lease_fence ON ${schema}.lease (fence);
  CREATE TABLE ${schema}.run (id text PRIMARY KEY, about jsonb NOT NULL, leases text[] NOT NULL, format int NOT NULL,
    fence uuid NOT NULL, seq bigint NOT NULL, timeline int NOT NULL, state text NOT NULL, counts jsonb NOT NULL,
    started_at timestamptz NOT NULL, finished_at timestamptz);
  CREATE INDEX run_leases ON ${schema}.run USING gin (leases);
  CREATE TABLE ${schema}.entry (run text NOT NULL REFERENCES ${schema}.run ON DELETE CASCADE, seq bigint NOT NULL,
    fence uuid NOT NULL, at timestamptz NOT NULL, payload bytea NOT NULL, PRIMARY KEY (run, seq));
  CREATE TABLE ${schema}.answer (run text NOT NULL REFERENCES ${schema}.run ON DELETE CASCADE, fence uuid NOT NULL,
    n int NOT NULL, at timestamptz NOT NULL, payload bytea NOT NULL, PRIMARY KEY (run, fence, n));
  CREATE TABLE ${schema}.blob (name text NOT NULL, part int NOT NULL, generation bigint NOT NULL, payload bytea NOT NULL,
    PRIMARY KEY (name, part));
  CREATE TABLE ${schema}.target (name text PRIMARY KEY, lock_sha256 text NOT NULL, run text, about jsonb NOT NULL,
    at timestamptz NOT NULL);
`;

const fleetTables = (schema: string) => `
  CREATE TABLE ${schema}.fleet (id text PRIMARY KEY, about jsonb NOT NULL, content bytea NOT NULL, revision int NOT NULL,
    state text NOT NULL, is_stopping boolean NOT NULL, stop jsonb, started_at timestamptz NOT NULL, ended_at timestamptz);
  CREATE TABLE ${schema}.member (fleet text NOT NULL REFERENCES ${schema}.fleet ON DELETE CASCADE, name text NOT NULL,
    content bytea NOT NULL, wave int NOT NULL, state text NOT NULL, fence uuid, job uuid, worker jsonb,
    runs text[] NOT NULL, exit int, attempts int NOT NULL, not_before timestamptz, result bytea,
    started_at timestamptz, ended_at timestamptz, PRIMARY KEY (fleet, name));
`;

/**
 * Creates the schema and its missing tables, including tables that later layouts added. Concurrent calls are
 * safe.
 * @param keyCheck returns the value that identifies the store key; called with the new store's ID
 * @returns the store, and whether this call created it
 */
export async function createSchema(
  connection: StoreConnection,
  random: Random,
  keyCheck: (storeId: string) => Buffer,
): Promise<StoreRowInfo & { isNew: boolean }> {
  const { schema } = connection.address;
  const id = randomUuid(random);
  // A single query is one transaction even with a connection pooler.
  await connection.query(`
    DO $create$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('voxctl store ${schema}'));
      IF to_regclass('${schema}.store') IS NULL THEN
        CREATE SCHEMA IF NOT EXISTS ${schema};
        ${tables(schema)}
        INSERT INTO ${schema}.store VALUES ('${id}', 1, 1, 0, clock_timestamp(), '\\x${keyCheck(id).toString("hex")}');
      END IF;
      IF (SELECT layout FROM ${schema}.store) < ${fleetLayout} THEN
        ${fleetTables(schema)}
        UPDATE ${schema}.store SET layout = ${layout};
      END IF;
    END
    $create$`);
  const found = await readStoreRow(connection);
  return { ...found, isNew: found.id === id };
}

/** Each store has its own job queue, so that stores in one database never share jobs. */
export function queueSchemaOf(schema: string): string {
  return `${schema}_queue`;
}

export function grantsFor(schema: string, role: string): string[] {
  const name = `"${role.replaceAll('"', '""')}"`;
  const all = ["lease", "run", "blob", "target", "fleet", "member"]
    .map((table) => `${schema}.${table}`)
    .join(", ");
  const appended = ["entry", "answer"].map((table) => `${schema}.${table}`).join(", ");
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${name};`,
    `GRANT SELECT, UPDATE ON ${schema}.store TO ${name};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${all} TO ${name};`,
    `GRANT SELECT, INSERT, DELETE ON ${appended} TO ${name};`,
    `GRANT USAGE ON SCHEMA ${queueSchemaOf(schema)} TO ${name};`,
    `GRANT SELECT ON ${queueSchemaOf(schema)}.version, ${queueSchemaOf(schema)}.queue TO ${name};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${queueSchemaOf(schema)}.job TO ${name};`,
  ];
}

export interface StoreRowInfo {
  id: string;
  epoch: number;
  layout: number;
  counter: number;
  keyCheck: Buffer;
  /** The server's timeline number. Each failover or restore increases it. */
  timeline: number;
  /** The database's time, in milliseconds since 1970. */
  now: number;
  /** Time of the last counter increment, by the database's clock. */
  countedAt: number;
}

/** @throws StoreError `store_missing`, `store_newer`, `store_unavailable` on a standby */
export async function readStoreRow(connection: StoreConnection): Promise<StoreRowInfo> {
  const { schema } = connection.address;
  const [row] = await connection.query(`
    SELECT id, epoch, layout, counter, key_check, pg_is_in_recovery() AS standby,
      CASE WHEN pg_is_in_recovery() THEN 0
        ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline,
      extract(epoch FROM clock_timestamp()) * 1000 AS now, extract(epoch FROM counted_at) * 1000 AS counted_at
    FROM ${schema}.store`);
  if (row === undefined) throw new StoreError("store_missing", "the store's schema is empty");
  if (row["standby"] === true)
    throw new StoreError("store_unavailable", "the database server is a standby", { isTransient: true });
  const found = Number(row["layout"]);
  if (found > layout)
    throw new StoreError(
      "store_newer",
      `the store has layout ${found}, but this version of voxctl supports layouts up to ${layout}`,
      {
        hint: "update voxctl",
      },
    );
  return {
    id: String(row["id"]),
    epoch: Number(row["epoch"]),
    layout: found,
    counter: Number(row["counter"]),
    keyCheck: bufferOf(row["key_check"]),
    timeline: Number(row["timeline"]),
    now: Number(row["now"]),
    countedAt: Number(row["counted_at"]),
  };
}

/** Older stores lack tables for fleets. */
export function hasFleetLayout({ layout: current }: Pick<StoreRowInfo, "layout">): boolean {
  return current >= fleetLayout;
}

/**
 * `current` is the layout of new stores.
 * @throws see `readStoreRow`
 */
export async function readLayout(connection: StoreConnection): Promise<{ layout: number; current: number }> {
  return { layout: (await readStoreRow(connection)).layout, current: layout };
}

/** @throws StoreError `store_older` */
export function assertFleetLayout(info: Pick<StoreRowInfo, "layout">): void {
  if (hasFleetLayout(info)) return;
  throw new StoreError(
    "store_older",
    `the store has layout ${info.layout}, but fleets require layout ${fleetLayout}`,
    { hint: "as the owner of the store, run `voxctl store init`" },
  );
}

export function bufferOf(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value);
  throw new StoreError("store_damaged", "the store contains a value with an unexpected type");
}

export function randomUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
