import type { ConnectionError } from "../base/transport.js";
import { cooldownSeconds } from "../contract/limits.js";
import type { SurfaceName } from "../contract/surfaces.js";
import { isPermanent } from "./connection-failures.js";
import { ClientError, type Outcome } from "./errors.js";
import { type LimitHeaders, readLimitHeaders, untilReset } from "./limit-headers.js";
import { isOutage, meaningOf, parseErrorBody } from "./parsing.js";

/** What became of one attempt. */
export type Attempt = LostAttempt | AnsweredAttempt;

/** Nothing came, or nothing in time. */
export interface LostAttempt {
  kind: "lost";
  error: ConnectionError;
  timedOut: boolean;
}

interface AnsweredAttempt {
  kind: "answered";
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Undefined where it was cut, or is a stream. Of an error without keys. */
  text: string | undefined;
  /** Parsed JSON, the text of another media type, or a stream. */
  body: unknown;
  /** Why the body can't be used. */
  flaw?: "cut" | "not_json" | "encoded" | undefined;
}

/** What the policy needs to know of a request. */
export interface Sent {
  surface: SurfaceName;
  mutation: boolean;
  /** It triggers a call, which each assistant may do once a minute only (public.limits.1). */
  cooldown: boolean;
  maxWaitMilliseconds: number;
  /** Where it goes, for messages: `https://host`. */
  origin?: string | undefined;
  /** Bound on waiting for the cooldown, where it is another. */
  maxCooldownMilliseconds?: number | undefined;
}

/** What went before in the same call, this attempt included. */
export interface History {
  attempts: number;
  /** Refusals that told no time to wait. */
  blindRefusals: number;
  /** Waiting for limits so far. */
  waitedMilliseconds: number;
  /** `Date` of the refusal before, and when it came by our clock. */
  lastRefusal?: { date: number | undefined; at: number } | undefined;
}

export type Verdict =
  | { kind: "done" }
  | { kind: "wait"; milliseconds: number; reason: "limit" | "retry"; blind: boolean }
  | { kind: "fail"; error: ClientError };

const maximumAttempts = 4;
const lookFirst = "Look whether it happened before you send it again.";

/**
 * What to do after an attempt. Reads are repeated; a mutation only where it certainly did not happen because the
 * service asked to wait.
 * @param now the given clock's time
 * @param draw chance, in [0, 1)
 */
export function judge(attempt: Attempt, sent: Sent, history: History, now: number, draw: number): Verdict {
  if (attempt.kind === "lost") return judgeLost(attempt, sent, history, draw);
  if (attempt.status < 300)
    return attempt.flaw ? judgeFlawed(attempt, sent, history, draw) : { kind: "done" };
  if (attempt.status < 400) return fail(redirected(attempt, sent));
  const error = parseErrorBody(attempt.text ?? "");
  const meaning = meaningOf(sent.surface, error.code, attempt.status);
  // 429, and the distributors' 503 of a limiter that is down: the service says that it did nothing.
  if (meaning.retryMutation) return judgeRefusal(attempt, sent, history, now, draw);
  if (!sent.mutation && meaning.retryRead && history.attempts < maximumAttempts) return again(history, draw);
  return fail(apiError(attempt, sent));
}

function judgeLost({ error, timedOut }: LostAttempt, sent: Sent, history: History, draw: number): Verdict {
  // A certificate does not become good by asking again.
  const hopeless = isPermanent(error);
  if (!sent.mutation && !hopeless && history.attempts < maximumAttempts) return again(history, draw);
  const unknown = sent.mutation && error.maybeSent;
  return fail(
    new ClientError({
      kind: "network",
      code: timedOut ? "timeout" : "connection_failed",
      message: timedOut
        ? `No answer${from(sent)}${error.via === undefined ? "" : ` through ${error.via}`} came in time.`
        : `The connection${to(sent)} failed: ${error.message}.`,
      retryable: !unknown && !hopeless,
      outcome: unknown ? "unknown" : "none",
      hint: unknown ? lookFirst : error.hint,
      cause: error,
    }),
  );
}

function from({ origin }: Sent): string {
  return origin === undefined ? "" : ` from ${origin}`;
}

function at({ origin }: Sent): string {
  return origin === undefined ? "" : ` at ${origin}`;
}

function to({ origin }: Sent): string {
  return origin === undefined ? "" : ` to ${origin}`;
}

function judgeFlawed(attempt: AnsweredAttempt, sent: Sent, history: History, draw: number): Verdict {
  if (!sent.mutation && history.attempts < maximumAttempts) return again(history, draw);
  const isJson = attempt.flaw !== "not_json";
  return fail(
    new ClientError({
      kind: "network",
      code: "invalid_response",
      message: flawText(attempt),
      status: attempt.status,
      retryable: !sent.mutation,
      outcome: sent.mutation ? "unknown" : "none",
      hint: sent.mutation ? lookFirst : isJson ? undefined : "Is the base address the API's?",
    }),
  );
}

function flawText({ flaw, headers }: AnsweredAttempt): string {
  switch (flaw) {
    case "cut":
      return "The answer was cut off.";
    case "encoded":
      return `The answer is encoded as "${headers["content-encoding"]}", though none was asked for, and this Node can't read that.`;
    default:
      return "The answer is no JSON.";
  }
}

function judgeRefusal(
  attempt: AnsweredAttempt,
  sent: Sent,
  history: History,
  now: number,
  draw: number,
): Verdict {
  const limits = readLimitHeaders(attempt.headers);
  const told = toldWait(limits);
  const milliseconds = told ?? blindWait(sent, history, draw);
  const maybeCooldown = sent.cooldown && told === undefined;
  // public.limits.2, public.errors.3: a limiter that is down sends no headers, the cooldown does.
  const cooldown = maybeCooldown && limits.remaining !== undefined;
  const bound = (maybeCooldown ? sent.maxCooldownMilliseconds : undefined) ?? sent.maxWaitMilliseconds;
  const { lastRefusal } = history;
  // T13: an emulator's clock is one, and waits of at least a second move its `Date` unless it stands still. Of a
  // deployment's nodes one may be behind another.
  const isEmulator = attempt.headers["x-emulator-world"] !== undefined;
  if (
    isEmulator &&
    lastRefusal?.date !== undefined &&
    lastRefusal.date === limits.date &&
    now - lastRefusal.at >= 1000
  ) {
    return fail(rateLimited(attempt, sent, milliseconds, { hint: frozenHint, cooldown }));
  }
  const outOfAttempts =
    told === undefined &&
    !sent.mutation &&
    history.attempts >= maximumAttempts &&
    Number.isFinite(sent.maxWaitMilliseconds);
  if (outOfAttempts || history.waitedMilliseconds + milliseconds > bound) {
    return fail(rateLimited(attempt, sent, told ?? (sent.cooldown ? milliseconds : undefined), { cooldown }));
  }
  return { kind: "wait", milliseconds, reason: "limit", blind: told === undefined };
}

const frozenHint =
  "The service's clock stands still, so waiting does not help: voxctl emulator clock advance 60 moves it.";

/** How long the answer itself says to wait, by the server's own clock. */
function toldWait(limits: LimitHeaders): number | undefined {
  if (limits.retryAfterMilliseconds) return limits.retryAfterMilliseconds;
  // With room left in the bucket it is not the bucket that refused, but the cooldown.
  if (limits.remaining !== undefined && limits.remaining > 0) return undefined;
  return untilReset(limits) || undefined;
}

function blindWait(sent: Sent, history: History, draw: number): number {
  // public.errors.2: at least 60 seconds for the cooldown
  const least = sent.cooldown ? cooldownSeconds * 1000 : 0;
  // Always more than a second, so that a Date that did not move means something.
  return Math.max(least, 1000 * 2 ** history.blindRefusals * (1.05 + 0.45 * draw));
}

/** Exponential, with half of it left to chance, so that clients that failed together don't return together. */
function again(history: History, draw: number): Verdict {
  const milliseconds = 500 * 2 ** (history.attempts - 1) * (0.5 + 0.5 * draw);
  return { kind: "wait", milliseconds, reason: "retry", blind: false };
}

function fail(error: ClientError): Verdict {
  return { kind: "fail", error };
}

/** The error of an answer with a status of 400 or above. */
function apiError(attempt: AnsweredAttempt, sent: Sent): ClientError {
  const body = parseErrorBody(attempt.text ?? "");
  const meaning = meaningOf(sent.surface, body.code, attempt.status);
  const failed = attempt.status >= 500 || isOutage(attempt.status);
  const unknown = sent.mutation && failed && !meaning.retryMutation && meaning.nothingHappened !== true;
  // Only the service itself refuses: 407 is a proxy's, 408 and 425 come before it looked.
  const refused = attempt.status >= 500 || !(failed || attempt.status === 407);
  return new ClientError({
    kind: refused ? "api" : "network",
    code: body.code ?? `http_${attempt.status}`,
    message: body.message ?? `The service${at(sent)} answered ${attempt.status}.`,
    status: attempt.status,
    details: body.details,
    retryable: sent.mutation ? meaning.retryMutation : meaning.retryRead,
    outcome: unknown ? "unknown" : "none",
    rule: attempt.headers["x-emulator-rule"],
    // public.errors.table: check the resource's state first
    hint: unknown ? lookFirst : undefined,
  });
}

function rateLimited(
  attempt: AnsweredAttempt,
  sent: Sent,
  retryAfterMilliseconds: number | undefined,
  more: { hint?: string; cooldown: boolean },
): ClientError {
  const error = apiError(attempt, sent);
  return new ClientError({
    kind: "rate_limit",
    code: error.code,
    message: error.message,
    status: error.status,
    details: error.details,
    retryable: true,
    outcome: "none",
    rule: error.rule,
    retryAfterMilliseconds,
    ...more,
  });
}

function redirected(attempt: AnsweredAttempt, sent: Sent): ClientError {
  const location = attempt.headers["location"];
  // "See other" may come after the work was done; the others send the request away untouched.
  const outcome: Outcome = sent.mutation && attempt.status === 303 ? "unknown" : "none";
  return new ClientError({
    kind: "api",
    code: "redirected",
    message: `The service${at(sent)} answered ${attempt.status}${location === undefined ? "" : ` and points to ${location}`}; a key is not sent along a redirect.`,
    status: attempt.status,
    retryable: false,
    outcome,
    hint: "Set the base address to where the API really is.",
  });
}
