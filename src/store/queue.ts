/**
 * The job queue of fleets. It delivers each job to a worker. Whether a job is still valid depends on the
 * member's row in the database.
 */
import type PgBoss from "pg-boss";
import type { StoreConnection } from "./connection.js";
import { StoreError } from "./errors.js";
import { queueSchemaOf } from "./schema.js";

export interface FleetJob {
  id: string;
  fleet: string;
  name: string;
}

export interface FleetQueue {
  send(jobs: readonly FleetJob[]): Promise<void>;
  /** Removes at most `count` jobs from the queue, oldest first. */
  fetch(count: number): Promise<FleetJob[]>;
  isWaiting(id: string): Promise<boolean>;
  remove(ids: readonly string[]): Promise<void>;
}

const queueName = "members";
/**
 * A job expires after this many hours; pg-boss allows at most 24. The driver replaces lost jobs much earlier.
 */
const expiryHours = 23;

/** Loads pg-boss on demand, because most commands need no queue. */
async function loadBoss(): Promise<typeof PgBoss> {
  try {
    return (await import("pg-boss")).default;
  } catch (cause) {
    throw new StoreError(
      "store_driver_missing",
      "fleets in a store require the package pg-boss, which is not installed",
      { hint: "install it next to voxctl: `npm install --global pg-boss@10`", cause },
    );
  }
}

async function startBoss(connection: StoreConnection, migrate: boolean): Promise<PgBoss> {
  const Boss = await loadBoss();
  const boss = new Boss({
    schema: queueSchemaOf(connection.address.schema),
    ...{ migrate, supervise: false, schedule: false },
    db: {
      async executeSql(text, values) {
        try {
          return { rows: await connection.query(text, values ?? []).then((rows) => [...(rows ?? [])]) };
        } catch (error) {
          // pg-boss's setup script contains BEGIN. If the script fails, its transaction is still open.
          if (migrate) await connection.query("ROLLBACK").catch(() => {});
          throw error;
        }
      },
    },
  });
  // Without an error listener, Node.js would end the process. Each call reports its own error.
  boss.on("error", () => {});
  await boss.start();
  return boss;
}

const createAttempts = 3;

/** Creates the queue and its schema. Requires the owner's privileges. Concurrent calls are safe. */
export async function createFleetQueue(connection: StoreConnection): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const boss = await startBoss(connection, true);
      if ((await boss.getQueue(queueName)) === null)
        await boss.createQueue(queueName, { name: queueName, retryLimit: 0 });
      return;
    } catch (error) {
      // pg-boss checks for the schema before it acquires its lock, so a concurrent call may have created the
      // schema.
      const isMissing = error instanceof StoreError && error.code === "store_driver_missing";
      if (isMissing || attempt === createAttempts) throw error;
    }
}

/** @throws StoreError `store_older` for a store without a queue; `store_driver_missing` */
export async function openFleetQueue(connection: StoreConnection): Promise<FleetQueue> {
  const boss = await startBoss(connection, false).catch((cause: unknown) => {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError("store_older", "the store has no queue for fleets", {
      hint: "as the owner of the store, run `voxctl store init`",
      cause,
    });
  });
  return {
    async send(jobs) {
      if (jobs.length === 0) return;
      await boss.insert(
        jobs.map(({ id, fleet, name }) => ({
          ...{ id, name: queueName, data: { fleet, name } },
          ...{ retryLimit: 0, expireInSeconds: expiryHours * 3_600 },
        })),
      );
    },
    async fetch(count) {
      const jobs = await boss.fetch<{ fleet: string; name: string }>(queueName, { batchSize: count });
      return jobs.map(({ id, data: { fleet, name } }) => ({ id, fleet, name }));
    },
    async isWaiting(id) {
      const job = await boss.getJobById(queueName, id);
      return job !== null && (job.state === "created" || job.state === "retry");
    },
    async remove(ids) {
      if (ids.length > 0) await boss.deleteJob(queueName, [...ids]);
    },
  };
}
