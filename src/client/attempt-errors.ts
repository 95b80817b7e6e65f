import type { CompletedAttempt, LostAttempt, Sent } from "./attempt.js";
import { isPermanent } from "./connection-failures.js";
import { ClientError, type Outcome, tooLargeCode } from "./errors.js";
import { findErrorMeaning, isOutage, parseErrorBody } from "./parsing.js";
import { describeExceededBound, type ExceededBound } from "./response-bounds.js";

const lookFirst = "check whether the change was made before you retry";

/** The outcome is unknown only for a mutation that might have arrived. */
export function lostError({ error, timedOut }: LostAttempt, sent: Sent): ClientError {
  const unknown = sent.mutation && error.maybeSent;
  return new ClientError({
    type: "network",
    code: timedOut ? "timeout" : "connection_failed",
    message: timedOut
      ? `no response${formatOrigin("from", sent)}${error.via === undefined ? "" : ` through ${error.via}`} arrived in time`
      : `the connection${formatOrigin("to", sent)} failed: ${error.message}`,
    retryable: !unknown && !isPermanent(error),
    outcome: unknown ? "unknown" : "none",
    hint: unknown ? lookFirst : error.hint,
    cause: error,
  });
}

function formatOrigin(preposition: string, { origin }: Sent): string {
  return origin === undefined ? "" : ` ${preposition} ${origin}`;
}

export function flawedError(attempt: CompletedAttempt, sent: Sent): ClientError {
  const isJson = attempt.flaw !== "not_json";
  return new ClientError({
    type: "network",
    code: attempt.timedOut ? "timeout" : "invalid_response",
    message: flawText(attempt, sent),
    status: attempt.status,
    retryable: !sent.mutation,
    outcome: sent.mutation ? "unknown" : "none",
    hint: sent.mutation ? lookFirst : isJson ? undefined : "check the API's base URL",
    cause: attempt.cause,
  });
}

/**
 * Returns the error for a response that is too large or too deeply nested. Ignores the status: a 404 with
 * such a body doesn't prove that a resource is missing.
 */
export function exceededError(bound: ExceededBound, sent: Sent): ClientError {
  return new ClientError({
    type: "network",
    code: tooLargeCode,
    message: `the response${formatOrigin("from", sent)} can't be read: ${describeExceededBound(bound)}`,
    retryable: false,
    outcome: sent.mutation ? "unknown" : "none",
    hint: sent.mutation ? lookFirst : undefined,
  });
}

function flawText({ flaw, headers, timedOut, cause }: CompletedAttempt, sent: Sent): string {
  switch (flaw) {
    case "cut":
      return timedOut
        ? `the response${formatOrigin("from", sent)} did not arrive completely in time`
        : `the response${formatOrigin("from", sent)} can't be read: ${cause?.message}`;
    case "encoded":
      return `the response is encoded as "${headers["content-encoding"]}", which this version of Node can't decode`;
    case "no_item":
      return "the response doesn't contain the resource";
    default:
      return "the response is not JSON";
  }
}

export function apiError(attempt: CompletedAttempt, sent: Sent): ClientError {
  const body = parseErrorBody(attempt.text ?? "");
  const meaning = findErrorMeaning(sent.api, body.code, attempt.status);
  const failed = attempt.status >= 500 || isOutage(attempt.status);
  const unknown = sent.mutation && failed && !meaning.retryMutation && meaning.nothingHappened !== true;
  // 407, 408 and 425 count as network errors: a 407 comes from a proxy, and after a 408 or 425, the service
  // has not processed the request.
  const refused = attempt.status >= 500 || !(failed || attempt.status === 407);
  return new ClientError({
    type: refused ? "api" : "network",
    code: body.code ?? `http_${attempt.status}`,
    message: body.message ?? `the service${formatOrigin("at", sent)} responded with ${attempt.status}`,
    status: attempt.status,
    response: attempt,
    details: body.details,
    retryable: sent.mutation ? meaning.retryMutation : meaning.retryRead,
    outcome: unknown ? "unknown" : "none",
    rule: attempt.headers["x-emulator-rule"],
    // Before a retry, users must check whether the change was made (public.errors.table).
    hint: unknown ? lookFirst : undefined,
  });
}

/** Returns the error if a retry would have to wait longer than the user allows. */
export function rateLimited(
  attempt: CompletedAttempt,
  sent: Sent,
  retryAfterMilliseconds: number | undefined,
  more: { hint?: string; cooldown: boolean },
): ClientError {
  const error = apiError(attempt, sent);
  return new ClientError({
    type: "rate_limit",
    code: error.code,
    message: error.message,
    status: error.status,
    response: attempt,
    details: error.details,
    retryable: true,
    outcome: "none",
    rule: error.rule,
    retryAfterMilliseconds,
    ...more,
  });
}

export function redirected(attempt: CompletedAttempt, sent: Sent): ClientError {
  const location = attempt.headers["location"];
  // A 303 may follow a change. The service sends other redirects before it processes the request.
  const outcome: Outcome = sent.mutation && attempt.status === 303 ? "unknown" : "none";
  return new ClientError({
    type: "api",
    code: "redirected",
    message: `the service${formatOrigin("at", sent)} responded with ${attempt.status}${location === undefined ? "" : `, a redirect to ${location}`}; API keys are not sent to redirect targets`,
    status: attempt.status,
    response: attempt,
    retryable: false,
    outcome,
    hint: "set the base URL to the API's current URL",
  });
}
