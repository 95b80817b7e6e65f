import { trimPeriod } from "../base/text.js";
import { cooldownSeconds } from "../contract/limits.js";
import type { Attempt, CompletedAttempt, Sent } from "./attempt.js";
import {
  apiError,
  exceededError,
  flawedError,
  lostError,
  rateLimited,
  redirected,
} from "./attempt-errors.js";
import { isPermanent } from "./connection-failures.js";
import type { ClientError } from "./errors.js";
import { readLimitHeaders } from "./limit-headers.js";
import type { RefusalWait } from "./observing.js";
import { findErrorMeaning, parseErrorBody } from "./parsing.js";

export interface History {
  /** Number of attempts that failed, except refusals. */
  failures: number;
  /** Number of refusals that stated no time to wait. */
  blindRefusals: number;
  waitedMilliseconds: number;
  lastRefusal?: ReceivedDate | undefined;
}

export interface ReceivedDate {
  date: number | undefined;
  /** Monotonic time when the response arrived. */
  at: number;
}

interface Circumstances {
  /** Monotonic time. */
  now: number;
  draw(): number;
  refusal?: RefusalWait | undefined;
}

export type Verdict =
  | { type: "done" }
  | {
      type: "wait";
      milliseconds: number;
      reason: "limit" | "retry";
      blind: boolean;
      /** Whether the wait counts toward `maxWaitMilliseconds`. */
      counted: boolean;
      /** Clause for messages: the error before a retry, or whether the service specified the wait. */
      cause: string;
    }
  | { type: "fail"; error: ClientError };

const maximumAttempts = 4;

export function findRefuser(attempt: Attempt, sent: Sent): "bucket" | "cooldown" | undefined {
  if (attempt.type === "lost" || attempt.status < 400) return undefined;
  const { code } = parseErrorBody(attempt.text ?? "");
  // A refusal guarantees that nothing was changed. It is a 429, or a 503 from the distributor API when its
  // rate limiter is down.
  if (!findErrorMeaning(sent.api, code, attempt.status).retryMutation) return undefined;
  if (!sent.triggersCall) return "bucket";
  // If requests remain or their number is unknown, the cause might be the cooldown (public.limits.1).
  const { retryAfterMilliseconds, remaining, reset } = readLimitHeaders(attempt.headers);
  return retryAfterMilliseconds || (remaining === 0 && reset !== undefined) ? "bucket" : "cooldown";
}

/** A refusal doesn't count as a failure. */
export function hasFailed(attempt: Attempt, sent: Sent): boolean {
  if (attempt.type === "lost" || attempt.flaw !== undefined || attempt.exceeded !== undefined) return true;
  if (attempt.status < 400 || findRefuser(attempt, sent) !== undefined) return false;
  return findErrorMeaning(sent.api, parseErrorBody(attempt.text ?? "").code, attempt.status).retryRead;
}

/** A mutation is retried only if it certainly had no effect. */
export function judge(
  attempt: Attempt,
  sent: Sent,
  history: History,
  { now, draw, refusal }: Circumstances,
): Verdict {
  const retryOrFail = (passes: boolean, error: ClientError) =>
    (passes && planRetry(sent, history, draw, error)) || fail(error);
  if (attempt.type === "lost") {
    const { error } = attempt;
    // A retry can't fix an invalid certificate.
    const passes = !isPermanent(error) && (!sent.mutation || !error.maybeSent);
    return retryOrFail(passes, lostError(attempt, sent));
  }
  // Don't retry: the next response would be just as large.
  if (attempt.exceeded) return fail(exceededError(attempt.exceeded, sent));
  if (attempt.status < 300) {
    if (!attempt.flaw) return { type: "done" };
    return retryOrFail(!sent.mutation, flawedError(attempt, sent));
  }
  if (attempt.status < 400) return fail(redirected(attempt, sent));
  const refuser = findRefuser(attempt, sent);
  if (refuser !== undefined) return judgeRefusal(attempt, sent, history, { now, draw, refusal });
  const passes = !sent.mutation && hasFailed(attempt, sent);
  return retryOrFail(passes, apiError(attempt, sent));
}

function judgeRefusal(
  attempt: CompletedAttempt,
  sent: Sent,
  history: History,
  { now, draw, refusal }: Circumstances,
): Verdict {
  const limits = readLimitHeaders(attempt.headers);
  const mayBeCooldown = findRefuser(attempt, sent) === "cooldown";
  // If the service refuses a call without stating a time, wait at least a minute (public.errors.2).
  const least = sent.triggersCall && !limits.retryAfterMilliseconds ? cooldownSeconds * 1000 : 0;
  const requestedWait = (mayBeCooldown ? undefined : refusal) ?? {
    milliseconds: computeBlindWait(history, draw),
    hasDeclaredTime: false,
  };
  const milliseconds = Math.max(least, requestedWait.milliseconds);
  // Refusals have rate-limit headers, except when the limiter is down (public.limits.2, public.errors.3).
  const cooldown = mayBeCooldown && limits.remaining !== undefined;
  const bound = (mayBeCooldown ? sent.maxCooldownMilliseconds : undefined) ?? sent.maxWaitMilliseconds;
  if (isClockStopped(attempt.headers, history.lastRefusal, now)) {
    return fail(rateLimited(attempt, sent, milliseconds, { hint: frozenHint, cooldown }));
  }
  const outOfAttempts =
    !requestedWait.hasDeclaredTime &&
    !sent.mutation &&
    history.blindRefusals >= maximumAttempts - 1 &&
    Number.isFinite(sent.maxWaitMilliseconds);
  if (outOfAttempts || history.waitedMilliseconds + milliseconds > bound) {
    const retryAfter = requestedWait.hasDeclaredTime || sent.triggersCall ? milliseconds : undefined;
    return fail(rateLimited(attempt, sent, retryAfter, { cooldown }));
  }
  return {
    type: "wait",
    milliseconds,
    reason: "limit",
    blind: !requestedWait.hasDeclaredTime,
    counted: true,
    cause: requestedWait.hasDeclaredTime
      ? "the service requires this wait"
      : "the service specified no wait time",
  };
}

export function toReceivedDate(headers: Readonly<Record<string, string>>, now: number): ReceivedDate {
  return { date: readLimitHeaders(headers).date, at: now };
}

/**
 * Returns whether an emulator's clock is stopped: two of its responses have the same `Date`, although at
 * least a second has passed. Other services are not checked, because they may have several clocks.
 */
export function isClockStopped(
  headers: Readonly<Record<string, string>>,
  previous: ReceivedDate | undefined,
  now: number,
): boolean {
  if (headers["x-emulator-world"] === undefined || previous?.date === undefined) return false;
  return previous.date === readLimitHeaders(headers).date && now - previous.at >= 1000;
}

const frozenHint =
  "the service's clock is stopped, so waiting doesn't help; to advance it, run `voxctl emulator clock +60s`";

/** The wait always exceeds a second, so that an unchanged `Date` proves a stopped clock. */
function computeBlindWait(history: History, draw: () => number): number {
  return 1000 * 2 ** history.blindRefusals * (1.05 + 0.45 * draw());
}

const longestRetryMilliseconds = 60_000;

/**
 * Half of the wait is random, so that clients don't retry at the same time. Returns undefined if no attempts
 * remain.
 */
function planRetry(
  sent: Sent,
  { failures, waitedMilliseconds }: History,
  draw: () => number,
  { message }: ClientError,
): Verdict | undefined {
  const milliseconds = Math.min(500 * 2 ** (failures - 1), longestRetryMilliseconds) * (0.5 + 0.5 * draw());
  const cause = trimPeriod(message);
  const wait = { type: "wait", milliseconds, reason: "retry", blind: false, cause } as const;
  if (!sent.mutation && failures < (sent.attempts ?? maximumAttempts)) return { ...wait, counted: false };
  const bound = Number.isFinite(sent.maxWaitMilliseconds) ? sent.maxWaitMilliseconds : 0;
  if (waitedMilliseconds === 0 || waitedMilliseconds + milliseconds > bound) return undefined;
  return { ...wait, counted: true };
}

function fail(error: ClientError): Verdict {
  return { type: "fail", error };
}
