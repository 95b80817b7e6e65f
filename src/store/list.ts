import { Progress, type RunInfo } from "../write/journal/list.js";
import { Origin } from "../write/journal/origin.js";
import type { StoreConnection, StoreRow } from "./connection.js";
import { formatPlace, LeaseHolder } from "./leases.js";

export interface SharedRunInfo extends RunInfo {
  /** User and host of the run's current or last process: `anna@lap-07`. */
  by: string;
  job: string | null;
  /**
   * Time of the last lease renewal, by the database's clock. Without a lease, time of the run's last entry.
   */
  seen_at: string | null;
}

const About = Origin.extend({ holder: LeaseHolder });

/** Lists the runs in a store, newest first. Needs no store key. */
export async function listSharedRuns(connection: StoreConnection): Promise<SharedRunInfo[]> {
  return readRuns(connection, "true", []);
}

export async function findSharedRun(
  connection: StoreConnection,
  id: string,
): Promise<SharedRunInfo | undefined> {
  return (await readRuns(connection, "run.id = $1", [id]))[0];
}

async function readRuns(
  connection: StoreConnection,
  where: string,
  values: readonly unknown[],
): Promise<SharedRunInfo[]> {
  const { schema } = connection.address;
  const rows = await connection.query(
    `SELECT run.id, run.about, run.state, run.counts, run.started_at, run.finished_at,
       coalesce(lease.seen_at, (SELECT max(at) FROM ${schema}.entry WHERE entry.run = run.id)) AS seen_at,
       lease.name IS NOT NULL AS is_held
     FROM ${schema}.run LEFT JOIN ${schema}.lease
       ON lease.name = 'run/' || run.id AND lease.expires_at > clock_timestamp()
     WHERE ${where} ORDER BY run.started_at DESC`,
    values,
  );
  return rows.map(runOf);
}

function runOf(row: StoreRow): SharedRunInfo {
  const { holder, ...about } = About.parse(row["about"]);
  const counts = Progress.safeParse(row["counts"]).data ?? { done: null, rejected: null, open: null };
  return {
    id: String(row["id"]),
    state: stateOf(row),
    ...about,
    ...counts,
    started_at: about.started_at ?? timeOf(row["started_at"]),
    finished_at: timeOf(row["finished_at"]),
    report: null,
    by: formatPlace(holder),
    job: holder.job ?? null,
    seen_at: timeOf(row["seen_at"]),
  };
}

function stateOf({ state, is_held }: StoreRow): RunInfo["state"] {
  if (state === "undone" || state === "finished") return state;
  return is_held === true ? "running" : "unfinished";
}

function timeOf(value: unknown): string | null {
  return value instanceof Date ? value.toISOString() : null;
}
