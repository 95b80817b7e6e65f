import { isDeepStrictEqual } from "node:util";
import { type Clock, stopwatch } from "../../../base/clock.js";
import { jsonOf } from "../../../base/json.js";
import { type Auth, authHeader } from "./checks.js";
import type { Contract, StandardCase } from "./contract-file.js";
import type { Answer, Header } from "./exchange.js";
import { rawRequest } from "./raw-request.js";

/** The result of one case. */
export interface CaseResult {
  name: string;
  line?: number;
  /** Why it failed; empty where it passed. */
  problems: readonly string[];
  milliseconds: number;
  answer: string;
  /** There was nothing to try. */
  skipped?: boolean;
}

/** No answer at all: the receiver is not there, or hung up. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

interface Running {
  contract: Contract;
  url: URL;
  auth: Auth;
  /** The emulator's body, or one of a recorded shape. */
  body: () => Readonly<Record<string, unknown>>;
  clock: Clock;
  signal: AbortSignal;
}

/** Every case, one after the other. @throws NoAnswer where the receiver is not there for the first */
export async function* runContract(running: Running): AsyncGenerator<CaseResult, void> {
  let isThere = false;
  const cases = [
    ...running.contract.cases.map((one) => ({
      name: one.name,
      line: one.line,
      run: () => ownCase(running, one),
    })),
    ...running.contract.standard.map((name) => ({ name, run: () => standardCase(running, name) })),
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
      isThere = true;
      yield done(judged);
    } catch (error) {
      if (!(error instanceof NoAnswer) || !isThere) throw error;
      yield done({ problems: [error.message], answer: "" });
    }
  }
}

type Judged = Pick<CaseResult, "problems" | "answer" | "skipped">;

interface Timed extends Answer {
  milliseconds: number;
}

async function sent(
  { url, auth, contract, clock, signal }: Running,
  body: Buffer,
  headers: readonly Header[] | undefined = undefined,
): Promise<Timed> {
  const credentials = authHeader(auth);
  const began = stopwatch(clock);
  const within = AbortSignal.timeout(Math.max(5_000, 2 * contract.timeMilliseconds));
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
    const answer = await rawRequest(url, message, AbortSignal.any([signal, within]));
    return { ...answer, milliseconds: Math.round(stopwatch(clock) - began) };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const why = within.aborted
      ? "no answer in time"
      : cause instanceof Error
        ? cause.message || "no answer"
        : String(cause);
    throw new NoAnswer(`${url.host}: ${why}`, { cause });
  }
}

const bytesOf = (body: unknown) => Buffer.from(JSON.stringify(body));

function ownCase(running: Running, { request, expect }: Contract["cases"][number]): Promise<Judged> {
  return sent(running, bytesOf({ ...running.body(), ...request })).then((answer) => {
    const problems = withinLimits(running, answer);
    const text = answer.body.toString("utf8");
    const json = jsonOf(answer.body.toString("utf8"));
    if (expect?.status !== undefined ? answer.status !== expect.status : !isSuccess(answer))
      problems.push(`status ${answer.status}, expected ${expect?.status ?? "2xx"}`);
    if (expect?.json !== undefined && !isDeepStrictEqual(json, expect.json))
      problems.push(`the body is ${short(text)}, expected ${short(JSON.stringify(expect.json))}`);
    if (expect?.text !== undefined && text !== expect.text)
      problems.push(`the body is ${short(text)}, expected ${short(expect.text)}`);
    if (isSuccess(answer)) problems.push(...ofResponse(running, json));
    return { problems, answer: summary(answer) };
  });
}

function ofResponse({ contract: { response } }: Running, json: unknown): string[] {
  if (response === undefined) return [];
  if (json === undefined) return ["the body is no JSON, which response.schema asks for"];
  const parsed = response.safeParse(json);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `response ${path.join(".") || "body"}: ${message}`);
}

function withinLimits({ contract: { timeMilliseconds, bytes } }: Running, answer: Timed): string[] {
  return [
    ...(answer.milliseconds > timeMilliseconds
      ? [`took ${answer.milliseconds} ms, more than ${timeMilliseconds}`]
      : []),
    ...(answer.body.length > bytes ? [`${answer.body.length} bytes, more than ${bytes}`] : []),
  ];
}

async function standardCase(running: Running, name: StandardCase): Promise<Judged> {
  const body = running.body();
  switch (name) {
    case "no_auth":
      return refused(await sent(running, bytesOf(body), []), running.auth);
    case "wrong_auth":
      return refused(await sent(running, bytesOf(body), wrongHeaders(running.auth)), running.auth);
    case "malformed_body": {
      const answer = await sent(running, Buffer.from('{"call_id":'));
      const ok = answer.status >= 400 && answer.status < 500;
      return { problems: ok ? [] : [`status ${answer.status}, expected 4xx`], answer: summary(answer) };
    }
    case "unknown_fields": {
      const plain = await sent(running, bytesOf(body));
      const more = await sent(running, bytesOf({ ...body, voxctl_unknown: { nested: [1] } }));
      return same(plain, more, "with unknown fields");
    }
    case "repeated":
      return same(await sent(running, bytesOf(body)), await sent(running, bytesOf(body)), "the second time");
    case "concurrent_20": {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => sent(running, bytesOf(running.body()))),
      );
      const problems = answers.flatMap((answer) => [
        ...withinLimits(running, answer),
        ...(isSuccess(answer) ? [] : [`status ${answer.status}, expected 2xx`]),
      ]);
      return {
        problems: [...new Set(problems)],
        answer: `${answers.filter(isSuccess).length} of 20 answered 2xx`,
      };
    }
    case "slow_client":
      return slowClient(running, bytesOf(body));
  }
}

function refused(answer: Timed, auth: Auth): Judged {
  if (auth.type === "none") return { problems: [], answer: "the receiver wants no auth", skipped: true };
  const ok = answer.status === 401 || answer.status === 403;
  return { problems: ok ? [] : [`status ${answer.status}, expected 401 or 403`], answer: summary(answer) };
}

function wrongHeaders(auth: Auth): Header[] {
  const wrong = auth.type === "none" ? undefined : authHeader({ ...auth, secret: `${auth.secret}-wrong` });
  return wrong ? [wrong] : [];
}

function same(one: Timed, other: Timed, when: string): Judged {
  const problems = [
    ...(one.status === other.status ? [] : [`status ${other.status} ${when}, ${one.status} before`]),
    ...(one.body.equals(other.body) ? [] : [`another body ${when}`]),
  ];
  return { problems, answer: summary(other) };
}

/** The body in small pieces: a receiver waits for all of it, or says that it does not. */
async function slowClient(running: Running, body: Buffer): Promise<Judged> {
  const { request } =
    running.url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const credentials = authHeader(running.auth);
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
    message.on("error", (error) => reject(new NoAnswer(`${running.url.host}: ${error.message}`)));
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
  { clock, signal }: Running,
): Promise<void> {
  const size = Math.ceil(body.length / 8);
  for (let start = 0; start < body.length && !message.destroyed; start += size) {
    message.write(body.subarray(start, start + size));
    await clock.sleep(100, signal).catch(() => {});
  }
  message.end();
}

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;
const short = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text || "empty");
const summary = ({ status, body, milliseconds }: Timed) =>
  `status ${status}, ${body.length} bytes, ${milliseconds} ms`;
