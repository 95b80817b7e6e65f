import * as z from "zod";
import { type Clock, stopwatch } from "../base/clock.js";
import type { StoreAddress } from "./address.js";
import type { StoreConnection } from "./connection.js";

export const LeaseHolder = z.object({
  command: z.string(),
  pid: z.number().optional(),
  user: z.string().optional(),
  host: z.string().optional(),
  job: z.string().optional(),
  since: z.string().optional(),
});
export type LeaseHolder = z.output<typeof LeaseHolder>;

/**
 * Returns text such as "runner@ci-3". Without a host, returns the process number or, if it is hidden too,
 * "another machine".
 */
export function formatPlace({ user, host, pid }: LeaseHolder): string {
  if (host !== undefined) return `${user ?? "?"}@${host}`;
  return pid === undefined ? "another machine" : `process ${pid}`;
}

/** Removes the user, host, process and CI job from the holder if the store is anonymous. */
export function toShownHolder({ isAnonymous }: StoreAddress, holder: LeaseHolder): LeaseHolder {
  const { command, since } = holder;
  return isAnonymous ? { command, since } : holder;
}

export function formatTime(time: string): string {
  return `${time.slice(11, 16)} UTC`;
}

const unknownHolder: LeaseHolder = { command: "another run" };

export interface ForeignLease {
  holder: LeaseHolder;
  /**
   * Milliseconds since the last renewal, by the database's clock. `lapsesIn` is the time until the lease
   * expires.
   */
  seenAgo: number;
  lapsesIn: number;
}

/** The leases of one process. All leases share a fence, so they are renewed and lost together. */
export interface Leases {
  /** Random ID of this process. The process's writes contain it. */
  readonly fence: string;
  readonly names: readonly string[];
  /** Acquires a free or expired lease. Otherwise, returns the current owner's lease. */
  take(name: string): Promise<ForeignLease | undefined>;
  /**
   * Adds a lease that was acquired with `insertLeaseSql`.
   * @param start time before the statement was sent
   */
  adopt(name: string, start: LeaseStart): void;
  /**
   * Milliseconds between the expiry of a former owner's lease and its takeover by this process; undefined
   * without a former owner. For several leases, the shortest time.
   */
  readonly formerLapsedMilliseconds: number | undefined;
  /**
   * Must be called after a statement has renewed all leases.
   * @param start time before the statement was sent
   */
  confirm(start: LeaseStart): void;
  start(): LeaseStart;
  /**
   * Renews all leases. Returns false if the leases must be acquired again, for example because one has
   * expired.
   */
  renew(): Promise<boolean>;
  /**
   * Acquires all leases again with a new fence.
   * @param claim writes the new fence to this process's records; returns false if another process has taken
   *   over a record
   * @returns false if another process holds a lease or `claim` returned false
   */
  retake(fence: string, claim: (former: readonly string[]) => Promise<boolean>): Promise<boolean>;
  /** Returns the milliseconds since the last successful renewal. */
  lapsedMilliseconds(): number;
  /** Returns whether the leases are certainly still valid. */
  isSafe(): boolean;
  /** By default, ends all leases of this process. */
  release(names?: readonly string[]): Promise<void>;
}

interface LeaseStart {
  wall: number;
  monotonic: number;
}

/**
 * Fraction of a lease's duration for which the owner relies on the lease. The remaining time is a margin,
 * because a standby server's clock may differ.
 */
export const safePart = 0.75;

/**
 * Returns SQL that acquires a lease unless another process holds a valid one. The caller appends RETURNING.
 * @param source `VALUES` or `SELECT` of the name, fence, expiry, renewal time and holder
 */
export function insertLeaseSql(schema: string, source: string): string {
  return `INSERT INTO ${schema}.lease AS held (name, fence, expires_at, seen_at, holder) ${source}
    ON CONFLICT (name) DO UPDATE SET fence = excluded.fence, expires_at = excluded.expires_at,
      seen_at = excluded.seen_at, holder = excluded.holder
    WHERE held.expires_at <= clock_timestamp() OR held.fence = excluded.fence`;
}

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
  let formerLapsed: number | undefined;
  let confirmed: LeaseStart | undefined;
  let isRetaking = false;
  const former: string[] = [];
  const duration = `${leaseMilliseconds} milliseconds`;
  const start = () => ({ wall: clock.now(), monotonic: stopwatch(clock) });
  const passed = (): number => {
    if (confirmed === undefined) return Number.POSITIVE_INFINITY;
    const now = start();
    // Use the longer of the two durations: Linux's monotonic clock stops during sleep, and the wall clock can
    // be set back.
    return Math.max(now.wall - confirmed.wall, now.monotonic - confirmed.monotonic);
  };
  /**
   * Acquires a lease, unless another process holds a valid one. The statement uses a single table: after a
   * wait for a row lock, it would read other tables from an outdated snapshot.
   */
  const insert = async (name: string): Promise<boolean> => {
    const values = "VALUES ($1, $2::uuid, clock_timestamp() + $3::interval, clock_timestamp(), $4::jsonb)";
    const [row] = await connection.query(
      `WITH former AS (SELECT expires_at FROM ${schema}.lease WHERE name = $1 AND fence <> $2)
       ${insertLeaseSql(schema, values)}
       RETURNING (SELECT extract(epoch FROM clock_timestamp() - expires_at) * 1000 FROM former) AS lapsed_for`,
      [name, fence, duration, JSON.stringify(holder)],
    );
    const lapsedFor = row?.["lapsed_for"];
    if (typeof lapsedFor === "string" || typeof lapsedFor === "number")
      formerLapsed = Math.min(formerLapsed ?? Number.POSITIVE_INFINITY, Number(lapsedFor));
    return row !== undefined;
  };
  const adopt = (name: string, begun: LeaseStart) => {
    // If the statement was repeated, the name is already in the list.
    if (!names.includes(name)) names.push(name);
    // All leases are renewed together, so the oldest lease determines the time of the next renewal.
    confirmed ??= begun;
  };
  return {
    get fence() {
      return fence;
    },
    get formerLapsedMilliseconds() {
      return formerLapsed;
    },
    names,
    start,
    confirm(begun) {
      confirmed = begun;
    },
    async take(name) {
      const begun = start();
      if (!(await insert(name))) return findForeignLease(connection, name);
      adopt(name, begun);
      return undefined;
    },
    adopt,
    async renew() {
      const begun = start();
      const rows = await connection.query(
        `UPDATE ${schema}.lease SET expires_at = clock_timestamp() + $2::interval, seen_at = clock_timestamp()
         WHERE fence = $1 AND expires_at > clock_timestamp() RETURNING name`,
        [fence, duration],
      );
      if (isRetaking || rows.length < names.length) return false;
      confirmed = begun;
      return true;
    },
    async retake(next, claim) {
      if (names.length === 0) return false;
      const begun = start();
      // Another process may have used the leases in the meantime, so they are not safe before `claim`
      // succeeds.
      isRetaking = true;
      // Unexpired leases with the old fence would block the insert, so delete them.
      await connection.query(`DELETE FROM ${schema}.lease WHERE fence = $1`, [fence]);
      former.push(fence);
      fence = next;
      formerLapsed = 0;
      for (const name of names) if (!(await insert(name))) return false;
      if (!(await claim(former))) return false;
      confirmed = begun;
      isRetaking = false;
      return true;
    },
    lapsedMilliseconds: passed,
    isSafe: () => names.length > 0 && !isRetaking && passed() < leaseMilliseconds * safePart,
    async release(ended = [...names]) {
      if (ended.length === 0) return;
      const kept = names.filter((name) => !ended.includes(name));
      names.splice(0, names.length, ...kept);
      await connection.query(`DELETE FROM ${schema}.lease WHERE fence = $1 AND name = ANY($2)`, [
        fence,
        ended,
      ]);
    },
  };
}

async function findForeignLease(
  connection: StoreConnection,
  name: string,
): Promise<ForeignLease | undefined> {
  const [row] = await listLeases(connection, name);
  // The owner's lease has just ended. Return a lease that expires now, so that the command tries again.
  return row ?? { holder: unknownHolder, seenAgo: 0, lapsesIn: 0 };
}

export interface ListedLease extends ForeignLease {
  name: string;
  fence: string;
}

/** Lists all unexpired leases, or only the lease with this name. */
export async function listLeases(
  connection: Pick<StoreConnection, "address" | "query">,
  name?: string,
): Promise<ListedLease[]> {
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

export async function endLeases(connection: StoreConnection, fence: string): Promise<string[]> {
  const rows = await connection.query(
    `DELETE FROM ${connection.address.schema}.lease WHERE fence = $1 RETURNING name`,
    [fence],
  );
  return rows.map(({ name }) => String(name)).sort();
}
