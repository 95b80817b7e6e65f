import type { Clock } from "../../../base/clock.js";
import { stopwatch } from "../../../base/clock.js";
import { checkRequest, type Expected, refusalOf } from "./checks.js";
import type { Answer, Check, Exchange, Received } from "./exchange.js";
import { type Failure, type Fault, faultFor, faultName } from "./failures.js";
import { passedOn, rawRequest } from "./raw-request.js";
import { answerOf, type Rules, ruleFor } from "./rules.js";
import { subjectOf } from "./template.js";
import { warningsOf } from "./warnings.js";

/** The rules of a receiver for requests. */
export interface Answering {
  expected: Expected;
  failures: readonly Failure[];
  /** Passes each request on, and its answer back. */
  forward: URL | undefined;
  /** As they are now: their file may change. */
  rules(): Promise<Rules | undefined>;
  /** Where neither a rule nor a default of theirs says otherwise. */
  usual: Answer;
  delayMilliseconds: number;
  readFile(file: string): Promise<string>;
}

interface Surroundings {
  clock: Clock;
  uuid: () => string;
  /** From 0 to 1. */
  draw: () => number;
  /** The number of the first exchange. */
  firstNumber: number;
  onExchange(exchange: Exchange): Promise<void>;
}

interface Decided {
  answer: Answer | undefined;
  from: string;
  warnings?: readonly string[];
}

/** Answers requests one after the other as they come, each judged and told of. */
export function createAnswering(answering: Answering, surroundings: Surroundings) {
  let count = 0;
  return async (request: Received, signal: AbortSignal): Promise<Answer | undefined> => {
    count += 1;
    const sequence = count;
    const began = stopwatch(surroundings.clock);
    const checks = checkRequest(request, answering.expected);
    const {
      answer,
      from,
      warnings = [],
    } = await decide(request, checks, signal, {
      ...answering,
      ...surroundings,
      sequence,
    });
    const milliseconds = Math.round(stopwatch(surroundings.clock) - began);
    await surroundings.onExchange({
      number: surroundings.firstNumber + sequence - 1,
      request,
      checks,
      answer,
      from,
      warnings: answer ? [...warnings, ...warningsOf(answer, milliseconds)] : warnings,
      milliseconds,
    });
    return answer;
  };
}

type Deciding = Answering & Surroundings & { sequence: number };

async function decide(
  request: Received,
  checks: readonly Check[],
  signal: AbortSignal,
  deciding: Deciding,
): Promise<Decided> {
  const refusal = refusalOf(checks);
  if (refusal !== undefined) return { answer: plain(refusal, reasonOf(checks)), from: "refused" };
  const fault = faultFor(deciding.failures, deciding.sequence, deciding.draw);
  if (fault?.kind === "slow") await deciding.clock.sleep(fault.milliseconds, signal).catch(() => {});
  else if (fault) return { answer: await failed(fault, signal), from: `fail: ${faultName(fault)}` };
  if (deciding.delayMilliseconds > 0)
    await deciding.clock.sleep(deciding.delayMilliseconds, signal).catch(() => {});
  if (deciding.forward) return forwarded(request, deciding.forward, signal);
  return ruled(request, signal, deciding);
}

function reasonOf(checks: readonly Check[]): string {
  const failing = checks.find(({ ok }) => !ok);
  return failing ? `${failing.name}: ${failing.found}` : "refused";
}

/** Undefined where the connection is ended without an answer. */
async function failed(
  fault: Exclude<Fault, { kind: "slow" }>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (fault.kind === "status") return plain(fault.status, "failed on purpose");
  if (fault.kind === "garbage")
    return {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: Buffer.from([0x7b, 0x00, 0xff, 0xfe, 0x22]),
    };
  if (fault.kind === "timeout" && !signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return undefined;
}

async function forwarded(request: Received, target: URL, signal: AbortSignal): Promise<Decided> {
  try {
    const { method, headers, body } = request;
    // The target's own path stands before the request's, and its query is the request's.
    const path = `${target.pathname.replace(/\/$/, "")}${request.path === "/" && target.pathname !== "/" ? "" : request.path}`;
    const answer = await rawRequest(target, { method, path, headers: passedOn(headers), body }, signal);
    return { answer, from: "forwarded" };
  } catch (error) {
    const why = error instanceof Error ? error.message || String(Reflect.get(error, "code")) : String(error);
    return {
      answer: plain(502, `the receiver at ${target.host} did not answer`),
      from: "forwarded",
      warnings: [`${target.host} did not answer: ${why}`],
    };
  }
}

async function ruled(request: Received, signal: AbortSignal, deciding: Deciding): Promise<Decided> {
  const rules = await deciding.rules();
  const subject = subjectOf(request, deciding);
  const met = rules && ruleFor(rules, subject);
  const given = met?.answer ?? rules?.otherwise;
  if (given === undefined) return { answer: deciding.usual, from: "default" };
  const from = met ? `rule ${met.number}` : "default";
  const warnings: string[] = [];
  const unknown = (name: string) => void warnings.push(`{{${name}}} stands for nothing in this request`);
  if (given.delayMilliseconds > 0)
    await deciding.clock.sleep(given.delayMilliseconds, signal).catch(() => {});
  try {
    const answer = await answerOf(given, subject, { readFile: deciding.readFile, unknown });
    return { answer, from, warnings };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { answer: plain(500, "the answer can't be made"), from, warnings: [`${from}: ${why}`] };
  }
}

function plain(status: number, text: string): Answer {
  const headers: [string, string][] = [["content-type", "text/plain; charset=utf-8"]];
  if (status === 401) headers.push(["www-authenticate", "Bearer"]);
  return { status, headers, body: Buffer.from(`${text}\n`) };
}
