import { type Fields, getText } from "../base/fields.js";

/** Final statuses of successful calls. The service's documents list no statuses. */
const successes = ["completed", "ended", "finished", "done"];
const failures = ["failed", "busy", "no_answer", "cancelled", "rejected", "voicemail"];

export const knownStatuses: readonly string[] = [...successes, ...failures];

const underWay = new Set(["queued", "ringing", "inprogress", "initiated", "dialing", "active", "ongoing"]);

export function isUnderWay(status: string): boolean {
  return underWay.has(normalizeStatus(status));
}

const unanswered = new Set(["busy", "noanswer", "rejected"]);

/** Returns whether a status means that nobody answered the call, so that it has no transcript. */
export function isUnanswered(status: string): boolean {
  return unanswered.has(normalizeStatus(status));
}

export function isKnownStatus(status: string): boolean {
  return knownStatuses.some((candidate) => normalizeStatus(candidate) === normalizeStatus(status));
}

export interface CallEnds {
  isOver(call: Fields): boolean;
  isAsExpected(call: Fields): boolean;
  /** If empty, every successful status is accepted. */
  readonly expected: readonly string[];
}

/**
 * @param final additional statuses that end a call
 * @param expected additional statuses that end a call; if specified, they are the only expected statuses
 */
export function createCallEnds({
  final = [],
  expected = [],
}: {
  final?: readonly string[];
  expected?: readonly string[];
} = {}): CallEnds {
  const accepted = new Set((expected.length > 0 ? expected : successes).map(normalizeStatus));
  const ends = new Set([...successes, ...failures, ...final, ...expected].map(normalizeStatus));
  return {
    expected,
    isOver: (call) => ends.has(normalizeStatus(getText(call, "status"))) || isSet(call["ended_at"]),
    isAsExpected: (call) => accepted.has(normalizeStatus(getText(call, "status"))),
  };
}

/** Returns a status without case or punctuation, so that `No-Answer` equals `noAnswer`. */
export function normalizeStatus(status: string): string {
  const plain = status.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return plain === "canceled" ? "cancelled" : plain;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
