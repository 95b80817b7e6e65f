import type { Clock } from "../../src/base/clock.js";
import type { Random } from "../../src/base/random.js";
import type { Transport, TransportRequest, TransportResponse } from "../../src/base/transport.js";
import { createClient } from "../../src/client/client.js";
import { ClientError } from "../../src/client/errors.js";
import type { Client, ClientEvent, ClientOptions } from "../../src/client/types.js";

export const key = "k3y-Of_the-tests_0123456789abcdefghijklmnopq";

/** A clock that advances only when something sleeps. */
export interface FakeClock extends Clock {
  advance(milliseconds: number): void;
}

export function fakeClock(start = Date.UTC(2026, 2, 2, 9)): FakeClock {
  let now = start;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      now += milliseconds;
    },
  };
}

export const noJitter: Random = { next: () => 0, bytes: (count) => Buffer.alloc(count) };

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  text?: string;
  /** Fails the transfer in the middle of the body. */
  cut?: Error;
}

function response({ status = 200, headers = {}, body, text, cut }: Reply): TransportResponse {
  const content = text ?? (body === undefined ? "" : JSON.stringify(body));
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    text: async () => {
      if (cut) throw cut;
      return content;
    },
    body: (async function* () {
      yield Buffer.from(content);
      if (cut) throw cut;
    })(),
  };
}

interface Seen extends TransportRequest {
  url: string;
  at: number;
}

export interface Stage {
  client: Client;
  clock: FakeClock;
  seen: Seen[];
  events: ClientEvent[];
  waits(): number[];
}

/** The service sends the replies in order and repeats the last one. An Error is a lost connection. */
export function createStage(replies: (Reply | Error)[], options: Partial<ClientOptions> = {}): Stage {
  const clock = fakeClock();
  const seen: Seen[] = [];
  const events: ClientEvent[] = [];
  const transport: Transport = async (url, request) => {
    const reply = replies[Math.min(seen.length, replies.length - 1)];
    seen.push({ ...request, url, at: clock.now() });
    if (reply === undefined) throw new Error("the test has no reply");
    if (reply instanceof Error) throw reply;
    const date = new Date(clock.now()).toUTCString();
    return response({ ...reply, headers: { date, ...reply.headers } });
  };
  const client = createClient({
    targets: { public: { baseUrl: "https://api.example.org/api/v1", key } },
    transport,
    clock,
    random: noJitter,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const waits = () => events.flatMap((event) => (event.type === "wait" ? [event.milliseconds] : []));
  return { client, clock, seen, events, waits };
}

export async function catchError(work: Promise<unknown>): Promise<ClientError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

export function createPublicError(status: number, code: string, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: { error: { code, message: `the service says ${code}`, details: [] } } };
}

export const created = { status: 201, body: { data: {} } };
export const createRefusal = (headers: Record<string, string>) =>
  createPublicError(429, "rate_limit_exceeded", headers);

/** A service with fixed windows (D-window). Its headers contain times in whole seconds. */
export function createLimitedService(limits: {
  limit: number;
  before?: number;
  latency?: number;
  headers?: boolean;
  /** Clock error of `Date`, in milliseconds. */
  dateOff?: number;
}) {
  const clock = fakeClock(Date.UTC(2026, 2, 2, 9) + 437);
  let window = { start: clock.now(), count: limits.before ?? 0 };
  const times: number[] = [];
  let refusals = 0;
  let { limit } = limits;
  const transport: Transport = async () => {
    clock.advance(limits.latency ?? 0);
    if (clock.now() >= window.start + 60_000) window = { start: clock.now(), count: 0 };
    const allowed = window.count < limit;
    if (allowed) window.count += 1;
    else refusals += 1;
    times.push(clock.now());
    const end = window.start + 60_000;
    const declared = {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(limit - window.count),
      "x-ratelimit-reset": String(Math.ceil(end / 1000)),
    };
    const headers = {
      date: new Date(clock.now() + (limits.dateOff ?? 0)).toUTCString(),
      ...(limits.headers === false ? {} : declared),
      ...(allowed ? {} : { "retry-after": String(Math.max(1, Math.ceil((end - clock.now()) / 1000))) }),
    };
    clock.advance(limits.latency ?? 0);
    return response({ ...(allowed ? created : createRefusal({})), headers });
  };
  return {
    clock,
    times,
    refusals: () => refusals,
    declare: (newLimit: number) => {
      limit = newLimit;
    },
    others: (count: number) => {
      window.count += count;
    },
    client: (options: Partial<ClientOptions> = {}) =>
      createClient({
        targets: { public: { baseUrl: "https://api.example.org/api/v1", key } },
        transport,
        clock,
        random: noJitter,
        ...options,
      }),
  };
}
