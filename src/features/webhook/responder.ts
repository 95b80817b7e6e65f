import type { Clock } from "../../base/clock.js";
import { stopwatch } from "../../base/clock.js";
import { messageOf } from "../../base/error-code.js";
import { checkRequest, type Expected, findRefusal } from "./checks.js";
import type { Check, Exchange, Received, WebhookResponse } from "./exchange.js";
import { type Failure, type Fault, formatFault, selectFault } from "./failures.js";
import { filterForwardedHeaders, sendRawRequest } from "./raw-request.js";
import type { Handle } from "./receiver.js";
import { findResponseRule, type ResponseRules, renderResponse } from "./response-rules.js";
import { createSubject } from "./template.js";
import { findResponseWarnings } from "./warnings.js";

export interface ResponseOptions {
  expected: Expected;
  failures: readonly Failure[];
  forward: URL | undefined;
  /** Reloads the rules if their file has changed. */
  rules(): Promise<ResponseRules | undefined>;
  /** Response if no response rule matches and the rules have no default. */
  defaultResponse: WebhookResponse;
  delayMilliseconds: number;
  readFile(file: string): Promise<string>;
}

interface ResponderContext {
  clock: Clock;
  uuid: () => string;
  /** Returns a random number from 0 to 1. */
  draw: () => number;
  firstNumber: number;
  /** Called after the response. */
  onExchange(exchange: Exchange): void;
}

interface Decision {
  response: WebhookResponse | undefined;
  from: string;
  warnings?: readonly string[];
}

export function createResponder(options: ResponseOptions, context: ResponderContext): Handle {
  let count = 0;
  return async (request, signal) => {
    count += 1;
    const sequence = count;
    const began = stopwatch(context.clock);
    const checks = checkRequest(request, options.expected);
    const {
      response,
      from,
      warnings = [],
    } = await decide(request, checks, signal, {
      ...options,
      ...context,
      sequence,
    });
    const milliseconds = Math.round(stopwatch(context.clock) - began);
    const exchange: Exchange = {
      number: context.firstNumber + sequence - 1,
      request,
      checks,
      response,
      from,
      warnings: response ? [...warnings, ...findResponseWarnings(response, milliseconds)] : warnings,
      milliseconds,
    };
    return { response, onSent: () => context.onExchange(exchange) };
  };
}

type DecisionContext = ResponseOptions & ResponderContext & { sequence: number };

async function decide(
  request: Received,
  checks: readonly Check[],
  signal: AbortSignal,
  deciding: DecisionContext,
): Promise<Decision> {
  const refusal = findRefusal(checks);
  if (refusal !== undefined)
    return { response: createPlainResponse(refusal, formatReason(checks)), from: "refused" };
  const fault = selectFault(deciding.failures, deciding.sequence, deciding.draw);
  if (fault?.type === "slow") await deciding.clock.sleep(fault.milliseconds, signal).catch(() => {});
  else if (fault)
    return { response: await respondWithFault(fault, signal), from: `fail: ${formatFault(fault)}` };
  if (deciding.delayMilliseconds > 0)
    await deciding.clock.sleep(deciding.delayMilliseconds, signal).catch(() => {});
  if (deciding.forward) return forwardRequest(request, deciding.forward, signal);
  return applyResponseRules(request, signal, deciding);
}

function formatReason(checks: readonly Check[]): string {
  const failing = checks.find(({ ok }) => !ok);
  return failing ? `${failing.name}: ${failing.result}` : "refused";
}

/** Returns undefined to close the connection without a response. */
async function respondWithFault(
  fault: Exclude<Fault, { type: "slow" }>,
  signal: AbortSignal,
): Promise<WebhookResponse | undefined> {
  if (fault.type === "status") return createPlainResponse(fault.status, "failed on purpose");
  if (fault.type === "garbage")
    return {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: Buffer.from([0x7b, 0x00, 0xff, 0xfe, 0x22]),
    };
  if (fault.type === "timeout" && !signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return undefined;
}

async function forwardRequest(request: Received, target: URL, signal: AbortSignal): Promise<Decision> {
  try {
    const { method, headers, body } = request;
    // Append the request's path to the path of the target URL.
    const path = `${target.pathname.replace(/\/$/, "")}${request.path === "/" && target.pathname !== "/" ? "" : request.path}`;
    const response = await sendRawRequest(
      target,
      { method, path, headers: filterForwardedHeaders(headers), body },
      signal,
    );
    return { response, from: "forwarded" };
  } catch (error) {
    const why = error instanceof Error ? error.message || String(Reflect.get(error, "code")) : String(error);
    return {
      response: createPlainResponse(502, `the receiver at ${target.host} did not respond`),
      from: "forwarded",
      warnings: [`${target.host} did not respond: ${why}`],
    };
  }
}

async function applyResponseRules(
  request: Received,
  signal: AbortSignal,
  deciding: DecisionContext,
): Promise<Decision> {
  const rules = await deciding.rules();
  const subject = createSubject(request, deciding);
  const warnings: string[] = [];
  const unknown = (name: string) => void warnings.push(`{{${name}}} has no value in this request`);
  let from = "rules";
  try {
    const met = rules && findResponseRule(rules, subject);
    const given = met?.response ?? rules?.defaultResponse;
    from = met ? `rule ${met.number}` : "default";
    if (given === undefined) return { response: deciding.defaultResponse, from };
    if (given.delayMilliseconds > 0)
      await deciding.clock.sleep(given.delayMilliseconds, signal).catch(() => {});
    const response = await renderResponse(given, subject, { readFile: deciding.readFile, unknown });
    return { response, from, warnings };
  } catch (error) {
    const why = messageOf(error);
    return {
      response: createPlainResponse(500, "the response can't be created"),
      from,
      warnings: [`${from}: ${why}`],
    };
  }
}

function createPlainResponse(status: number, text: string): WebhookResponse {
  const headers: [string, string][] = [["content-type", "text/plain; charset=utf-8"]];
  if (status === 401) headers.push(["www-authenticate", "Bearer"]);
  return { status, headers, body: Buffer.from(`${text}\n`) };
}
