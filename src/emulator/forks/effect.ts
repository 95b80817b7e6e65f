import { type Database, openDatabase } from "../../base/database.js";
import { systemRandom } from "../../base/random.js";
import { readFileKey } from "../database/file-key.js";
import { type RecordedWrite, readRecordedWrites, readWrittenSecret } from "../kernel/recorder.js";
import type { Change } from "./changes.js";
import { computeNetChanges } from "./net-changes.js";
import { computeTableChanges, findDisagreements } from "./table-changes.js";

interface RefusedRequests {
  operation: string;
  code: string;
  rule: string | null;
  count: number;
}

interface ForkEffect {
  /** Changes by resource name, such as `contacts/65f1…`. */
  changes: ReadonlyMap<string, Change>;
  /** Number of resources deleted with their group, by resource type. */
  cascaded: ReadonlyMap<string, number>;
  /** Number of knowledge items that will be indexed again because a write saved them. */
  reindexed: number;
  /**
   * Differences between two computations of the effect: one from the writes and one from the tables. Any
   * difference is a bug.
   */
  disagreements: readonly string[];
  writes: number;
  reads: number;
  refused: readonly RefusedRequests[];
  /** Number of reads of data that was not copied. `group` is empty if the read had no group filter. */
  absentReads: readonly { resource: string; group: string; reads: number }[];
  /** Time since the fork's creation, in seconds, by the fork's clock. */
  seconds: number;
}

/** A fork that no server uses. */
export interface ClosedFork {
  effect: ForkEffect;
  /** Can be called more than once. */
  writes(): Iterable<RecordedWrite>;
  secret(id: number): string | undefined;
  close(): void;
}

/**
 * Computes the effect in two independent ways.
 * @param base the unchanged database from which the fork was created; both databases must be closed
 */
export async function openClosedFork(fork: string, base: string): Promise<ClosedFork> {
  const { key: fileKey } = readFileKey(fork, systemRandom());
  const database = await openDatabase(fork);
  try {
    database.prepare("ATTACH DATABASE ? AS base").run(base);
    const key = { fileKey };
    const writes = () => readRecordedWrites(database, key);
    return {
      effect: computeEffect(database, writes, computeTableChanges(database, key)),
      writes,
      secret: (id) => readWrittenSecret(database, key, id),
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function computeEffect(
  database: Database,
  writes: () => Iterable<RecordedWrite>,
  byTables: ReadonlyMap<string, Change>,
): ForkEffect {
  const byWrites = computeNetChanges(writes());
  const count = (sql: string) => Number(database.prepare(sql).get()?.["n"] ?? 0);
  const cascaded = database
    .prepare("SELECT resource, count(*) AS n FROM cascaded GROUP BY resource ORDER BY resource")
    .all()
    .map((row): [string, number] => [String(row["resource"]), Number(row["n"])]);
  return {
    changes: byWrites,
    cascaded: new Map(cascaded),
    reindexed: count(
      "SELECT count(DISTINCT path) AS n FROM writes WHERE operation = 'knowledge.update' AND effect = 1",
    ),
    disagreements: findDisagreements(byWrites, byTables),
    writes: count("SELECT count(*) AS n FROM writes WHERE effect = 1"),
    reads: count("SELECT sum(count) AS n FROM reads WHERE code = ''"),
    refused: [
      ...readRefusals(
        database,
        "SELECT operation, code, rule, count(*) AS n FROM writes WHERE effect = 0 AND status >= 400 GROUP BY 1, 2, 3",
      ),
      ...readRefusals(
        database,
        "SELECT operation, code, NULL AS rule, sum(count) AS n FROM reads WHERE code <> '' GROUP BY 1, 2",
      ),
    ],
    absentReads: readAbsentReads(database),
    seconds: readSeconds(database),
  };
}

function readRefusals(database: Database, sql: string): RefusedRequests[] {
  return database
    .prepare(`${sql} ORDER BY 1, 2, 3`)
    .all()
    .map((row) => ({
      operation: String(row["operation"]),
      code: String(row["code"] ?? "lost"),
      rule: row["rule"] === null ? null : String(row["rule"]),
      count: Number(row["n"]),
    }));
}

function readAbsentReads(database: Database): ForkEffect["absentReads"] {
  return database
    .prepare("SELECT resource, group_id, reads FROM absent_reads ORDER BY resource, group_id")
    .all()
    .map((row) => ({
      resource: String(row["resource"]),
      group: String(row["group_id"]),
      reads: Number(row["reads"]),
    }));
}

function readSeconds(database: Database): number {
  const row = database
    .prepare(
      `SELECT CASE clock_mode WHEN 'virtual' THEN clock_frozen ELSE clock_latest END - started_at AS n FROM world, fork`,
    )
    .get();
  return Math.max(0, Number(row?.["n"] ?? 0)) / 1000;
}
