/**
 * The course of a call as a pure function of its plan and the time: without timers or stored states
 * (D-lifecycle).
 */
import type { CallOutcome, CallStatus, RecordingFormat } from "../../contract/public/calls.js";

/** The complete course of a call, decided when it is created. Times in milliseconds. */
export interface CallPlan {
  outcome: CallOutcome;
  createdAt: number;
  ringsAt: number;
  /** Null if the call is not answered. */
  answeredAt: number | null;
  endedAt: number;
  durationSeconds: number;
  recordingFormat: RecordingFormat | null;
  /** Time at which the recording is ready; null without a recording. */
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
  /** Milliseconds of conversation so far. */
  spoken: number;
  updatedAt: number;
}

const ringDelay = 2_000;
const answerDelay = 5_000; // D-lifecycle
const recordingDelay = 5_000;

/** D-lifecycle: the last four digits of the destination determine the outcome; other numbers are answered. */
const magicEndings: Readonly<Record<string, { outcome: CallOutcome; seconds: number }>> = {
  "0001": { outcome: "no_answer", seconds: 0 },
  "0002": { outcome: "busy", seconds: 0 },
  "0003": { outcome: "failed", seconds: 0 },
  "0004": { outcome: "completed", seconds: 10 },
};
const usual: { outcome: CallOutcome; seconds: number } = { outcome: "completed", seconds: 90 };

/** D-lifecycle: returns the course of a call to this number, queued now. */
export function planOutbound(to: string, now: number): CallPlan {
  const { outcome, seconds } = magicEndings[to.slice(-4)] ?? usual;
  return buildPlan(now, now + ringDelay, outcome, seconds);
}

/** Returns the course of a call that was queued earlier and ends as requested (control interface). */
export function planScripted(createdAt: number, outcome: CallOutcome, seconds: number): CallPlan {
  return buildPlan(createdAt, createdAt + ringDelay, outcome, seconds);
}

/** Returns the course of an incoming call: it rings at once and is answered like any other. */
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
 * Plans a call that has ended and whose recording is ready.
 * @param past.createdAt default: the time at which a call that ends now started
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

/** The part of the plan that has already happened. */
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

/** public.states.recording: none or pending → available → erased. */
function computeRecordingState(plan: CallPlan, now: number): RecordingState {
  if (plan.recordedAt === null) return "none";
  if (plan.erasedAt !== null) return "erased";
  return now >= plan.recordedAt ? "available" : "pending";
}
