/** Starts and judges the waves of a fleet run. */
import type { Clock } from "../../base/clock.js";
import type { MemberEnd, MemberRow, MemberRows } from "./member-row.js";
import { decideNext, judgeExit, type Schedule, type Stop } from "./scheduler.js";

/** Event of a fleet run. */
export type FleetEvent =
  | { event: "started"; member: string; wave: number }
  | { event: "ended"; member: string; row: MemberRow }
  | { event: "retried"; member: string; at: number }
  | { event: "holding"; until: number }
  | { event: "stopped"; stop: Stop; running: number };

export interface DriveOptions {
  rows: MemberRows;
  schedule: Omit<Schedule, "isStopping">;
  okExits: readonly number[];
  isComparison: boolean;
  clock: Clock;
  /** Aborted when nothing more may start. */
  signal: AbortSignal;
  createFence(): string;
  /** Runs a member's command. `onProcess` must be called before the process does anything. */
  runMember(row: MemberRow, onProcess: (pid: number) => void): Promise<MemberEnd>;
  onEvent(event: FleetEvent): void;
}

/**
 * Runs members until all have ended or nothing more may start. Members that were not started are marked as such.
 * @returns why the run stopped; null if every member was started
 * @throws the first error of `runMember`, after all running members have ended
 */
export async function driveFleet(options: DriveOptions): Promise<Stop | null> {
  const { rows, schedule, clock, signal, onEvent } = options;
  const running = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  let announced: number | null = null;
  let isStopAnnounced = false;
  const start = (name: string) => {
    const work = runMember(options, name)
      .catch((error: unknown) => failures.push(error))
      .then(() => void running.delete(name));
    running.set(name, work);
  };
  for (;;) {
    const isStopping = signal.aborted || failures.length > 0;
    const {
      start: names,
      wakeAt,
      isHolding,
      stop,
      isOver,
    } = decideNext(rows.list(), { ...schedule, isStopping }, clock.now());
    if (stop !== null && !isStopAnnounced) {
      isStopAnnounced = true;
      onEvent({ event: "stopped", stop, running: running.size });
    }
    if (isOver && running.size === 0) {
      closeOpenRows(rows);
      if (failures.length > 0) throw failures[0];
      return stop;
    }
    if (isHolding && wakeAt !== null && announced !== wakeAt) {
      announced = wakeAt;
      onEvent({ event: "holding", until: wakeAt });
    }
    for (const name of names) start(name);
    if (names.length === 0) await waitForChange([...running.values()], wakeAt, { clock, signal });
  }
}

/** Resolves when a member ends, at a time, or when the signal is aborted. */
async function waitForChange(
  running: readonly Promise<void>[],
  wakeAt: number | null,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const ended = new AbortController();
  // After the abort, only the end of running members matters.
  const isAborted = signal.aborted;
  const stopped = new Promise<void>((resolve) => {
    if (!isAborted) signal.addEventListener("abort", () => resolve(), { once: true, signal: ended.signal });
  });
  const woken =
    wakeAt === null ? [] : [clock.sleep(Math.max(0, wakeAt - clock.now()), ended.signal).catch(() => {})];
  try {
    await Promise.race([...running, ...woken, stopped]);
  } finally {
    ended.abort();
  }
}

async function runMember(options: DriveOptions, name: string): Promise<void> {
  const { rows, clock, okExits, isComparison, createFence, onEvent } = options;
  const fence = createFence();
  const row = rows.begin(name, fence, clock.now());
  if (row === undefined) return;
  onEvent({ event: "started", member: name, wave: row.wave });
  const result = await options.runMember(row, (pid) => rows.setProcess(name, fence, pid));
  const now = clock.now();
  // A command that is given again may find that its earlier process completed the run (G11).
  const exit = result.code === "run_finished" && row.runs.length > 0 ? 0 : result.exit;
  const judged = judgeExit(exit, { attempts: row.attempts, now }, { okExits, isComparison });
  const { summary, error } = result;
  const runs = [...new Set([...row.runs, ...result.runs])];
  const ended = { ...judged, exit, summary, error, runs, endedAt: now };
  if (!rows.end(name, fence, ended)) return;
  if (judged.notBefore !== null) onEvent({ event: "retried", member: name, at: judged.notBefore });
  else onEvent({ event: "ended", member: name, row: { ...row, ...ended } });
}

/** Ends members that wait: one that was tried has failed, others were not started (G7). */
function closeOpenRows(rows: MemberRows): void {
  for (const { name, state, attempts } of rows.list())
    if (state === "waiting")
      rows.change(name, { state: attempts > 0 ? "failed" : "not started", notBefore: null });
}
