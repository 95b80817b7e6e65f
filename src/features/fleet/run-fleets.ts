/** Runs the members of fleet runs. Local runs and workers of a store use the same loop. */
import type { Clock } from "../../base/clock.js";
import type { Fleet, FleetHost, TakenMember } from "./fleet.js";
import type { MemberEnd, MemberRow } from "./member-row.js";
import { decideNext, judgeExit, type Stop, unknownExit } from "./scheduler.js";

export type FleetEvent =
  | { event: "started"; member: string; wave: number }
  | { event: "ended"; member: string; row: MemberRow }
  | { event: "retried"; member: string; at: number }
  | { event: "holding"; until: number }
  | { event: "stopped"; stop: Stop; running: number }
  | { event: "taken_over"; member: string; from: string }
  /** Another worker has taken over the member, so only that worker's result counts. */
  | { event: "lost"; member: string };

export interface RunFleetsOptions {
  host: FleetHost;
  clock: Clock;
  signal: AbortSignal;
  parallel: number;
  /** Whether an abort ends the runs. If false, other processes continue them. */
  stopsFleets: boolean;
  /** Whether to wait for more runs when none is in progress. */
  stays: boolean;
  /** Must call `onProcess` before the process runs the command. */
  runMember(member: TakenMember, onProcess: (pid: number) => void): Promise<MemberEnd>;
  /** Returns whether another worker can run the interrupted member. */
  isGivenBack(member: TakenMember, end: MemberEnd): boolean;
  onEvent(fleet: Fleet, event: FleetEvent): void;
}

/**
 * Runs members until no run is in progress. After an abort without `stopsFleets`, waits only for the members
 * that this process runs.
 */
export async function runFleets(options: RunFleetsOptions): Promise<void> {
  const { host, clock, signal, parallel, stopsFleets, stays } = options;
  const running = new Map<string, Promise<void>>();
  const observers = new Map<string, Observer>();
  for (;;) {
    const fleets = await host.listFleets();
    const wakeTimes: number[] = [];
    for (const fleet of fleets) {
      const observer = observers.get(fleet.id) ?? createObserver((event) => options.onEvent(fleet, event));
      observers.set(fleet.id, observer);
      const wakeIn = await advance(options, fleet, observer);
      if (wakeIn !== null) wakeTimes.push(wakeIn);
    }
    if (!signal.aborted && parallel > running.size)
      for (const member of await host.takeMembers(parallel - running.size)) {
        const key = `${member.fleet.id}/${member.row.name}`;
        const observe = (row: MemberRow) => observers.get(member.fleet.id)?.observe([row]);
        observe(member.row);
        const work = runMember(options, member, observe);
        running.set(
          key,
          work.finally(() => running.delete(key)),
        );
      }
    const isLeaving = signal.aborted && !stopsFleets;
    if (running.size === 0 && (isLeaving || (fleets.length === 0 && (!stays || signal.aborted)))) return;
    if (host.pollMilliseconds !== undefined) wakeTimes.push(host.pollMilliseconds);
    await waitForChange([...running.values()], wakeTimes, { clock, signal });
  }
}

/** @returns milliseconds until the next decision; null to wait for a change */
async function advance(
  { signal, stopsFleets }: RunFleetsOptions,
  fleet: Fleet,
  observer: Observer,
): Promise<number | null> {
  if (signal.aborted && stopsFleets && !fleet.isStopping) await fleet.requestStop();
  const isDriver = await fleet.drive(!signal.aborted || stopsFleets);
  if (!isDriver && !stopsFleets) return null;
  const rows = await fleet.listRows();
  observer.observe(rows);
  if (!isDriver) return null;
  const { about, isStopping } = fleet;
  const now = fleet.now();
  const schedule = { ...about, holds: about.waves.map(({ hold }) => hold), isStopping };
  const { start, wakeAt, isHolding, stop, isOver } = decideNext(rows.map(countHandedOut), schedule, now);
  if (stop !== null) {
    observer.stop(stop, rows.filter(({ state }) => state === "running").length);
    await fleet.recall();
  }
  if (isOver) {
    await fleet.finish(stop);
    return 0;
  }
  if (isHolding && wakeAt !== null) observer.hold(wakeAt);
  if (start.length > 0) await fleet.handOut(start);
  return wakeAt === null ? null : wakeAt - now;
}

/** Counts a handed-out member as running, because it occupies a slot even before a worker starts it. */
function countHandedOut(row: MemberRow): MemberRow {
  return row.state === "waiting" && row.job !== null ? { ...row, state: "running" } : row;
}

async function waitForChange(
  running: readonly Promise<void>[],
  waits: readonly number[],
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const ended = new AbortController();
  // Ignore a signal that is already aborted, because it would end every wait immediately.
  const isAborted = signal.aborted;
  const stopped = new Promise<void>((resolve) => {
    if (!isAborted) signal.addEventListener("abort", () => resolve(), { once: true, signal: ended.signal });
  });
  const woken =
    waits.length === 0 ? [] : [clock.sleep(Math.max(0, Math.min(...waits)), ended.signal).catch(() => {})];
  try {
    await Promise.race([...running, ...woken, stopped]);
  } finally {
    ended.abort();
  }
}

async function runMember(
  options: RunFleetsOptions,
  member: TakenMember,
  observe: (row: MemberRow) => void,
): Promise<void> {
  const { fleet, row, former } = member;
  if (former !== null) options.onEvent(fleet, { event: "taken_over", member: row.name, from: former });
  const { ok_exits: okExits, is_comparison: isComparison } = fleet.about;
  const end = await options
    .runMember(member, (pid) => fleet.setProcess(row.name, pid))
    // The command may have made changes, so use the exit code for unconfirmed changes. A user must check the
    // member.
    .catch(
      (error: unknown): MemberEnd => ({
        ...{ exit: unknownExit, summary: null, runs: [], code: null },
        error: error instanceof Error ? error.message : String(error),
      }),
    );
  // `run_finished` means that the member's earlier process had completed the run.
  const exit = end.code === "run_finished" && row.runs.length > 0 ? 0 : end.exit;
  const { attempts } = row;
  const judged = options.isGivenBack(member, end)
    ? { state: "waiting" as const, attempts, notBefore: null }
    : judgeExit(exit, { attempts, now: fleet.now() }, { okExits, isComparison });
  const { summary, error } = end;
  const runs = [...new Set([...row.runs, ...end.runs])];
  const ended = { ...judged, exit, summary, error, runs };
  if (await fleet.endMember(row, ended)) observe({ ...row, ...ended, endedAt: fleet.now() });
  else options.onEvent(fleet, { event: "lost", member: row.name });
}

type Observer = ReturnType<typeof createObserver>;

function createObserver(onEvent: (event: FleetEvent) => void) {
  const known = new Map<string, MemberRow>();
  let isStopAnnounced = false;
  let announcedHold: number | null = null;
  const start = ({ name, wave }: MemberRow) => onEvent({ event: "started", member: name, wave });
  const observeRow = (row: MemberRow) => {
    const { name, state, attempts, notBefore } = row;
    const former = known.get(name);
    known.set(name, row);
    if (former === undefined || former.state === state) return;
    if (state === "running") start(row);
    else if (state !== "waiting" && state !== "not started") {
      if (former.state === "waiting" && notBefore === null) start(row);
      onEvent({ event: "ended", member: name, row });
    } else if (attempts > former.attempts && notBefore !== null)
      onEvent({ event: "retried", member: name, at: notBefore });
  };
  return {
    observe(rows: readonly MemberRow[]): void {
      for (const row of rows) observeRow(row);
    },
    stop(stop: Stop, running: number): void {
      if (!isStopAnnounced) onEvent({ event: "stopped", stop, running });
      isStopAnnounced = true;
    },
    hold(until: number): void {
      if (announcedHold !== until) onEvent({ event: "holding", until });
      announcedHold = until;
    },
  };
}
