import { isDeepStrictEqual } from "node:util";
import { abortAfter } from "../../base/abort.js";
import { type Clock, stopwatch } from "../../base/clock.js";
import { parseJsonSafely } from "../../base/json.js";
import { type Auth, createAuthHeader } from "./checks.js";
import type { Contract, StandardCase } from "./contract-file.js";
import type { Header, WebhookResponse } from "./exchange.js";
import { sendRawRequest } from "./raw-request.js";

export interface CaseResult {
  name: string;
  line?: number;
  problems: readonly string[];
  milliseconds: number;
  answer: string;
  /** True if the case can't be tested with this receiver. */
  skipped?: boolean;
}

/** Thrown if the receiver can't be reached or closed the connection without a response. */
export class NoResponseError extends Error {
  override readonly name = "NoResponseError";
}

interface ContractRun {
  contract: Contract;
  url: URL;
  auth: Auth;
  body: () => Readonly<Record<string, unknown>>;
  clock: Clock;
  signal: AbortSignal;
  /** Removes whole secrets, not parts of secrets, so call this function before the text is shortened. */
  mask: (text: string) => string;
}

/** @throws NoResponseError if the first case gets no response */
export async function* runContract(running: ContractRun): AsyncGenerator<CaseResult, void> {
  let isReachable = false;
  const cases = [
    ...running.contract.cases.map((contractCase) => ({
      name: contractCase.name,
      line: contractCase.line,
      run: () => runOwnCase(running, contractCase),
    })),
    ...running.contract.standard.map((name) => ({ name, run: () => runStandardCase(running, name) })),
  ];
  for (const { run, ...named } of cases) {
    const began = stopwatch(running.clock);
    const done = (judged: Judged): CaseResult => ({
      ...named,
      ...judged,
      milliseconds: Math.round(stopwatch(running.clock) - began),
    });
    try {
      const judged = await run();
      isReachable = true;
      yield done(judged);
    } catch (error) {
      if (!(error instanceof NoResponseError) || !isReachable) throw error;
      yield done({ problems: [error.message], answer: "" });
    }
  }
}

type Judged = Pick<CaseResult, "problems" | "answer" | "skipped">;

interface Timed extends WebhookResponse {
  milliseconds: number;
}

async function sendRequest(
  { url, auth, contract, clock, signal }: ContractRun,
  body: Buffer,
  headers: readonly Header[] | undefined = undefined,
): Promise<Timed> {
  const credentials = createAuthHeader(auth);
  const began = stopwatch(clock);
  const within = abortAfter(Math.max(5_000, 2 * contract.timeMilliseconds));
  const message = {
    method: "POST",
    path: url.pathname + url.search,
    headers: [
      ["Content-Type", "application/json"],
      ["User-Agent", "voxctl-webhook-test"],
      ...(headers ?? (credentials ? [credentials] : [])),
    ] satisfies Header[],
    body,
  };
  try {
    const response = await sendRawRequest(url, message, AbortSignal.any([signal, within]));
    return { ...response, milliseconds: Math.round(stopwatch(clock) - began) };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const why = within.aborted
      ? "no response in time"
      : cause instanceof Error
        ? cause.message || "no response"
        : String(cause);
    throw new NoResponseError(`${url.host}: ${why}`, { cause });
  }
}

const toBytes = (body: unknown) => Buffer.from(JSON.stringify(body));

function runOwnCase(running: ContractRun, { request, expect }: Contract["cases"][number]): Promise<Judged> {
  return sendRequest(running, toBytes({ ...running.body(), ...request })).then((answer) => {
    const problems = findLimitProblems(running, answer);
    const text = answer.body.toString("utf8");
    const shown = shorten(running.mask(text));
    const json = parseJsonSafely(text);
    if (expect?.status !== undefined ? answer.status !== expect.status : !isSuccess(answer))
      problems.push(`status ${answer.status}, expected ${expect?.status ?? "2xx"}`);
    if (expect?.json !== undefined && !isDeepStrictEqual(json, expect.json))
      problems.push(`body ${shown}, expected ${shorten(JSON.stringify(expect.json))}`);
    if (expect?.text !== undefined && text !== expect.text)
      problems.push(`body ${shown}, expected ${shorten(expect.text)}`);
    if (isSuccess(answer)) problems.push(...findSchemaProblems(running, json));
    return { problems, answer: formatSummary(answer) };
  });
}

function findSchemaProblems({ contract: { response } }: ContractRun, json: unknown): string[] {
  if (response === undefined) return [];
  if (json === undefined) return ["the body is not JSON, but response.schema requires it"];
  const parsed = response.safeParse(json);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `response ${path.join(".") || "body"}: ${message}`);
}

function findLimitProblems(
  { contract: { timeMilliseconds, bytes } }: ContractRun,
  response: Timed,
): string[] {
  return [
    ...(response.milliseconds > timeMilliseconds
      ? [`took ${response.milliseconds} ms, limit ${timeMilliseconds} ms`]
      : []),
    ...(response.body.length > bytes ? [`${response.body.length} bytes, limit ${bytes} bytes`] : []),
  ];
}

async function runStandardCase(running: ContractRun, name: StandardCase): Promise<Judged> {
  const body = running.body();
  switch (name) {
    case "no_auth":
      return judgeRefusal(await sendRequest(running, toBytes(body), []), running.auth);
    case "wrong_auth":
      return judgeRefusal(
        await sendRequest(running, toBytes(body), createWrongHeaders(running.auth)),
        running.auth,
      );
    case "malformed_body": {
      const answer = await sendRequest(running, Buffer.from('{"call_id":'));
      const ok = answer.status >= 400 && answer.status < 500;
      return { problems: ok ? [] : [`status ${answer.status}, expected 4xx`], answer: formatSummary(answer) };
    }
    case "unknown_fields": {
      const plain = await sendRequest(running, toBytes(body));
      const more = await sendRequest(running, toBytes({ ...body, voxctl_unknown: { nested: [1] } }));
      return judgeSame(plain, more, "with unknown fields");
    }
    case "repeated":
      return judgeSame(
        await sendRequest(running, toBytes(body)),
        await sendRequest(running, toBytes(body)),
        "the second time",
      );
    case "concurrent_20": {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => sendRequest(running, toBytes(running.body()))),
      );
      const problems = responses.flatMap((response) => [
        ...findLimitProblems(running, response),
        ...(isSuccess(response) ? [] : [`status ${response.status}, expected 2xx`]),
      ]);
      return {
        problems: [...new Set(problems)],
        answer: `${responses.filter(isSuccess).length} of 20 with status 2xx`,
      };
    }
    case "slow_client":
      return runSlowClient(running, toBytes(body));
  }
}

function judgeRefusal(answer: Timed, auth: Auth): Judged {
  if (auth.type === "none")
    return { problems: [], answer: "the receiver requires no authentication", skipped: true };
  const ok = answer.status === 401 || answer.status === 403;
  return {
    problems: ok ? [] : [`status ${answer.status}, expected 401 or 403`],
    answer: formatSummary(answer),
  };
}

function createWrongHeaders(auth: Auth): Header[] {
  const wrong =
    auth.type === "none" ? undefined : createAuthHeader({ ...auth, secret: `${auth.secret}-wrong` });
  return wrong ? [wrong] : [];
}

function judgeSame(first: Timed, second: Timed, when: string): Judged {
  const problems = [
    ...(first.status === second.status
      ? []
      : [`status ${second.status} ${when}, but ${first.status} before`]),
    ...(first.body.equals(second.body) ? [] : [`different body ${when}`]),
  ];
  return { problems, answer: formatSummary(second) };
}

/** The receiver must either wait for all parts or refuse the request. */
async function runSlowClient(running: ContractRun, body: Buffer): Promise<Judged> {
  const { request } =
    running.url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const credentials = createAuthHeader(running.auth);
  const status = await new Promise<number>((resolve, reject) => {
    const message = request(running.url, {
      method: "POST",
      agent: false,
      signal: AbortSignal.any([running.signal, AbortSignal.timeout(15_000)]),
      headers: [
        ...[
          "Host",
          running.url.host,
          "Content-Type",
          "application/json",
          "Content-Length",
          String(body.length),
        ],
        ...(credentials ?? []),
      ],
    });
    message.on("error", (error) => reject(new NoResponseError(`${running.url.host}: ${error.message}`)));
    message.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    void trickle(message, body, running);
  });
  return { problems: status >= 500 ? [`status ${status}, expected no 5xx`] : [], answer: `status ${status}` };
}

async function trickle(
  message: { write(chunk: Buffer): boolean; end(): void; destroyed: boolean },
  body: Buffer,
  { clock, signal }: ContractRun,
): Promise<void> {
  const size = Math.ceil(body.length / 8);
  for (let start = 0; start < body.length && !message.destroyed; start += size) {
    message.write(body.subarray(start, start + size));
    await clock.sleep(100, signal).catch(() => {});
  }
  message.end();
}

const isSuccess = ({ status }: WebhookResponse) => status >= 200 && status < 300;
const shorten = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text || "empty");
const formatSummary = ({ status, body, milliseconds }: Timed) =>
  `status ${status}, ${body.length} bytes, ${milliseconds} ms`;
