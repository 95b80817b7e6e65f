/** A call's state is computed from its plan and the time, without stored states or timers (D-lifecycle). */
import type { CallOutcome, CallStatus, RecordingFormat } from "../../contract/public/calls.js";

/** Planned when the call is created; times are in milliseconds. */
export interface CallPlan {
  outcome: CallOutcome;
  createdAt: number;
  ringsAt: number;
  answeredAt: number | null;
  endedAt: number;
  durationSeconds: number;
  recordingFormat: RecordingFormat | null;
  /** Time at which the recording is ready; null if there is no recording. */
  recordedAt: number | null;
  erasedAt: number | null;
}

type RecordingState = "none" | "pending" | "available" | "erased";

export interface CallState {
  status: CallStatus;
  isOver: boolean;
  startedAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
  recording: RecordingState;
  /** Length of the conversation so far, in milliseconds. */
  spoken: number;
  updatedAt: number;
}

const ringDelay = 2_000;
const answerDelay = 5_000; // D-lifecycle
const recordingDelay = 5_000;

/**
 * Outcomes by the last four digits of the destination. Calls to all other numbers are answered, as in `usual`
 * (D-lifecycle).
 */
const magicEndings: Readonly<Record<string, { outcome: CallOutcome; seconds: number }>> = {
  "0001": { outcome: "no_answer", seconds: 0 },
  "0002": { outcome: "busy", seconds: 0 },
  "0003": { outcome: "failed", seconds: 0 },
  "0004": { outcome: "completed", seconds: 10 },
};
const usual: { outcome: CallOutcome; seconds: number } = { outcome: "completed", seconds: 90 };

/** Plans a call that is queued now. The called number determines the outcome (D-lifecycle). */
export function planOutbound(to: string, now: number): CallPlan {
  const { outcome, seconds } = magicEndings[to.slice(-4)] ?? usual;
  return buildPlan(now, now + ringDelay, outcome, seconds);
}

export function planScripted(planned: CallPlan, outcome: CallOutcome, seconds: number): CallPlan {
  return buildPlan(planned.createdAt, planned.ringsAt, outcome, seconds);
}

export function planInbound(now: number): CallPlan {
  return buildPlan(now, now, usual.outcome, usual.seconds);
}

function buildPlan(createdAt: number, ringsAt: number, outcome: CallOutcome, seconds: number): CallPlan {
  const answeredAt = ringsAt + answerDelay;
  const isAnswered = outcome === "completed";
  const endedAt = answeredAt + seconds * 1_000;
  return {
    outcome,
    createdAt,
    ringsAt,
    answeredAt: isAnswered ? answeredAt : null,
    endedAt,
    durationSeconds: seconds,
    recordingFormat: isAnswered ? "flac" : null,
    recordedAt: isAnswered ? endedAt + recordingDelay : null,
    erasedAt: null,
  };
}

/**
 * Plans a past call, whose recording, if any, is ready.
 * @param past.createdAt default: chosen so that the call ends now
 */
export function planPast(
  past: {
    outcome: CallOutcome;
    durationSeconds: number;
    recordingFormat: RecordingFormat | null;
    createdAt?: number | undefined;
  },
  now: number,
): CallPlan {
  const { outcome, durationSeconds, recordingFormat } = past;
  const length = durationSeconds * 1_000;
  const createdAt = past.createdAt ?? now - length;
  const endedAt = Math.min(createdAt + length, now);
  return {
    outcome,
    createdAt,
    ringsAt: createdAt,
    answeredAt: outcome === "completed" || durationSeconds > 0 ? createdAt : null,
    endedAt,
    durationSeconds,
    recordingFormat,
    recordedAt: recordingFormat === null ? null : Math.min(endedAt + recordingDelay, now),
    erasedAt: null,
  };
}

export function computeCallState(plan: CallPlan, now: number): CallState {
  const isOver = now >= plan.endedAt;
  const isAnswered = plan.answeredAt !== null && now >= plan.answeredAt;
  const startedAt = isAnswered ? plan.answeredAt : null;
  const past = [plan.createdAt, plan.ringsAt, plan.answeredAt, plan.endedAt, plan.recordedAt, plan.erasedAt];
  return {
    status: isOver ? plan.outcome : isAnswered ? "in_progress" : now >= plan.ringsAt ? "ringing" : "queued",
    isOver,
    startedAt,
    endedAt: isOver ? plan.endedAt : null,
    durationSeconds: isOver ? plan.durationSeconds : null,
    recording: computeRecordingState(plan, now),
    spoken: startedAt === null ? 0 : Math.min(now, plan.endedAt) - startedAt,
    updatedAt: Math.max(...past.filter((time) => time !== null && time <= now).map(Number)),
  };
}

/** Possible states: `none`, or `pending` → `available` → `erased` (public.states.recording). */
function computeRecordingState(plan: CallPlan, now: number): RecordingState {
  if (plan.recordedAt === null) return "none";
  if (plan.erasedAt !== null) return "erased";
  return now >= plan.recordedAt ? "available" : "pending";
}
