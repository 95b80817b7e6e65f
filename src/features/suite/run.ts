import { type Clock, stopwatch } from "../../base/clock.js";
import { type Fields, getText, isFields } from "../../base/fields.js";
import type { Random } from "../../base/random.js";
import { quoteWord } from "../../base/shell-words.js";
import { createCallEnds, isUnderWay } from "../../client/call-status.js";
import { ClientError } from "../../client/errors.js";
import { isPassing, outagePause } from "../../client/outage.js";
import type { Client } from "../../client/types.js";
import { checkCall, lacksExpected } from "./expectations.js";
import type { LateCalls } from "./late-calls.js";
import { planRefusalWait, type Refusals } from "./refusals.js";
import {
  type CallFailure,
  createSkippedResult,
  type PreparedScenario,
  type ScenarioResult,
} from "./results.js";
import type { Scenario } from "./suite.js";
import { cooldownMilliseconds, earliestStart, numberKey } from "./timetable.js";

const pollMilliseconds = 3_000;
/** How long to wait for a transcript and for expected analyses after the end of a call. */
const contentsMilliseconds = 30_000;

export interface SuiteTarget {
  client: Client;
  /** Clock of the service or, with --offline, of the emulator. */
  clock: Clock;
  signal: AbortSignal;
  random: Pick<Random, "next">;
  /** How long one call may wait for cooldowns and rate limits, in milliseconds. */
  maxWaitMilliseconds: number;
  /** Statuses that end a call, in addition to the known final statuses. */
  finalStatuses: readonly string[];
  toFailure(error: unknown): CallFailure;
  onOutage?(error: ClientError): void;
  onPlaced?(scenario: Scenario, callId: string): Promise<void>;
}

interface Progress {
  done: number;
  running: number;
  /** Time until the next call; undefined if no call remains or all remaining numbers are busy. */
  nextMilliseconds: number | undefined;
}

export interface SuiteListener {
  placed(call: Fields): void;
  /** Called with the headers of each response that describes a call. */
  polled(headers: Readonly<Record<string, string>>): void;
  /** Called if the service refused a call that will be tried again. */
  refused(scenario: Scenario, error: ClientError, milliseconds: number): void;
  ended(result: ScenarioResult): Promise<void>;
  progress(progress: Progress): void;
}

interface Running {
  prepared: PreparedScenario;
  callId: string;
  begun: number;
  pollAt: number;
  call: Fields;
  overAt: number | undefined;
}

/**
 * Places the calls of a suite as early as cooldowns, busy numbers and rate limits allow, and follows them to
 * the end. Sends one request at a time, so that the order doesn't depend on the clock.
 * @param results receives each result immediately, so that an interrupted run keeps it
 * @param late earlier calls that continue after their timeout
 * @throws the signal's reason
 */
export async function runSuite(
  prepared: readonly PreparedScenario[],
  target: SuiteTarget,
  listener: SuiteListener,
  results: ScenarioResult[],
  late: LateCalls,
): Promise<void> {
  const { client, clock, signal } = target;
  const now = () => stopwatch(clock);
  const assistants = new Map<string, number>();
  let limitedUntil = 0;
  let waiting = [...prepared];
  const refusals = new Map<PreparedScenario, Refusals>();
  const running = new Set<Running>();
  let abandoned: string | undefined;
  let outage: { since: number; failures: number; until: number } | undefined;

  /** Returns whether an error is temporary and the deadline allows a wait. If so, starts the wait. */
  const awaitsOutage = (error: unknown, deadline: number): boolean => {
    if (signal.aborted || !isPassing(error) || now() >= deadline) return false;
    if (outage === undefined) target.onOutage?.(error);
    const failures = (outage?.failures ?? 0) + 1;
    const until = Math.min(now() + outagePause(failures), deadline);
    outage = { since: outage?.since ?? now(), failures, until };
    return true;
  };

  const end = async (result: ScenarioResult) => {
    results.push(result);
    await listener.ended(result);
  };
  const endRunning = async (
    runningCall: Running,
    result: ScenarioResult["result"],
    more: Partial<ScenarioResult>,
  ) => {
    running.delete(runningCall);
    await end({
      scenario: runningCall.prepared.scenario,
      result,
      call: runningCall.call,
      checks: [],
      error: undefined,
      milliseconds: now() - runningCall.begun,
      ...more,
    });
  };

  const start = async (candidate: PreparedScenario) => {
    const { scenario } = candidate;
    const begun = now();
    try {
      const body = { to: scenario.to, details: scenario.details, ...candidate.assistant };
      const { data } = await client.call(
        "calls.create",
        { body },
        { signal, maxWaitMilliseconds: 0, maxCooldownMilliseconds: 0 },
      );
      const call = isFields(data) ? data : {};
      const callId = getText(call, "call_id");
      outage = undefined;
      const startedAt = now();
      assistants.set(getAssistantKey(candidate), startedAt + cooldownMilliseconds);
      listener.placed(call);
      await target.onPlaced?.(scenario, callId);
      const pollAt = startedAt + pollMilliseconds;
      running.add({ prepared: candidate, callId, begun, pollAt, call, overAt: undefined });
    } catch (error) {
      if (signal.aborted) {
        // The service may have received the aborted request.
        if (error instanceof ClientError && error.outcome === "unknown")
          results.push({
            scenario,
            result: "error",
            call: undefined,
            checks: [],
            error: {
              message: "the run ended before the service responded; the call may have been placed",
              type: "unconfirmed",
            },
            milliseconds: 0,
          });
        throw error;
      }
      const refusal = error instanceof ClientError && error.type === "rate_limit" ? error : undefined;
      const maximum = target.maxWaitMilliseconds;
      const draw = () => target.random.next();
      const planned =
        refusal && planRefusalWait(refusal, refusals.get(candidate), { now: now(), maximum, draw });
      if (refusal && planned) {
        refusals.set(candidate, planned.refusals);
        const until = now() + planned.milliseconds;
        if (refusal.cooldown) assistants.set(getAssistantKey(candidate), until);
        else limitedUntil = until;
        listener.refused(scenario, refusal, planned.milliseconds);
        waiting = [candidate, ...waiting];
        return;
      }
      const timeout = Math.min(scenario.timeoutMilliseconds, target.maxWaitMilliseconds);
      if (!refusal && awaitsOutage(error, (outage?.since ?? begun) + timeout)) {
        waiting = [candidate, ...waiting];
        return;
      }
      const failure = target.toFailure(error);
      if (failure.type === "general") abandoned = failure.message;
      await end({ scenario, result: "error", call: undefined, checks: [], error: failure, milliseconds: 0 });
    }
  };

  const poll = async (runningCall: Running) => {
    const { scenario } = runningCall.prepared;
    try {
      const path = { call_id: runningCall.callId };
      const { data, headers } = await client.call("calls.get", { path }, { signal });
      runningCall.call = isFields(data) ? data : {};
      listener.polled(headers);
      outage = undefined;
    } catch (error) {
      if (signal.aborted) throw error;
      if (awaitsOutage(error, runningCall.begun + scenario.timeoutMilliseconds)) return;
      await endRunning(runningCall, "error", { error: target.toFailure(error) });
      return;
    }
    const readAt = now();
    runningCall.pollAt = readAt + pollMilliseconds;
    const isLate = readAt - runningCall.begun >= scenario.timeoutMilliseconds;
    const ends = createCallEnds({ final: target.finalStatuses, expected: scenario.expect.status ?? [] });
    if (ends.isOver(runningCall.call)) {
      runningCall.overAt ??= readAt;
      const lacks = lacksExpected(runningCall.call, scenario);
      if (lacks && !isLate && readAt - runningCall.overAt < contentsMilliseconds) return;
    } else if (!isLate) return;
    const checks = checkCall(runningCall.call, scenario.expect, ends);
    if (!ends.isOver(runningCall.call)) {
      const status = getText(runningCall.call, "status");
      // An unknown status never ends a call, so suggest the flag that makes the status final.
      const advice = isUnderWay(status)
        ? ""
        : `; if this status is final, use --final-status ${quoteWord(status || "NAME")}`;
      const actual = `still ${status || "without a status"} after ${scenario.timeoutMilliseconds / 1_000} s${advice}`;
      checks.splice(0, 1, { field: "status", expected: checks[0]?.expected ?? "", met: false, actual });
      for (const check of checks)
        if (check.field === "duration") check.actual = "unknown: the call has not ended";
      late.add({ callId: runningCall.callId, status, scenario });
    }
    await endRunning(runningCall, checks.every(({ met }) => met) ? "passed" : "failed", { checks });
  };

  try {
    for (;;) {
      const timetable = () => ({
        assistants,
        limitedUntil,
        numbers: new Set([
          ...[...running].map((runningCall) => getNumberKey(runningCall.prepared)),
          ...late.numbers(),
        ]),
      });
      const getEarliestStart = (candidate: PreparedScenario) =>
        earliestStart({ assistant: getAssistantKey(candidate), to: candidate.scenario.to }, timetable());
      const isOutage = () => outage !== undefined && now() < outage.until;
      for (const entry of [...running]) if (!isOutage() && entry.pollAt <= now()) await poll(entry);
      if (abandoned !== undefined) {
        const reason = `not called because of an earlier error: ${abandoned}`;
        for (const { scenario } of waiting) await end(createSkippedResult(scenario, reason));
        waiting = [];
      }
      const waitingNumbers = new Set(waiting.map(getNumberKey));
      if (!isOutage()) await late.refresh(waitingNumbers);
      const next = isOutage() ? undefined : waiting.find((candidate) => getEarliestStart(candidate) <= now());
      if (next) {
        waiting = waiting.filter((entry) => entry !== next);
        await start(next);
        continue;
      }
      if (waiting.length === 0 && running.size === 0) return;
      const nextStart = Math.max(Math.min(...waiting.map(getEarliestStart)), outage?.until ?? 0);
      listener.progress({
        done: results.length,
        running: running.size,
        nextMilliseconds: Number.isFinite(nextStart) ? nextStart - now() : undefined,
      });
      const reads = [...[...running].map(({ pollAt }) => pollAt), late.getNextRefresh(waitingNumbers)];
      const nextRead = Math.max(Math.min(...reads), outage?.until ?? 0);
      await clock.sleep(Math.max(1, Math.min(nextStart, nextRead) - now()), signal);
    }
  } catch (error) {
    for (const entry of running) {
      const message = "the run ended, but the call continues";
      results.push({
        scenario: entry.prepared.scenario,
        result: "error",
        call: { ...entry.call, id: entry.callId },
        checks: [],
        error: { message, type: "running" },
        milliseconds: now() - entry.begun,
      });
    }
    const ended = new Set(results.map(({ scenario }) => scenario));
    for (const { scenario } of prepared)
      if (!ended.has(scenario))
        results.push(createSkippedResult(scenario, "the run ended before this scenario"));
    throw error;
  }
}

function getNumberKey({ scenario }: PreparedScenario): string {
  return numberKey(scenario.to);
}

function getAssistantKey({ assistant }: PreparedScenario): string {
  return "assistant_id" in assistant ? assistant.assistant_id : assistant.assistant_phone;
}
