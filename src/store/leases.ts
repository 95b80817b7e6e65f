import * as z from "zod";
import { type Clock, stopwatch } from "../base/clock.js";
import type { StoreConnection } from "./connection.js";

/** The owner of a lease, as other machines show it. */
export const LeaseHolder = z.object({
  command: z.string(),
  pid: z.number(),
  user: z.string().optional(),
  host: z.string().optional(),
  /** URL of the CI job. */
  job: z.string().optional(),
});
export type LeaseHolder = z.output<typeof LeaseHolder>;

/** "runner@ci-3", or the process of an anonymous store. */
export function formatPlace({ user, host, pid }: LeaseHolder): string {
  return host === undefined ? `process ${pid}` : `${user ?? "?"}@${host}`;
}

const unknownHolder: LeaseHolder = { command: "another run", pid: 0 };

/** Another process's lease. */
export interface ForeignLease {
  holder: LeaseHolder;
  /** Milliseconds since it was renewed, and until it lapses, by the database's clock. */
  seenAgo: number;
  lapsesIn: number;
}

/** The leases of one process, all under one fence: they are renewed and lost together. */
export interface Leases {
  /** The random mark that this process's writes carry. */
  readonly fence: string;
  readonly names: readonly string[];
  /** Takes a lease that is free or lapsed; returns the current owner otherwise. */
  take(name: string): Promise<ForeignLease | undefined>;
  /** Counts a statement that renewed all leases and began at this time (see `start`). */
  confirm(start: LeaseStart): void;
  start(): LeaseStart;
  /** Renews all; false if one of them has lapsed. */
  renew(): Promise<boolean>;
  /** Takes all again under another fence after they lapsed; false if another process has one of them. */
  retake(fence: string): Promise<boolean>;
  /** Milliseconds since the last confirmed statement. */
  lapsedMilliseconds(): number;
  /** Whether a request may leave now: the leases can't have lapsed. */
  isSafe(): boolean;
  release(): Promise<void>;
}

interface LeaseStart {
  wall: number;
  monotonic: number;
}

/** Part of a lease's duration after which its owner stops trusting it; the rest covers a standby's clock. */
const safePart = 0.75;

export function createLeases(
  connection: StoreConnection,
  {
    clock,
    fence: firstFence,
    holder,
    leaseMilliseconds,
  }: { clock: Clock; fence: string; holder: LeaseHolder; leaseMilliseconds: number },
): Leases {
  const { schema } = connection.address;
  let fence = firstFence;
  const names: string[] = [];
  let confirmed: LeaseStart | undefined;
  const duration = `${leaseMilliseconds} milliseconds`;
  const start = () => ({ wall: clock.now(), monotonic: stopwatch(clock) });
  const passed = (): number => {
    if (confirmed === undefined) return Number.POSITIVE_INFINITY;
    const now = start();
    // Linux's monotonic clock stops while the machine sleeps; the wall clock may be set.
    return Math.max(now.wall - confirmed.wall, now.monotonic - confirmed.monotonic);
  };
  /** One row and one table: after a wait for the row, another table would be read as it was before. */
  const insert = async (name: string): Promise<boolean> => {
    const rows = await connection.query(
      `INSERT INTO ${schema}.lease AS held (name, fence, expires_at, seen_at, holder)
       VALUES ($1, $2, clock_timestamp() + $3::interval, clock_timestamp(), $4)
       ON CONFLICT (name) DO UPDATE SET fence = excluded.fence, expires_at = clock_timestamp() + $3::interval,
         seen_at = clock_timestamp(), holder = excluded.holder
       WHERE held.expires_at <= clock_timestamp() OR held.fence = excluded.fence
       RETURNING name`,
      [name, fence, duration, JSON.stringify(holder)],
    );
    return rows.length > 0;
  };
  return {
    get fence() {
      return fence;
    },
    names,
    start,
    confirm(begun) {
      confirmed = begun;
    },
    async take(name) {
      const begun = start();
      if (!(await insert(name))) return findForeignLease(connection, name);
      names.push(name);
      // The first lease starts the deadline; later ones are renewed with it.
      confirmed ??= begun;
      return undefined;
    },
    async renew() {
      const begun = start();
      const rows = await connection.query(
        `UPDATE ${schema}.lease SET expires_at = clock_timestamp() + $2::interval, seen_at = clock_timestamp()
         WHERE fence = $1 AND expires_at > clock_timestamp() RETURNING name`,
        [fence, duration],
      );
      if (rows.length < names.length) return false;
      confirmed = begun;
      return true;
    },
    async retake(next) {
      const begun = start();
      // End those that have not lapsed first, to take them again under the same fence as the others.
      await connection.query(`DELETE FROM ${schema}.lease WHERE fence = $1`, [fence]);
      fence = next;
      for (const name of names) if (!(await insert(name))) return false;
      confirmed = begun;
      return true;
    },
    lapsedMilliseconds: passed,
    isSafe: () => passed() < leaseMilliseconds * safePart,
    async release() {
      if (names.length === 0) return;
      names.length = 0;
      await connection.query(`DELETE FROM ${schema}.lease WHERE fence = $1`, [fence]);
    },
  };
}

/** Reads who holds a lease; undefined if nobody does any more. */
async function findForeignLease(
  connection: StoreConnection,
  name: string,
): Promise<ForeignLease | undefined> {
  const [row] = await listLeases(connection, name);
  // It ended in the meantime: the caller tries again, as for a lease about to lapse.
  return row ?? { holder: unknownHolder, seenAgo: 0, lapsesIn: 0 };
}

export interface ListedLease extends ForeignLease {
  name: string;
  fence: string;
}

/** Lists the unexpired leases, or the one of this name. */
export async function listLeases(connection: StoreConnection, name?: string): Promise<ListedLease[]> {
  const rows = await connection.query(
    `SELECT name, fence, holder, extract(epoch FROM clock_timestamp() - seen_at) * 1000 AS seen_ago,
       extract(epoch FROM expires_at - clock_timestamp()) * 1000 AS lapses_in
     FROM ${connection.address.schema}.lease
     WHERE expires_at > clock_timestamp() AND ($1::text IS NULL OR name = $1) ORDER BY name`,
    [name ?? null],
  );
  return rows.map((row) => ({
    name: String(row["name"]),
    fence: String(row["fence"]),
    holder: LeaseHolder.safeParse(row["holder"]).data ?? unknownHolder,
    seenAgo: Math.max(0, Number(row["seen_ago"])),
    lapsesIn: Number(row["lapses_in"]),
  }));
}

/** Ends all leases under a fence. Returns their names. */
export async function endLeases(connection: StoreConnection, fence: string): Promise<string[]> {
  const rows = await connection.query(
    `DELETE FROM ${connection.address.schema}.lease WHERE fence = $1 RETURNING name`,
    [fence],
  );
  return rows.map(({ name }) => String(name)).sort();
}
