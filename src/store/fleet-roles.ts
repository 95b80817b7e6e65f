/** A process can drive a fleet or run one of its members. Each role requires a lease. */
import type { Clock } from "../base/clock.js";
import type { Random } from "../base/random.js";
import type { StoreError } from "./errors.js";
import { memberColumns, type StoredMember, toMember } from "./fleets.js";
import { createLeases, insertLeaseSql, LeaseHolder, type Leases, toShownHolder } from "./leases.js";
import { persist } from "./log.js";
import type { OpenStore } from "./open.js";
import type { FleetJob, FleetQueue } from "./queue.js";
import { randomUuid } from "./schema.js";

export interface FleetRolesOptions {
  store: Pick<OpenStore, "connection">;
  queue: FleetQueue;
  clock: Clock;
  random: Random;
  holder: LeaseHolder;
  leaseMilliseconds: number;
  outageMilliseconds: number;
  onOutage(error: StoreError): void;
}

/** A failed member is retried only after `notBefore`. */
interface StoredEnd {
  state: string;
  attempts: number;
  notBefore: number | null;
  exit: number | null;
  runs: readonly string[];
  result: Buffer;
}

const driverLease = (id: string) => `fleet/${id}`;
const memberLease = (id: string, name: string) => `member/${id}/${name}`;

export function createFleetRoles(options: FleetRolesOptions) {
  const { store, queue, clock, random, leaseMilliseconds } = options;
  const { connection } = store;
  const { schema } = connection.address;
  const holder = toShownHolder(connection.address, options.holder);
  const stop = new AbortController();
  const roles = new Map<string, Leases>();
  // Don't use the command's signal: an interrupted process must still store its members' results.
  const retrying = { ...options, signal: stop.signal };
  const query = (text: string, values: readonly unknown[]) =>
    persist(retrying, () => connection.query(text, values));
  const newLeases = () =>
    createLeases(connection, { clock, fence: randomUuid(random), holder, leaseMilliseconds });
  /** Renews a lease. Acquires an expired lease again unless another process holds it. */
  const renew = async (name: string, leases: Leases): Promise<boolean> => {
    if (await leases.renew()) return true;
    return leases.retake(randomUuid(random), async (former) => {
      if (name.startsWith("fleet/")) return true;
      const rows = await connection.query(
        `UPDATE ${schema}.member SET fence = $2 WHERE fence = ANY($1) AND state = 'running' RETURNING name`,
        [[...former, leases.fence], leases.fence],
      );
      return rows.length > 0;
    });
  };
  const renewRegularly = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(leaseMilliseconds / 4, stop.signal);
      for (const [name, leases] of roles) {
        // Keep the lease during an outage: the next successful renewal shows whether the lease is lost.
        const isKept = await renew(name, leases).catch(() => true);
        if (!isKept) roles.delete(name);
      }
    }
  };
  renewRegularly().catch(() => {});
  const drop = async (name: string): Promise<void> => {
    const leases = roles.get(name);
    roles.delete(name);
    await leases?.release().catch(() => {});
  };
  /**
   * Returns an SQL condition that requires the driver's lease, so that a driver that was suspended for too
   * long can't change members.
   */
  const isDriven = (id: string, parameter: number) =>
    `EXISTS (SELECT 1 FROM ${schema}.lease WHERE name = '${driverLease(id).replaceAll("'", "''")}'
       AND fence = $${parameter} AND expires_at > clock_timestamp())`;
  const driverFence = (id: string) => roles.get(driverLease(id))?.fence ?? null;
  return {
    holder,
    /**
     * Takes the driver's role if no other process has it.
     * @returns whether this process drives the fleet
     */
    async drive(id: string): Promise<boolean> {
      const name = driverLease(id);
      const held = roles.get(name);
      if (held?.isSafe() === true) return true;
      if (held !== undefined) {
        if (await persist(retrying, () => renew(name, held))) return true;
        roles.delete(name);
        return false;
      }
      const leases = newLeases();
      if ((await persist(retrying, () => leases.take(name))) !== undefined) return false;
      roles.set(name, leases);
      return true;
    },
    isDriving: (id: string) => roles.has(driverLease(id)),
    stopDriving: (id: string) => drop(driverLease(id)),
    async handOut(id: string, names: readonly string[]): Promise<void> {
      const rows = await query(
        `UPDATE ${schema}.member SET job = added.job FROM unnest($3::text[], $4::uuid[]) AS added (name, job)
         WHERE member.fleet = $1 AND member.name = added.name AND member.state = 'waiting' AND member.job IS NULL
           AND ${isDriven(id, 2)}
         RETURNING member.name, member.job`,
        [id, driverFence(id), names, names.map(() => randomUuid(random))],
      );
      const jobs = rows.map(
        (row): FleetJob => ({ id: String(row["job"]), fleet: id, name: String(row["name"]) }),
      );
      await persist(retrying, () => queue.send(jobs));
    },
    /** Cancels jobs that no worker has started. */
    async recall(id: string, jobs: readonly string[]): Promise<void> {
      await query(
        `UPDATE ${schema}.member SET job = NULL WHERE fleet = $1 AND state = 'waiting' AND job = ANY($3)
           AND ${isDriven(id, 2)}`,
        [id, driverFence(id), jobs],
      );
      await persist(retrying, () => queue.remove(jobs));
    },
    /** Returns the jobs that are no longer in the queue. */
    async findLostJobs(jobs: readonly string[]): Promise<string[]> {
      const lost: string[] = [];
      for (const job of jobs) if (!(await persist(retrying, () => queue.isWaiting(job)))) lost.push(job);
      return lost;
    },
    /** Sets running members to `state` if their worker's lease has expired. */
    async endLapsed(id: string, state: "waiting" | "unknown"): Promise<void> {
      await query(
        `UPDATE ${schema}.member SET state = $3, fence = NULL, job = NULL,
           ended_at = CASE WHEN $3 = 'unknown' THEN clock_timestamp() END
         WHERE fleet = $1 AND state = 'running' AND ${isDriven(id, 2)} AND NOT EXISTS (
           SELECT 1 FROM ${schema}.lease WHERE lease.name = 'member/' || member.fleet || '/' || member.name
             AND expires_at > clock_timestamp())`,
        [id, driverFence(id), state],
      );
    },
    /** Ends the fleet. Decides the states of waiting members as `judgeWaiting` of the fleet feature does. */
    async finish(id: string, state: "stopped" | "finished", stopReason: unknown): Promise<void> {
      const fence = driverFence(id);
      await persist(retrying, () =>
        connection.transaction(async (inside) => {
          await inside(
            `UPDATE ${schema}.member SET state = CASE WHEN attempts > 0 THEN 'failed'
                 WHEN started_at IS NOT NULL AND (ended_at IS NULL OR exit IN (130, 143)) THEN 'interrupted'
                 ELSE 'not started' END,
               job = NULL, not_before = NULL
             WHERE fleet = $1 AND state = 'waiting' AND ${isDriven(id, 2)}`,
            [id, fence],
          );
          await inside(
            `UPDATE ${schema}.fleet SET state = $3, stop = $4, ended_at = clock_timestamp()
             WHERE id = $1 AND ${isDriven(id, 2)}`,
            [id, fence, state, stopReason === null ? null : JSON.stringify(stopReason)],
          );
        }),
      );
      await drop(driverLease(id));
    },
    fetch: (count: number): Promise<FleetJob[]> => queue.fetch(count),
    /**
     * Gives back a job of a fleet that this process doesn't work for. The fleet's driver then creates a new
     * job for the member.
     */
    async giveBack({ id: job }: FleetJob): Promise<void> {
      await query(`UPDATE ${schema}.member SET job = NULL WHERE job = $1 AND state = 'waiting'`, [job]);
      await queue.remove([job]).catch(() => {});
    },
    async requestStop(id: string): Promise<void> {
      await query(`UPDATE ${schema}.fleet SET is_stopping = true WHERE id = $1`, [id]);
    },
    /**
     * Acquires a member's lease and sets the member to `running`, in one statement.
     * @returns undefined if the member was not waiting for this job. `former` is a previous worker that did
     *   not finish the member
     */
    async begin({
      id: job,
      fleet,
      name,
    }: FleetJob): Promise<{ former: LeaseHolder | undefined; member: StoredMember } | undefined> {
      const leases = newLeases();
      const lease = memberLease(fleet, name);
      const start = leases.start();
      // Lock the member's row first, so that only one worker tries to acquire the lease.
      const leased = `SELECT $6, $4::uuid, clock_timestamp() + $7::interval, clock_timestamp(), $5::jsonb FROM earlier`;
      const [row] = await query(
        `WITH earlier AS (
           SELECT CASE WHEN started_at IS NOT NULL AND ended_at IS NULL THEN worker END AS former
           FROM ${schema}.member
           WHERE fleet = $1 AND name = $2 AND (state = 'waiting' OR fence = $4) AND job = $3 FOR UPDATE
         ), leased AS (${insertLeaseSql(schema, leased)} RETURNING true AS is_leased)
         UPDATE ${schema}.member SET state = 'running', fence = $4, worker = $5::jsonb,
           started_at = clock_timestamp(), ended_at = NULL
         FROM earlier, leased WHERE member.fleet = $1 AND member.name = $2
         RETURNING earlier.former, ${memberColumns()}`,
        [fleet, name, job, leases.fence, JSON.stringify(holder), lease, `${leaseMilliseconds} milliseconds`],
      );
      if (row === undefined) {
        await queue.remove([job]).catch(() => {});
        return undefined;
      }
      leases.adopt(lease, start);
      roles.set(lease, leases);
      return { former: LeaseHolder.safeParse(row["former"]).data, member: toMember(row) };
    },
    /** @returns whether this process still held the member's lease; otherwise, the result is not stored */
    async end(id: string, name: string, job: string | null, end: StoredEnd): Promise<boolean> {
      const lease = memberLease(id, name);
      const fence = roles.get(lease)?.fence;
      if (fence === undefined) return false;
      const rows = await query(
        `WITH released AS (DELETE FROM ${schema}.lease WHERE lease.name = $10 AND lease.fence = $3)
         UPDATE ${schema}.member SET state = $4, attempts = $5, not_before = to_timestamp($6::double precision / 1000),
           exit = $7, runs = $8, result = $9, fence = NULL, job = NULL, ended_at = clock_timestamp()
         WHERE fleet = $1 AND name = $2 AND fence = $3 RETURNING name`,
        [id, name, fence, end.state, end.attempts, end.notBefore, end.exit, end.runs, end.result, lease],
      );
      roles.delete(lease);
      if (job !== null) await queue.remove([job]).catch(() => {});
      return rows.length > 0;
    },
    /** Changes a member for `fleet resume`. Only the fleet's driver can change it. */
    async changeMember(
      id: string,
      name: string,
      { state, wave, runs }: { state?: string; wave?: number; runs?: readonly string[] },
    ): Promise<void> {
      await query(
        `UPDATE ${schema}.member SET state = coalesce($3, state), wave = coalesce($4, wave), runs = coalesce($5, runs),
           fence = NULL, job = NULL, attempts = CASE WHEN $3 = 'waiting' THEN 0 ELSE attempts END, not_before = NULL
         WHERE fleet = $1 AND name = $2 AND ${isDriven(id, 6)}`,
        [id, name, state ?? null, wave ?? null, runs ?? null, driverFence(id)],
      );
    },
    async close(): Promise<void> {
      stop.abort();
      for (const name of [...roles.keys()]) await drop(name);
    },
  };
}
export type FleetRoles = ReturnType<typeof createFleetRoles>;
