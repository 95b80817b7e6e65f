import * as z from "zod";
import type { Clock } from "../../base/clock.js";
import { BulkError } from "../../write/errors.js";
import type { Journal } from "../../write/journal/journal.js";
import { type Fleet, FleetAbout, type FleetHost, type FleetSnapshot, toStop } from "./fleet.js";
import { type MemberRow, memberStates } from "./member-row.js";
import { Reference } from "./members-file.js";
import { judgeWaiting } from "./scheduler.js";

export const fleetType = "fleet";
export const undoType = "fleet.undo";

const aboutName = "fleet";

/** @throws BulkError `run_not_found` for a run of another type */
function readAbout(journal: Journal): FleetAbout {
  const about = journal.setting(aboutName);
  if (about === undefined)
    throw new BulkError("run_not_found", "this run is not a fleet run", "list runs: `voxctl runs list`");
  return FleetAbout.parse(about);
}

const Stored = z.object({
  name: z.string(),
  wave: z.number(),
  labels: z.record(z.string(), z.string()),
  reference: Reference,
  words: z.array(z.string()),
  files: z.array(z.string()).default([]),
  oldestGroup: z.string().nullable().default(null),
  state: z.enum(memberStates),
  job: z.string().nullable().default(null),
  worker: z.string().nullable().default(null),
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

const schema = "CREATE TABLE IF NOT EXISTS members (name TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID";

export function insertFleet(journal: Journal, about: FleetAbout, rows: readonly MemberRow[]): void {
  const { database } = journal;
  database.transaction(() => {
    journal.setSetting(aboutName, about);
    database.exec(schema);
    const insert = database.prepare("INSERT INTO members (name, row) VALUES (?, ?)");
    for (const row of rows) insert.run(row.name, JSON.stringify(row));
    storeProgress(journal, rows);
  });
}

/** @throws BulkError `run_not_found` for a run of another type */
export function readFleet(id: string, journal: Journal): FleetSnapshot {
  const about = readAbout(journal);
  const ended = journal.setting("ended_at");
  const rows = journal.database
    .prepare("SELECT row FROM members ORDER BY name")
    .all()
    .map(({ row }) => Stored.parse(JSON.parse(String(row))));
  return {
    ...{ id, about, rows, startedAt: journal.numberOf("started_at") },
    endedAt: typeof ended === "number" ? ended : null,
    isUndone: journal.setting("undone_at") !== undefined,
    stop: toStop(journal.setting("stopped")),
  };
}

export interface LocalFleet extends Fleet {
  readonly host: FleetHost;
  changeRow(name: string, change: Partial<MemberRow>): void;
  start(about: FleetAbout): void;
}

/** Keeps the rows in memory: no other process can change them, because the journal is locked. */
export function openLocalFleet(id: string, journal: Journal, clock: Clock): LocalFleet {
  const snapshot = readFleet(id, journal);
  const rows = new Map(snapshot.rows.map((row) => [row.name, row]));
  const update = journal.database.prepare("UPDATE members SET row = ? WHERE name = ?");
  let { about } = snapshot;
  let isStopping = false;
  let isOver = false;
  let handedOut: string[] = [];
  const changeRow = (name: string, change: Partial<MemberRow>): MemberRow | undefined => {
    const former = rows.get(name);
    if (former === undefined) return undefined;
    const row = { ...former, ...change };
    rows.set(name, row);
    journal.database.transaction(() => {
      update.run(JSON.stringify(row), name);
      storeProgress(journal, [...rows.values()]);
    });
    return row;
  };
  const fleet: LocalFleet = {
    id,
    get about() {
      return about;
    },
    get isStopping() {
      return isStopping;
    },
    now: () => clock.now(),
    listRows: async () => [...rows.values()],
    drive: async () => true,
    async handOut(names) {
      handedOut.push(...names);
    },
    async recall() {
      handedOut = [];
    },
    async finish(stop) {
      for (const row of rows.values())
        if (row.state === "waiting") changeRow(row.name, { state: judgeWaiting(row), notBefore: null });
      journal.setSetting("ended_at", clock.now());
      if (stop === null) journal.setSetting("finished_at", clock.now());
      else journal.setSetting("stopped", stop);
      isOver = true;
    },
    async requestStop() {
      isStopping = true;
    },
    setProcess: (name, pid) => void changeRow(name, { pid }),
    async endMember({ name }, end) {
      return changeRow(name, { ...end, pid: null, endedAt: clock.now() }) !== undefined;
    },
    host: {
      listFleets: async () => (isOver ? [] : [fleet]),
      takeMembers: async (capacity) =>
        handedOut.splice(0, capacity).flatMap((name) => {
          const started = { state: "running", pid: null, startedAt: clock.now(), endedAt: null } as const;
          const row = changeRow(name, started);
          return row === undefined ? [] : [{ fleet, row, former: null }];
        }),
      pollMilliseconds: undefined,
    },
    changeRow: (name, change) => void changeRow(name, change),
    start(changed) {
      about = changed;
      journal.setSetting(aboutName, changed);
      for (const name of ["ended_at", "finished_at", "stopped"]) journal.removeSetting(name);
    },
  };
  return fleet;
}

function storeProgress(journal: Journal, rows: readonly MemberRow[]): void {
  const count = (...states: string[]) => rows.filter(({ state }) => states.includes(state)).length;
  journal.setSetting("progress", {
    done: count("ok"),
    rejected: 0,
    failed: count("failed", "interrupted", "unknown"),
    open: count("waiting", "running", "not started"),
  });
}
