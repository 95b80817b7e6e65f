import { formatStoreAddress } from "./address.js";
import type { StoreConnection } from "./connection.js";
import { formatPlace, type ListedLease, listLeases } from "./leases.js";
import { readStoreRow } from "./schema.js";

interface StoreDescription {
  store: string;
  id: string;
  layout: number;
  epoch: number;
  /** Size of the store's tables, in bytes. */
  bytes: number;
  runs: Record<string, number>;
  leases: { name: string; by: string; command: string; seen_seconds_ago: number }[];
}

/** @throws StoreError */
export async function describeStore(connection: StoreConnection): Promise<StoreDescription> {
  const { schema } = connection.address;
  const { id, layout, epoch } = await readStoreRow(connection);
  const states = await connection.query(`SELECT state, count(*) AS n FROM ${schema}.run GROUP BY state`);
  const [size] = await connection.query(
    `SELECT sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)) AS bytes
     FROM pg_tables WHERE schemaname = $1`,
    [schema],
  );
  return {
    ...{ store: formatStoreAddress(connection.address), id, layout, epoch },
    bytes: Number(size?.["bytes"] ?? 0),
    runs: Object.fromEntries(states.map(({ state, n }) => [String(state), Number(n)])),
    leases: (await listLeases(connection)).map(describeLease),
  };
}

function describeLease({ name, holder, seenAgo }: ListedLease): StoreDescription["leases"][number] {
  return {
    name,
    by: formatPlace(holder),
    command: holder.command,
    seen_seconds_ago: Math.round(seenAgo / 1_000),
  };
}
