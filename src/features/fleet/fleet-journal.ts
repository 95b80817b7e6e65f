/** The rows of a fleet run in its journal, and what was frozen when the run started. */
import * as z from "zod";
import { BulkError } from "../../write/errors.js";
import type { Journal } from "../../write/journal/journal.js";
import { type MemberRow, type MemberRows, memberStates } from "./member-row.js";

export const fleetType = "fleet";
export const undoType = "fleet.undo";

const Wave = z.object({ name: z.string(), hold: z.number() });
const About = z.object({
  /** Words of the command, with placeholders. */
  command: z.array(z.string()),
  waves: z.array(Wave),
  allowed: z.number(),
  parallel: z.number(),
  ok_exits: z.array(z.number()),
  is_journaled: z.boolean(),
  is_comparison: z.boolean(),
  /** Id of the fleet run that this run undoes. */
  undoes: z.string().nullable(),
  /** Working directory, in which the members' commands run. */
  directory: z.string(),
});
/** Command and limits of a fleet run, as of its start (E6). */
export type FleetAbout = z.output<typeof About>;

const aboutName = "fleet";
const startedName = "started_at";

/** @throws BulkError `run_not_found` for a run of another type */
export function readAbout(journal: Journal): FleetAbout {
  const about = journal.setting(aboutName);
  if (about === undefined)
    throw new BulkError("run_not_found", "this run is not a fleet run", "list runs: `voxctl runs list`");
  return About.parse(about);
}

export function writeAbout(journal: Journal, about: FleetAbout): void {
  journal.setSetting(aboutName, about);
}

/** Returns when the run started, in milliseconds. */
export function readStart(journal: Journal): number {
  return journal.numberOf(startedName);
}

const Reference = z.union([
  z.object({ profile: z.string() }),
  z.object({ url: z.string(), key: z.string() }),
]);
const Stored = z.object({
  name: z.string(),
  wave: z.number(),
  labels: z.record(z.string(), z.string()),
  reference: Reference,
  words: z.array(z.string()),
  state: z.enum(memberStates),
  fence: z.string().nullable(),
  pid: z.number().nullable(),
  runs: z.array(z.string()),
  exit: z.number().nullable(),
  attempts: z.number(),
  notBefore: z.number().nullable(),
  summary: z.unknown(),
  error: z.string().nullable(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
});

const schema = `CREATE TABLE IF NOT EXISTS members (
  name TEXT PRIMARY KEY, state TEXT NOT NULL, fence TEXT, row TEXT NOT NULL
) WITHOUT ROWID`;

/** Inserts the rows of a new run, in one transaction. */
export function insertRows(journal: Journal, rows: readonly MemberRow[]): void {
  const { database } = journal;
  database.transaction(() => {
    database.exec(schema);
    const insert = database.prepare("INSERT INTO members (name, state, fence, row) VALUES (?, ?, ?, ?)");
    for (const row of rows) insert.run(row.name, row.state, row.fence, JSON.stringify(row));
    storeProgress(journal);
  });
}

/** Returns the rows of a run. Keeps the counts that `runs list` shows up to date. */
export function openRows(journal: Journal): MemberRows {
  const { database } = journal;
  const list = () =>
    database
      .prepare("SELECT row FROM members ORDER BY name")
      .all()
      .map(({ row }) => Stored.parse(JSON.parse(String(row))));
  const update = (name: string, condition: string, value: string, change: Partial<MemberRow>) =>
    database.transaction(() => {
      const stored = database
        .prepare(`SELECT row FROM members WHERE name = ? AND ${condition} = ?`)
        .get(name, value);
      if (stored === undefined) return undefined;
      const row: MemberRow = { ...Stored.parse(JSON.parse(String(stored["row"]))), ...change };
      database
        .prepare("UPDATE members SET state = ?, fence = ?, row = ? WHERE name = ?")
        .run(row.state, row.fence, JSON.stringify(row), name);
      storeProgress(journal);
      return row;
    });
  return {
    list,
    begin: (name, fence, now) =>
      update(name, "state", "waiting", { state: "running", fence, pid: null, startedAt: now, endedAt: null }),
    setProcess(name, fence, pid) {
      update(name, "fence", fence, { pid });
    },
    end: (name, fence, result) =>
      update(name, "fence", fence, { ...result, fence: null, pid: null }) !== undefined,
    change(name, change) {
      update(name, "name", name, change);
    },
  };
}

/** Counts members as `runs list` counts requests. */
function storeProgress(journal: Journal): void {
  const counts = journal.database.prepare("SELECT state, count(*) AS n FROM members GROUP BY state").all();
  const count = (...states: string[]) =>
    counts.reduce((sum, { state, n }) => (states.includes(String(state)) ? sum + Number(n) : sum), 0);
  journal.setSetting("progress", {
    done: count("ok"),
    failed: count("failed", "interrupted", "unknown"),
    open: count("waiting", "running", "not started"),
  });
}
