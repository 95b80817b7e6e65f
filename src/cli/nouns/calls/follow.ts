import { stopwatch } from "../../../base/clock.js";
import { formatClock } from "../../../base/duration.js";
import { type Fields, getText, isFields } from "../../../base/fields.js";
import { quoteWord } from "../../../base/shell-words.js";
import { listUtterances } from "../../../client/call-content.js";
import { type CallEnds, createCallEnds } from "../../../client/call-status.js";
import { ClientError } from "../../../client/errors.js";
import { readThroughOutage } from "../../../client/outage.js";
import { CliError, exits } from "../../errors/errors.js";
import { parseDuration } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import type { Connection, Session } from "../../session/session.js";
import { formatSuggestedCommand } from "../../session/suggested-command.js";
import { type Painted, styled } from "../../terminal/paint.js";
import { durationText, formatInterruption } from "../../terminal/progress.js";
import { createSpinner } from "../../terminal/spinner.js";
import { showCall } from "./call/show.js";
import { expectStatusFlag, finalStatusFlag, readStatuses } from "./call/status.js";
import { createStoppedClockCheck } from "./call/stopped-clock.js";
import { formatStatus, formatTranscriptLine, getCallStyle } from "./call/text.js";

const defaultTimeout = "10m";
const pauseMilliseconds = 2_000;
const firstPauseMilliseconds = 1_000;

const timeoutFlag: Flag = {
  name: "for",
  value: "duration",
  description: "Maximum time to wait",
  default: defaultTimeout,
};

/** After this time without a change, an unknown status is possibly final. */
const unchangedMilliseconds = 5 * 60_000;

export const followFlags: readonly Flag[] = [timeoutFlag, finalStatusFlag, expectStatusFlag].map((flag) => ({
  ...flag,
  requires: "wait",
}));

/** @throws usage error (2) */
export function readFollowOptions(input: Input): Omit<FollowOptions, "isPlacedHere"> {
  return {
    timeout: parseDuration(input.text("for") ?? defaultTimeout, "--for"),
    ends: createCallEnds({
      final: readStatuses(input, "final-status"),
      expected: readStatuses(input, "expect-status"),
    }),
  };
}

interface FollowOptions {
  /** Maximum wait in milliseconds. */
  timeout: number;
  ends: CallEnds;
  /** True if this command placed the call, so that running the command again would place a second call. */
  isPlacedHere: boolean;
}

/**
 * Waits until a call ends. On a terminal, prints the transcript as it is spoken. Otherwise, prints the call
 * after it has ended.
 * @throws CliError with exit code 8 on timeout, 11 if the call did not complete, 130 on Ctrl-C, which doesn't
 * end the call
 */
export async function followCall(
  session: Session,
  { client, clock }: Connection,
  id: string,
  { timeout, ends, isPlacedHere }: FollowOptions,
): Promise<void> {
  const asText = session.output.format === "table" && session.flags.fields === undefined;
  const spinner = await createSpinner(session);
  const begun = stopwatch(clock);
  const outage = {
    clock,
    signal: session.signal,
    deadline: begun + timeout,
    onOutage: (error: ClientError) => {
      spinner.end();
      session.notes.note(formatInterruption(error.message, "retrying until the --for time limit"));
    },
  };
  const checkClock = createStoppedClockCheck(clock, (text) => {
    spinner.end();
    session.notes.note(text);
  });
  let pause = firstPauseMilliseconds;
  let shown = 0;
  let call: Fields = {};
  const unchanged = { status: "", since: begun, isReported: false };
  try {
    for (;;) {
      const { data, headers } = await readThroughOutage(
        () => client.call("calls.get", { path: { call_id: id } }, { signal: session.signal }),
        outage,
      );
      call = isFields(data) ? data : {};
      checkClock(headers);
      const waited = stopwatch(clock) - begun;
      const fresh = listUtterances(call).slice(shown);
      if (asText && fresh.length > 0) {
        spinner.end();
        for (const utterance of fresh)
          await session.output.text(formatTranscriptLine(utterance, getCallStyle(session)));
        shown += fresh.length;
      }
      if (ends.isOver(call) || waited >= timeout) break;
      const status = getText(call, "status");
      if (status !== unchanged.status)
        Object.assign(unchanged, { status, since: stopwatch(clock), isReported: false });
      if (!unchanged.isReported && stopwatch(clock) - unchanged.since >= unchangedMilliseconds) {
        spinner.end();
        session.notes.note(
          `the status has been ${quoteStatus(status)} for ${durationText(stopwatch(clock) - unchanged.since)}; ${formatEndingHint(status)}`,
        );
        unchanged.isReported = true;
      }
      spinner.show(`${getText(call, "status").replaceAll("_", " ")} · ${durationText(waited)}`);
      await clock.sleep(Math.min(pause, timeout - waited), session.signal);
      pause = pauseMilliseconds;
    }
  } catch (error) {
    throw toFollowError(error, id, { session, isPlacedHere });
  } finally {
    spinner.end();
  }
  if (!asText) await showCall(session, call);
  else if (ends.isOver(call)) await session.output.text(formatEnd(call, session));
  const waited = Math.min(stopwatch(clock) - begun, timeout);
  assertCallOutcome(call, id, ends, { waited, isPlacedHere, session });
}

function formatEnd(call: Fields, session: Session): Painted {
  const seconds = call["duration_seconds"];
  const length = typeof seconds === "number" && seconds > 0 ? ` after ${formatClock(seconds)}` : "";
  return styled`${formatStatus(getText(call, "status"), getCallStyle(session).paint)}${length}\n`;
}

function toFollowError(
  error: unknown,
  id: string,
  { session, isPlacedHere }: { session: Session; isPlacedHere: boolean },
): unknown {
  const { reason } = session.signal;
  const command = formatSuggestedCommand(session, `calls get ${id} --wait`);
  if (!(reason instanceof CliError)) {
    // The call was placed; only reading it failed.
    return isPlacedHere && error instanceof ClientError
      ? new ClientError({
          ...error,
          message: error.message,
          retryable: false,
          outcome: "done",
          hint: `the call was placed; to follow it, run \`${command}\``,
          cause: error,
        })
      : error;
  }
  const { exit, code, message } = reason;
  return new CliError({
    exit,
    code,
    message: `${message}; the call continues`,
    retryable: !isPlacedHere,
    outcome: "done",
    hint: `to follow the call, run \`${command}\``,
    cause: error,
  });
}

function assertCallOutcome(
  call: Fields,
  id: string,
  ends: CallEnds,
  { waited, isPlacedHere, session }: { waited: number; isPlacedHere: boolean; session: Session },
): void {
  const sent = getText(call, "status");
  const status = sent.replaceAll("_", " ");
  if (!ends.isOver(call)) {
    throw new CliError({
      exit: exits.pending,
      code: "still_pending",
      message: `the call is still ${status || "without a status"} after ${durationText(waited)}`,
      retryable: !isPlacedHere,
      outcome: "done",
      hint: `to continue waiting, run \`${formatSuggestedCommand(session, `calls get ${id} --wait`)}\`; ${formatEndingHint(sent)}`,
    });
  }
  if (ends.isAsExpected(call)) return;
  throw new CliError({
    exit: exits.endedBadly,
    code: "call_not_completed",
    message:
      ends.expected.length > 0
        ? `the call ended with status ${status || "none"}, expected ${ends.expected.join(" or ")}`
        : `the call did not complete: ${status || "no status"}`,
    outcome: "done",
    hint: `see the call: \`${formatSuggestedCommand(session, `calls get ${id}`)}\``,
  });
}

function formatEndingHint(status: string): string {
  return status === ""
    ? "to treat a status as final, use --final-status NAME"
    : `if this status is final, use --final-status ${quoteWord(status)}`;
}

function quoteStatus(status: string): string {
  return status === "" ? "none" : `"${status}"`;
}
