import { type Clock, stopwatch } from "../../../../base/clock.js";
import { ClientError } from "../../../../client/errors.js";
import type { Client } from "../../../../client/types.js";
import { exits } from "../../../errors/errors.js";
import { commandWord } from "../../../errors/shell-words.js";
import { type Fields, isFields, textIn } from "../../../output/fields.js";
import { isPassing, outagePause } from "../../../session/outage.js";
import { createCallEnds, isUnderWay } from "../call/status.js";
import { analysisOf, checkCall } from "./expectations.js";
import type { LateCalls } from "./late-calls.js";
import { failureOf, isHopeless, type PreparedScenario, type ScenarioResult, skipped } from "./results.js";
import type { Scenario } from "./suite.js";
import { cooldownMilliseconds, earliestStart, numberKey } from "./timetable.js";

const pollMilliseconds = 3_000;
/** Analyses that are expected may come a while after the call's end. */
const analysesMilliseconds = 30_000;
/** Refusals of one call by limits, after which waiting was no help. */
const mostRefusals = 3;

export interface SuitePlace {
  client: Client;
  /** The clock that waits: the world's offline. */
  clock: Clock;
  signal: AbortSignal;
  /** Bound on waiting for cooldown and limit. */
  maxWaitMilliseconds: number;
  /** Statuses that end a call at this service, beside the usual ones. */
  finalStatuses: readonly string[];
  /** Told once of each outage that is waited out. */
  onOutage?(error: ClientError): void;
  /** Told of each call that was triggered. */
  placed?(scenario: Scenario, callId: string): Promise<void>;
}

interface Progress {
  done: number;
  running: number;
  /** Until the next call can be made; undefined when none is left or a number is busy. */
  nextMilliseconds: number | undefined;
}

export interface SuiteListener {
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
 * Makes the calls of a suite, each as early as its assistant's cooldown, its number and the limit allow, and follows
 * them to their ends. One request at a time: every clock sees the same order.
 * @param results takes the results as they come, so that an interrupted run has them, too
 * @param late calls of this run, and of those before it, that went on when their time was over
 * @throws the signal's reason
 */
export async function runSuite(
  prepared: readonly PreparedScenario[],
  place: SuitePlace,
  listener: SuiteListener,
  results: ScenarioResult[],
  late: LateCalls,
): Promise<void> {
  const { client, clock, signal } = place;
  const now = () => stopwatch(clock);
  const assistants = new Map<string, number>();
  let limitedUntil = 0;
  let waiting = [...prepared];
  const refusals = new Map<PreparedScenario, number>();
  const running = new Set<Running>();
  let abandoned: string | undefined;
  let outage: { since: number; failures: number; until: number } | undefined;

  /** T14: an outage is waited out, by one request at a time. @returns whether there is time for that */
  const awaitsOutage = (error: unknown, deadline: number): boolean => {
    if (signal.aborted || !isPassing(error) || now() >= deadline) return false;
    if (outage === undefined) place.onOutage?.(error);
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
    one: Running,
    result: ScenarioResult["result"],
    more: Partial<ScenarioResult>,
  ) => {
    running.delete(one);
    await end({
      scenario: one.prepared.scenario,
      result,
      call: one.call,
      checks: [],
      error: undefined,
      milliseconds: now() - one.begun,
      ...more,
    });
  };

  const start = async (one: PreparedScenario) => {
    const { scenario } = one;
    const begun = now();
    try {
      const body = { to: scenario.to, details: scenario.details, ...one.assistant };
      const { data } = await client.call(
        "calls.create",
        { body },
        { signal, maxWaitMilliseconds: 0, maxCooldownMilliseconds: 0 },
      );
      const call = isFields(data) ? data : {};
      const callId = textIn(call, "call_id");
      outage = undefined;
      const placedAt = now();
      assistants.set(assistantKey(one), placedAt + cooldownMilliseconds);
      await place.placed?.(scenario, callId);
      const pollAt = placedAt + pollMilliseconds;
      running.add({ prepared: one, callId, begun, pollAt, call, overAt: undefined });
    } catch (error) {
      if (signal.aborted) {
        // The request was under way: whether a call was made is unknown.
        if (error instanceof ClientError && error.outcome === "unknown")
          results.push({
            scenario,
            result: "error",
            call: undefined,
            checks: [],
            error: {
              message: "the run ended before it was known whether the call was made",
              exit: exits.unknown,
            },
            milliseconds: 0,
          });
        throw error;
      }
      const wait = error instanceof ClientError && error.kind === "rate_limit" ? error : undefined;
      const count = (refusals.get(one) ?? 0) + 1;
      refusals.set(one, count);
      const milliseconds = wait?.retryAfterMilliseconds ?? cooldownMilliseconds;
      if (wait && count < mostRefusals && milliseconds <= place.maxWaitMilliseconds) {
        const until = now() + milliseconds;
        if (wait.cooldown) assistants.set(assistantKey(one), until);
        else limitedUntil = until;
        waiting = [one, ...waiting];
        return;
      }
      const timeout = Math.min(scenario.timeoutMilliseconds, place.maxWaitMilliseconds);
      if (!wait && awaitsOutage(error, (outage?.since ?? begun) + timeout)) {
        waiting = [one, ...waiting];
        return;
      }
      const failure = failureOf(error, signal);
      if (isHopeless(failure.exit)) abandoned = failure.message;
      await end({ scenario, result: "error", call: undefined, checks: [], error: failure, milliseconds: 0 });
    }
  };

  const poll = async (one: Running) => {
    const { scenario } = one.prepared;
    try {
      const { data } = await client.call("calls.get", { path: { call_id: one.callId } }, { signal });
      one.call = isFields(data) ? data : {};
      outage = undefined;
    } catch (error) {
      if (signal.aborted) throw error;
      if (awaitsOutage(error, one.begun + scenario.timeoutMilliseconds)) return;
      await endRunning(one, "error", { error: failureOf(error, signal) });
      return;
    }
    const readAt = now();
    one.pollAt = readAt + pollMilliseconds;
    const isLate = readAt - one.begun >= scenario.timeoutMilliseconds;
    const ends = createCallEnds({ final: place.finalStatuses, expected: scenario.expect.status ?? [] });
    if (ends.isOver(one.call)) {
      one.overAt ??= readAt;
      const lacks = Object.keys(scenario.expect.analyses ?? {}).some(
        (name) => analysisOf(one.call, name) === undefined,
      );
      if (lacks && !isLate && readAt - one.overAt < analysesMilliseconds) return;
    } else if (!isLate) return;
    const checks = checkCall(one.call, scenario.expect, ends);
    if (!ends.isOver(one.call)) {
      const status = textIn(one.call, "status");
      // T11: what is not known to end a call is never taken for its end.
      const advice = isUnderWay(status)
        ? ""
        : `; if that is an end, --final-status ${commandWord(status || "NAME")} says so`;
      const actual = `still ${status || "without a status"} after ${scenario.timeoutMilliseconds / 1_000} s${advice}`;
      checks.splice(0, 1, { field: "status", expected: checks[0]?.expected ?? "", met: false, actual });
      late.add({ callId: one.callId, status, scenario });
    }
    await endRunning(one, checks.every(({ met }) => met) ? "passed" : "failed", { checks });
  };

  try {
    for (;;) {
      const timetable = () => ({
        assistants,
        limitedUntil,
        numbers: new Set([...[...running].map((one) => numberOf(one.prepared)), ...late.numbers()]),
      });
      const startOf = (one: PreparedScenario) =>
        earliestStart({ assistant: assistantKey(one), to: one.scenario.to }, timetable());
      const isOut = () => outage !== undefined && now() < outage.until;
      for (const one of [...running]) if (!isOut() && one.pollAt <= now()) await poll(one);
      if (abandoned !== undefined) {
        for (const { scenario } of waiting) await end(skipped(scenario));
        waiting = [];
      }
      const wanted = new Set(waiting.map(numberOf));
      if (!isOut()) await late.look(wanted);
      const next = isOut() ? undefined : waiting.find((one) => startOf(one) <= now());
      if (next) {
        waiting = waiting.filter((one) => one !== next);
        await start(next);
        continue;
      }
      if (waiting.length === 0 && running.size === 0) return;
      const nextStart = Math.max(Math.min(...waiting.map(startOf)), outage?.until ?? 0);
      listener.progress({
        done: results.length,
        running: running.size,
        nextMilliseconds: Number.isFinite(nextStart) ? nextStart - now() : undefined,
      });
      const reads = [...[...running].map(({ pollAt }) => pollAt), late.nextLook(wanted)];
      const nextRead = Math.max(Math.min(...reads), outage?.until ?? 0);
      await clock.sleep(Math.max(1, Math.min(nextStart, nextRead) - now()), signal);
    }
  } catch (error) {
    for (const one of running) {
      const message = "the run ended before the call did; the call goes on";
      results.push({
        scenario: one.prepared.scenario,
        result: "error",
        call: { ...one.call, id: one.callId },
        checks: [],
        error: { message, exit: exits.interrupted },
        milliseconds: now() - one.begun,
      });
    }
    const ended = new Set(results.map(({ scenario }) => scenario));
    for (const { scenario } of prepared) if (!ended.has(scenario)) results.push(skipped(scenario));
    throw error;
  }
}

function numberOf({ scenario }: PreparedScenario): string {
  return numberKey(scenario.to);
}

function assistantKey({ assistant }: PreparedScenario): string {
  return "assistant_id" in assistant ? assistant.assistant_id : assistant.assistant_phone;
}
