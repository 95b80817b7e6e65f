import type { Clock } from "../../src/base/clock.js";
import type { Transport } from "../../src/base/transport.js";
import { createClient } from "../../src/client/client.js";
import { key } from "./fakes.js";
import { startDate } from "./virtual-time.js";

/** Clock errors of the service and of the client's machine, in milliseconds. */
export interface Wrong {
  dateOff?: number;
  resetOff?: number;
  /** Additional clock error of a second node, which sends every other response. */
  nodeOff?: number;
  sendsDate?: boolean;
  /** `localOffLater` applies in the second half of the simulation. */
  localOff?: number;
  localOffLater?: number;
  headers?: "all" | "none" | "sometimes" | "Retry-After only" | "Reset only";
  /** Requests that other clients sent before the simulation. */
  before?: number;
  limit?: number;
  windowMilliseconds?: number;
  slowest?: number;
}

/** Only the headers contain clock errors; the limiter's clock is correct. */
export function createLimiter(wrong: Wrong, now: () => number) {
  const { limit = 200, windowMilliseconds = 60_000, before = 0 } = wrong;
  let window = { start: startDate, count: before };
  const refusals = new Map<number, number>();
  let responseCount = 0;
  const passed = new Map<number, number>();
  return {
    refusals,
    passed,
    windowStart: () => window.start,
    respond(): { status: number; headers: Record<string, string> } {
      const date = now();
      if (date >= window.start + windowMilliseconds) window = { start: date, count: 0 };
      const isRefused = window.count >= limit;
      if (isRefused) refusals.set(window.start, (refusals.get(window.start) ?? 0) + 1);
      else {
        window.count += 1;
        passed.set(window.start, (passed.get(window.start) ?? 0) + 1);
      }
      responseCount += 1;
      const node = responseCount % 2 === 0 ? (wrong.nodeOff ?? 0) : 0;
      const end = window.start + windowMilliseconds;
      const declared: Record<string, string> = {
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(limit - window.count),
        "x-ratelimit-reset": String(Math.ceil((end + (wrong.resetOff ?? 0) + node) / 1000)),
        ...(isRefused ? { "retry-after": String(Math.max(1, Math.ceil((end - date) / 1000))) } : {}),
      };
      const kept = (name: string) => {
        switch (wrong.headers) {
          case "none":
            return false;
          case "sometimes":
            return responseCount % 3 === 0;
          case "Retry-After only":
            return name === "retry-after";
          case "Reset only":
            return name === "x-ratelimit-reset";
          default:
            return true;
        }
      };
      const headers = Object.fromEntries(Object.entries(declared).filter(([name]) => kept(name)));
      if (wrong.sendsDate !== false)
        headers["date"] = new Date(date + (wrong.dateOff ?? 0) + node).toUTCString();
      return { status: isRefused ? 429 : 201, headers };
    },
  };
}

interface ClientParts {
  clock: Clock;
  /** Duration of the next request, in milliseconds. */
  latency: () => number;
  jitter: () => number;
  answered?: (status: number) => void;
}

/** Request and response each take half of the latency. */
export function createLimitedClient(
  service: ReturnType<typeof createLimiter>,
  { clock, latency, jitter, answered = () => {} }: ClientParts,
) {
  const transport: Transport = async () => {
    const way = latency() / 2;
    await clock.sleep(way);
    const { status, headers } = service.respond();
    answered(status);
    await clock.sleep(way);
    const text = status === 201 ? '{"data":{}}' : '{"error":{"code":"rate_limit_exceeded","message":"m"}}';
    return { status, headers, text: async () => text, body: (async function* () {})() };
  };
  return createClient({
    targets: { public: { baseUrl: "https://api.example.org/api/v1", key } },
    transport,
    clock,
    random: { next: jitter, bytes: (count) => Buffer.alloc(count) },
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
  });
}
