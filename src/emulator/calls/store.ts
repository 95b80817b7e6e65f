import type { Database, Row } from "../../base/database.js";
import type { Analysis, Call, CallDetail, Direction, Note, Utterance } from "../../contract/public/calls.js";
import { callOutcomes, recordingFormats } from "../../contract/public/calls.js";
import { contentTypes } from "../audio/recording.js";
import { isoTime } from "../kernel/clock.js";
import { type CallPlan, type CallState, computeCallState } from "./life-cycle.js";

export interface NewCall {
  id: string;
  organizationId: string;
  assistantId: string;
  assistantPhone: string | null;
  direction: Direction;
  from: string | null;
  to: string | null;
  plan: CallPlan;
  details: string | null;
  transcript: readonly Utterance[];
  analyses: readonly Analysis[];
  notes: readonly Note[];
}

export interface StoredCall {
  id: string;
  createdAt: number;
  plan: CallPlan;
  row: Row;
}

export function insertCall(database: Database, call: NewCall): void {
  const { plan } = call;
  database
    .prepare(
      `INSERT INTO calls (id, organization_id, assistant_id, assistant_phone, direction, from_number, to_number, outcome,
        rings_at, answered_at, ended_at, duration_seconds, recording_format, recorded_at, recording_erased_at,
        details, transcript, analyses, notes, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      call.id,
      call.organizationId,
      call.assistantId,
      call.assistantPhone,
      call.direction,
      call.from,
      call.to,
      plan.outcome,
      plan.ringsAt,
      plan.answeredAt,
      plan.endedAt,
      plan.durationSeconds,
      plan.recordingFormat,
      plan.recordedAt,
      plan.erasedAt,
      call.details,
      JSON.stringify(call.transcript),
      JSON.stringify(call.analyses),
      JSON.stringify(call.notes),
      plan.createdAt,
    );
}

/** Replaces the plan, transcript and analyses of a call that has not ended. */
export function updateCall(
  database: Database,
  id: string,
  { plan, transcript, analyses }: Pick<NewCall, "plan" | "transcript" | "analyses">,
): void {
  database
    .prepare(
      `UPDATE calls SET outcome = ?, rings_at = ?, answered_at = ?, ended_at = ?, duration_seconds = ?,
        recording_format = ?, recorded_at = ?, transcript = ?, analyses = ? WHERE id = ?`,
    )
    .run(
      plan.outcome,
      plan.ringsAt,
      plan.answeredAt,
      plan.endedAt,
      plan.durationSeconds,
      plan.recordingFormat,
      plan.recordedAt,
      JSON.stringify(transcript),
      JSON.stringify(analyses),
      id,
    );
}

export function findCall(database: Database, organizationId: string, id: string): StoredCall | undefined {
  const row = database
    .prepare("SELECT * FROM calls WHERE id = ? AND organization_id = ?")
    .get(id, organizationId);
  return row && toStoredCall(row);
}

/** The long columns may be missing, because lists don't read them. */
export function toStoredCall(row: Row): StoredCall {
  const time = (name: string) => (row[name] === null ? null : Number(row[name]));
  const createdAt = Number(row["created_at"]);
  return {
    id: String(row["id"]),
    createdAt,
    row,
    plan: {
      outcome: callOutcomes.find((outcome) => outcome === row["outcome"]) ?? "failed",
      createdAt,
      ringsAt: Number(row["rings_at"]),
      answeredAt: time("answered_at"),
      endedAt: Number(row["ended_at"]),
      durationSeconds: Number(row["duration_seconds"]),
      recordingFormat: recordingFormats.find((format) => format === row["recording_format"]) ?? null,
      recordedAt: time("recorded_at"),
      erasedAt: time("recording_erased_at"),
    },
  };
}

export function toCall({ id, plan, row }: StoredCall, now: number): Call {
  const state = computeCallState(plan, now);
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  const time = (milliseconds: number | null) => (milliseconds === null ? null : isoTime(milliseconds));
  const isAvailable = state.recording === "available" && plan.recordingFormat !== null;
  return {
    id,
    assistant_id: String(row["assistant_id"]),
    direction: row["direction"] === "inbound" ? "inbound" : "outbound",
    status: state.status,
    from: text("from_number"),
    to: text("to_number"),
    started_at: time(state.startedAt),
    ended_at: time(state.endedAt),
    duration_seconds: state.durationSeconds,
    recording: {
      available: isAvailable,
      content_type: isAvailable && plan.recordingFormat ? contentTypes[plan.recordingFormat] : null,
    },
    created_at: isoTime(plan.createdAt),
    updated_at: isoTime(state.updatedAt),
  };
}

/**
 * Returns a call with its utterances so far. Only a call that has ended has analyses (public.call.detail).
 */
export function toCallDetail(call: StoredCall, now: number): CallDetail {
  const state = computeCallState(call.plan, now);
  return {
    ...toCall(call, now),
    details: call.row["details"] === null ? null : String(call.row["details"]),
    transcript: selectSpoken(call, state),
    analyses: state.isOver ? JSON.parse(String(call.row["analyses"])) : [],
    notes: JSON.parse(String(call.row["notes"])),
  };
}

function selectSpoken({ row }: StoredCall, { isOver, startedAt, spoken }: CallState): Utterance[] {
  if (startedAt === null) return [];
  const transcript: Utterance[] = JSON.parse(String(row["transcript"]));
  return isOver ? transcript : transcript.filter(({ offset_seconds }) => offset_seconds * 1_000 <= spoken);
}

export function eraseRecording(database: Database, callId: string, now: number): void {
  database.prepare("UPDATE calls SET recording_erased_at = ? WHERE id = ?").run(now, callId);
}
