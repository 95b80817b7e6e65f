/** Report of a fleet run. Contains no keys and no rows of members' data. */
import type { Journal } from "../../write/journal/journal.js";
import { type FleetAbout, openRows, readAbout, readStart } from "./fleet-journal.js";
import type { MemberRow } from "./member-row.js";
import type { Stop } from "./scheduler.js";

export interface FleetReport {
  run: string;
  command: readonly string[];
  started_at: string;
  ended_at: string | null;
  /** Number of selected members. */
  selected: number;
  /** Number of members by state. */
  counts: Readonly<Record<string, number>>;
  stopped: Stop | null;
  waves: readonly { name: string; members: readonly MemberReport[] }[];
}

export type MemberReport = ReturnType<typeof toMemberReport>;

/** Builds the report from a run's journal. */
export function readReport(id: string, journal: Journal): FleetReport {
  const stopped = journal.setting("stopped");
  const ended = journal.setting("ended_at");
  return buildReport(
    { id, about: readAbout(journal), startedAt: readStart(journal) },
    openRows(journal).list(),
    {
      stop: isStop(stopped) ? stopped : null,
      endedAt: typeof ended === "number" ? ended : null,
    },
  );
}

function isStop(value: unknown): value is Stop {
  return typeof value === "object" && value !== null && "reason" in value && "member" in value;
}

function buildReport(
  { id, about, startedAt }: { id: string; about: FleetAbout; startedAt: number },
  rows: readonly MemberRow[],
  { stop, endedAt }: { stop: Stop | null; endedAt: number | null },
): FleetReport {
  const counts: Record<string, number> = {};
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  const outside = rows.filter(({ wave }) => wave < 0);
  return {
    run: id,
    command: about.command,
    started_at: new Date(startedAt).toISOString(),
    ended_at: endedAt === null ? null : new Date(endedAt).toISOString(),
    selected: rows.length,
    counts,
    stopped: stop,
    waves: [
      ...about.waves.map(({ name }, index) => ({
        name,
        members: rows.filter(({ wave }) => wave === index).map(toMemberReport),
      })),
      ...(outside.length > 0 ? [{ name: "not run", members: outside.map(toMemberReport) }] : []),
    ],
  };
}

function toMemberReport(row: MemberRow) {
  const { name, labels, state, exit, runs, startedAt, endedAt, summary, error } = row;
  return {
    ...{ name, labels, state, exit },
    run_id: runs.at(-1) ?? null,
    worker: null,
    seconds: startedAt === null || endedAt === null ? null : Math.round((endedAt - startedAt) / 100) / 10,
    ...{ summary: summary ?? null, error },
  };
}

/** Returns the members of a report. */
export function listMembers({ waves }: Pick<FleetReport, "waves">): MemberReport[] {
  return waves.flatMap(({ members }) => members);
}
