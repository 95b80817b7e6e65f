/** Fleets and their members in a store. Commands, labels, references and results are encrypted. */
import * as z from "zod";
import { keepFinishedMilliseconds } from "../write/journal/folder.js";
import { addBlob, loadBlob } from "./blobs.js";
import type { StoreConnection, StoreRow } from "./connection.js";
import { StoreError } from "./errors.js";
import { formatPlace, LeaseHolder } from "./leases.js";
import type { SharedRunInfo } from "./list.js";
import type { OpenStore } from "./open.js";
import { bufferOf } from "./schema.js";

/** Unencrypted data about a fleet. */
const Origin = z.object({
  kind: z.string(),
  command: z.string(),
  file: z.string(),
  version: z.string(),
  holder: LeaseHolder,
});
type FleetOrigin = z.output<typeof Origin>;

export interface StoredFleet {
  id: string;
  about: FleetOrigin;
  /** Increases with each change of `content`. */
  revision: number;
  state: "running" | "stopped" | "finished" | "undone";
  /** Whether a user asked to start no more members. */
  isStopping: boolean;
  stop: unknown;
  startedAt: number;
  endedAt: number | null;
  hasJobs: boolean;
  /** Owner of the driver's lease; undefined if the lease has expired. */
  driver: LeaseHolder | undefined;
}

export interface StoredMember {
  name: string;
  wave: number;
  state: string;
  fence: string | null;
  job: string | null;
  /** The process that runs this member, or ran it last. */
  worker: LeaseHolder | undefined;
  runs: readonly string[];
  exit: number | null;
  attempts: number;
  notBefore: number | null;
  startedAt: number | null;
  endedAt: number | null;
}

export interface NewFleet {
  id: string;
  about: FleetOrigin;
  content: unknown;
  members: readonly (Pick<StoredMember, "name" | "wave" | "state"> & { content: unknown })[];
  files: readonly Buffer[];
}

export const memberColumns = (): string =>
  `name, wave, state, fence, job, worker, runs, exit, attempts, ${milliseconds("not_before")} AS not_before,
   ${milliseconds("started_at")} AS started_at, ${milliseconds("ended_at")} AS ended_at`;
const milliseconds = (column: string) => `extract(epoch FROM ${column}) * 1000`;
const toNumber = (value: unknown) => (value === null ? null : Number(value));
const toText = (value: unknown) => (value === null ? null : String(value));

export function createFleetTables({ connection, sealer }: Pick<OpenStore, "connection" | "sealer">) {
  const { schema } = connection.address;
  const seal = (value: unknown, place: readonly string[]) =>
    sealer.seal(Buffer.from(JSON.stringify(value)), place);
  const open = (sealed: unknown, place: readonly string[]): unknown =>
    sealed === null ? null : JSON.parse(sealer.open(bufferOf(sealed), place).toString("utf8"));
  const readContent = async (id: string): Promise<unknown> => {
    const [row] = await connection.query(`SELECT content FROM ${schema}.fleet WHERE id = $1`, [id]);
    if (row === undefined) throw new StoreError("run_not_found", `run ${id} not found`);
    return open(row["content"], ["fleet", id]);
  };
  return {
    /**
     * Stores the files first, then the fleet and its members in one transaction. Also removes old finished
     * fleets.
     */
    async insert({ id, about, content, members, files }: NewFleet): Promise<void> {
      for (const [index, file] of files.entries())
        await addBlob(connection, sealer, fileName(id, index), file);
      await connection.transaction(async (query) => {
        await query(
          `INSERT INTO ${schema}.fleet VALUES ($1, $2, $3, 0, 'running', false, NULL, clock_timestamp(), NULL)`,
          [id, JSON.stringify(about), seal(content, ["fleet", id])],
        );
        await query(
          `INSERT INTO ${schema}.member (fleet, name, content, wave, state, runs, attempts)
           SELECT $1, name, content, wave, state, '{}', 0
           FROM unnest($2::text[], $3::bytea[], $4::int[], $5::text[]) AS rows (name, content, wave, state)`,
          [
            id,
            members.map(({ name }) => name),
            members.map((member) => seal(member.content, ["member", id, member.name])),
            members.map(({ wave }) => wave),
            members.map(({ state }) => state),
          ],
        );
      });
      await removeFinishedFleets(connection);
    },
    async find(id: string): Promise<StoredFleet | undefined> {
      return (await readFleets(connection, "fleet.id = $1", [id]))[0];
    },
    /** Lists the fleets in progress, oldest first. */
    listRunning: (): Promise<StoredFleet[]> => readFleets(connection, "fleet.state = 'running'", []),
    readContent,
    async readMemberContents(id: string): Promise<Map<string, unknown>> {
      const rows = await connection.query(`SELECT name, content FROM ${schema}.member WHERE fleet = $1`, [
        id,
      ]);
      return new Map(
        rows.map(({ name, content }) => [String(name), open(content, ["member", id, String(name)])]),
      );
    },
    sealResult: (id: string, name: string, result: unknown): Buffer => seal(result, ["result", id, name]),
    /**
     * Returns the members sorted by name, and the database's time.
     * @param known names of ended members whose results are not needed
     * @returns `results`: decrypted results of the other ended members, by name
     */
    async listMembers(
      id: string,
      known: readonly string[] = [],
    ): Promise<{ members: StoredMember[]; results: Map<string, unknown>; now: number }> {
      const rows = await connection.query(
        `SELECT ${memberColumns()}, ${milliseconds("clock_timestamp()")} AS now,
           CASE WHEN ended_at IS NOT NULL AND name <> ALL($2) THEN result END AS result
         FROM ${schema}.member WHERE fleet = $1 ORDER BY name COLLATE "C"`,
        [id, known],
      );
      const results = rows.flatMap(({ name, result }): [string, unknown][] =>
        result === null ? [] : [[String(name), open(result, ["result", id, String(name)])]],
      );
      return { members: rows.map(toMember), results: new Map(results), now: Number(rows[0]?.["now"] ?? 0) };
    },
    findRuns: (id: string, name: string): Promise<string[]> => findMemberRuns(connection, `${id}/${name}`),
    async readFile(id: string, index: number): Promise<Buffer> {
      const blob = await loadBlob(connection, sealer, fileName(id, index));
      if (blob === undefined)
        throw new StoreError("store_damaged", `the store has no file ${index} of fleet run ${id}`);
      return blob.content;
    },
    /** Restarts an ended fleet with different limits. */
    async reopen(id: string, content: unknown): Promise<void> {
      await connection.query(
        `UPDATE ${schema}.fleet SET content = $2, revision = revision + 1, state = 'running', is_stopping = false,
           stop = NULL, ended_at = NULL WHERE id = $1`,
        [id, seal(content, ["fleet", id])],
      );
    },
    async setUndone(id: string): Promise<void> {
      await connection.query(`UPDATE ${schema}.fleet SET state = 'undone' WHERE id = $1`, [id]);
    },
  };
}
export type FleetTables = ReturnType<typeof createFleetTables>;

function fileName(id: string, index: number): string {
  return `fleet/${id}/${index}`;
}

async function readFleets(
  connection: StoreConnection,
  where: string,
  values: readonly unknown[],
): Promise<StoredFleet[]> {
  const { schema } = connection.address;
  const rows = await connection.query(
    `SELECT fleet.id, about, revision, state, is_stopping, stop, ${milliseconds("started_at")} AS started_at,
       ${milliseconds("ended_at")} AS ended_at, lease.holder AS driver,
       EXISTS (SELECT 1 FROM ${schema}.member
         WHERE member.fleet = fleet.id AND member.state = 'waiting' AND member.job IS NOT NULL) AS has_jobs
     FROM ${schema}.fleet LEFT JOIN ${schema}.lease
       ON lease.name = 'fleet/' || fleet.id AND lease.expires_at > clock_timestamp()
     WHERE ${where} ORDER BY fleet.started_at`,
    values,
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    about: Origin.parse(row["about"]),
    revision: Number(row["revision"]),
    state: z.enum(["running", "stopped", "finished", "undone"]).parse(row["state"]),
    isStopping: row["is_stopping"] === true,
    stop: row["stop"],
    hasJobs: row["has_jobs"] === true,
    startedAt: Number(row["started_at"]),
    endedAt: toNumber(row["ended_at"]),
    driver: LeaseHolder.safeParse(row["driver"]).data,
  }));
}

export function toMember(row: StoreRow): StoredMember {
  return {
    name: String(row["name"]),
    wave: Number(row["wave"]),
    state: String(row["state"]),
    fence: toText(row["fence"]),
    job: toText(row["job"]),
    worker: LeaseHolder.safeParse(row["worker"]).data,
    runs: z.array(z.string()).parse(row["runs"]),
    exit: toNumber(row["exit"]),
    attempts: Number(row["attempts"]),
    notBefore: toNumber(row["not_before"]),
    startedAt: toNumber(row["started_at"]),
    endedAt: toNumber(row["ended_at"]),
  };
}

/** Older stores lack tables for fleets. */
async function hasFleetTables(connection: StoreConnection): Promise<boolean> {
  const [row] = await connection.query("SELECT to_regclass($1) IS NOT NULL AS exists", [
    `${connection.address.schema}.fleet`,
  ]);
  return row?.["exists"] === true;
}

/**
 * Removes fleets that finished some time ago, with their files. Stopped fleets are kept, because they can be
 * resumed.
 * @param milliseconds minimum time since a fleet finished (default: the same as for other runs)
 * @returns the number of removed fleets
 */
export async function removeFinishedFleets(
  connection: StoreConnection,
  milliseconds = keepFinishedMilliseconds,
): Promise<number> {
  if (!(await hasFleetTables(connection))) return 0;
  const { schema } = connection.address;
  const rows = await connection.query(
    `WITH removed AS (
       DELETE FROM ${schema}.fleet WHERE state IN ('finished', 'undone')
         AND ended_at < clock_timestamp() - $1::interval RETURNING id
     ), files AS (
       DELETE FROM ${schema}.blob USING removed WHERE starts_with(blob.name, 'fleet/' || removed.id || '/')
     )
     SELECT id FROM removed`,
    [`${milliseconds} milliseconds`],
  );
  return rows.length;
}

async function findMemberRuns(connection: StoreConnection, mark: string): Promise<string[]> {
  const rows = await connection.query(
    `SELECT id FROM ${connection.address.schema}.run WHERE about->>'member' = $1 ORDER BY started_at`,
    [mark],
  );
  return rows.map(({ id }) => String(id));
}

/**
 * Returns the fleets for `runs list`; an empty list for an old store without tables for fleets. Needs no
 * store key.
 */
export async function listSharedFleets(connection: StoreConnection): Promise<SharedRunInfo[]> {
  if (!(await hasFleetTables(connection))) return [];
  const { schema } = connection.address;
  const fleets = await readFleets(connection, "true", []);
  const counts = await connection.query(
    `SELECT fleet, count(*) FILTER (WHERE state = 'ok') AS done,
       count(*) FILTER (WHERE state IN ('failed', 'interrupted', 'unknown')) AS failed,
       count(*) FILTER (WHERE state IN ('waiting', 'running', 'not started')) AS open
     FROM ${schema}.member GROUP BY fleet`,
  );
  return fleets.map(({ id, about, state, startedAt, endedAt, driver }) => {
    const count = counts.find(({ fleet }) => fleet === id);
    const isEnded = state === "finished" || state === "undone";
    return {
      id,
      state: isEnded ? state : driver === undefined ? "unfinished" : "running",
      ...{ kind: about.kind, command: about.command, started_with: about.command, file: about.file },
      ...{ group: null, group_id: null, profile: null, member: null, base_url: null, world: null },
      report: null,
      done: Number(count?.["done"] ?? 0),
      rejected: 0,
      failed: Number(count?.["failed"] ?? 0),
      open: Number(count?.["open"] ?? 0),
      started_at: new Date(startedAt).toISOString(),
      finished_at: isEnded && endedAt !== null ? new Date(endedAt).toISOString() : null,
      by: formatPlace(driver ?? about.holder),
      job: about.holder.job ?? null,
      seen_at: null,
    };
  });
}

/**
 * Removes a fleet that no process drives.
 * @returns false if the store has no such fleet
 * @throws StoreError `run_busy`
 */
export async function discardSharedFleet(connection: StoreConnection, id: string): Promise<boolean> {
  const fleet = (await listSharedFleets(connection)).find((candidate) => candidate.id === id);
  if (fleet === undefined) return false;
  if (fleet.state === "running")
    throw new StoreError("run_busy", `${fleet.by} is running fleet run ${id}`, {
      hint: "wait until that process ends, or stop it",
    });
  const { schema } = connection.address;
  await connection.query(`DELETE FROM ${schema}.blob WHERE starts_with(name, 'fleet/' || $1 || '/')`, [id]);
  await connection.query(`DELETE FROM ${schema}.fleet WHERE id = $1`, [id]);
  return true;
}
