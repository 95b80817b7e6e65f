import * as z from "zod";
import type { MemberRow, MemberState } from "./member-row.js";

type ScheduledRow = Pick<MemberRow, "name" | "wave" | "state" | "notBefore" | "endedAt" | "attempts">;

export interface Schedule {
  /** Milliseconds to wait after each wave before the next one starts. */
  holds: readonly number[];
  allowed: number;
  parallel: number;
  isStopping: boolean;
}

export const Stop = z.object({
  reason: z.enum(["failures", "canary", "unknown", "interrupted"]),
  member: z.string().nullable(),
});
export type Stop = z.output<typeof Stop>;

interface Decision {
  start: string[];
  wakeAt: number | null;
  isHolding: boolean;
  stop: Stop | null;
  isOver: boolean;
}

const isFailed = ({ state }: ScheduledRow) => state === "failed" || state === "interrupted";

function findStop(rows: readonly ScheduledRow[], { holds, allowed, isStopping }: Schedule): Stop | null {
  const unknown = rows.find(({ state }) => state === "unknown");
  if (unknown !== undefined) return { reason: "unknown", member: unknown.name };
  const failed = rows.filter(isFailed);
  const canary = failed.find(({ wave }) => (holds[wave] ?? 0) > 0);
  if (canary !== undefined) return { reason: "canary", member: canary.name };
  if (failed.length > allowed) {
    const last = failed.reduce((left, right) => ((right.endedAt ?? 0) >= (left.endedAt ?? 0) ? right : left));
    return { reason: "failures", member: last.name };
  }
  return isStopping ? { reason: "interrupted", member: null } : null;
}

/** @param now current time in milliseconds */
export function decideNext(rows: readonly ScheduledRow[], schedule: Schedule, now: number): Decision {
  const running = rows.filter(({ state }) => state === "running").length;
  const waiting = rows.filter(({ state }) => state === "waiting");
  const stop = findStop(rows, schedule);
  const decision: Decision = { start: [], wakeAt: null, isHolding: false, stop, isOver: false };
  if (stop !== null || waiting.length === 0) return { ...decision, isOver: running === 0 };
  const open = rows.filter(({ state }) => state === "waiting" || state === "running");
  const wave = Math.min(...open.map((row) => row.wave));
  const heldUntil = findHold(rows, schedule, wave);
  if (heldUntil !== null && heldUntil > now) return { ...decision, isHolding: true, wakeAt: heldUntil };
  const ofWave = waiting.filter((row) => row.wave === wave);
  const ready = ofWave.filter(({ notBefore }) => notBefore === null || notBefore <= now);
  const start = ready.slice(0, Math.max(0, schedule.parallel - running)).map(({ name }) => name);
  const later = ofWave.flatMap(({ notBefore }) => (notBefore !== null && notBefore > now ? [notBefore] : []));
  return { ...decision, start, wakeAt: later.length === 0 ? null : Math.min(...later) };
}

function findHold(rows: readonly ScheduledRow[], { holds }: Schedule, wave: number): number | null {
  const previous = Math.max(-1, ...rows.map((row) => row.wave).filter((index) => index < wave));
  const hold = holds[previous] ?? 0;
  if (hold === 0) return null;
  const ends = rows.filter((row) => row.wave === previous).map(({ endedAt }) => endedAt ?? 0);
  return Math.max(...ends) + hold;
}

/**
 * Delay before each retry of a member that could not be reached (exit code 9). A retry is safe, because
 * nothing was written.
 */
const retryMilliseconds = [60_000, 300_000] as const;

const unavailableExit = 9;
export const unknownExit = 75;
const differencesExit = 10;
const interruptedExits: readonly number[] = [130, 143];

/**
 * Returns the state of a waiting member when its run ends. The member may have made changes if an interrupted
 * or lost process ran it.
 */
export function judgeWaiting({
  attempts,
  exit,
  startedAt,
  endedAt,
}: Pick<MemberRow, "attempts" | "exit" | "startedAt" | "endedAt">): MemberState {
  if (attempts > 0) return "failed";
  const isCut = startedAt !== null && (endedAt === null || interruptedExits.includes(exit ?? 0));
  return isCut ? "interrupted" : "not started";
}

interface Judging {
  okExits: readonly number[];
  isComparison: boolean;
}

type Judgement = Pick<MemberRow, "state" | "attempts" | "notBefore">;

export function judgeExit(
  exit: number,
  { attempts, now }: { attempts: number; now: number },
  { okExits, isComparison }: Judging,
): Judgement {
  const ended = (state: MemberState): Judgement => ({ state, attempts, notBefore: null });
  if (exit === 0 || okExits.includes(exit) || (isComparison && exit === differencesExit)) return ended("ok");
  if (exit === unknownExit) return ended("unknown");
  if (interruptedExits.includes(exit)) return ended("interrupted");
  const wait = exit === unavailableExit ? retryMilliseconds[attempts] : undefined;
  return wait === undefined
    ? ended("failed")
    : { state: "waiting", attempts: attempts + 1, notBefore: now + wait };
}
