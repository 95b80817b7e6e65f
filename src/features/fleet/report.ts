/** The report of a fleet run contains no keys. */
import * as z from "zod";
import type { FleetSnapshot } from "./fleet.js";
import { type MemberRow, memberStates } from "./member-row.js";
import { Stop } from "./scheduler.js";

const MemberReport = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()),
  state: z.enum(memberStates),
  exit: z.number().nullable(),
  run_id: z.string().nullable(),
  worker: z.string().nullable(),
  seconds: z.number().nullable(),
  summary: z.unknown(),
  error: z.string().nullable(),
});
export type MemberReport = z.output<typeof MemberReport>;

export const FleetReport = z.object({
  run: z.string(),
  command: z.array(z.string()),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  is_undone: z.boolean(),
  selected: z.number(),
  counts: z.record(z.string(), z.number()),
  stopped: Stop.nullable(),
  waves: z.array(z.object({ name: z.string(), members: z.array(MemberReport) })),
});
export type FleetReport = z.output<typeof FleetReport>;

export function buildReport({
  id,
  about,
  startedAt,
  endedAt,
  isUndone,
  stop,
  rows,
}: FleetSnapshot): FleetReport {
  const counts: Record<string, number> = {};
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  const outside = rows.filter(({ wave }) => wave < 0);
  return {
    run: id,
    command: about.command,
    started_at: new Date(startedAt).toISOString(),
    ended_at: endedAt === null ? null : new Date(endedAt).toISOString(),
    is_undone: isUndone,
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

function toMemberReport(row: MemberRow): MemberReport {
  const { name, labels, state, exit, runs, worker, startedAt, endedAt, summary, error } = row;
  return {
    ...{ name, labels, state, exit },
    ...{ run_id: runs.at(-1) ?? null, worker },
    seconds: startedAt === null || endedAt === null ? null : Math.round((endedAt - startedAt) / 100) / 10,
    ...{ summary: summary ?? null, error },
  };
}

export function listMembers({ waves }: Pick<FleetReport, "waves">): MemberReport[] {
  return waves.flatMap(({ members }) => members);
}
