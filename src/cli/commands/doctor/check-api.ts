import { stopwatch } from "../../../base/clock.js";
import { formatCount } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
import type { ApiResponse } from "../../../client/types.js";
import type { ApiName } from "../../../contract/apis.js";
import { buildErrorReport } from "../../errors/exit-codes.js";
import type { Connection, Session } from "../../session/session.js";
import { durationText } from "../../terminal/progress.js";
import { probes } from "../profiles/try.js";
import type { Finding } from "./finding.js";

/**
 * A larger difference between the clocks causes a warning. Network latency and the one-second resolution of
 * the Date header can cause smaller differences.
 */
const mostSkewMilliseconds = 5_000;

export async function checkApi(
  api: ApiName,
  { client, profile, baseUrl }: Connection,
  session: Session,
  expires: string | undefined,
): Promise<Finding[]> {
  const begun = stopwatch(session.clock);
  let response: ApiResponse;
  try {
    response = await client.call(probes[api], {}, { signal: session.signal });
  } catch (error) {
    if (session.signal.aborted) throw error;
    const { exit, message = "" } = buildErrorReport(error, session.signal) ?? {};
    const reached = exit === 3;
    const end = formatEnd(expires, session.clock.now());
    return [
      {
        check: `${api}: reachable`,
        state: reached ? "ok" : "failed",
        message: reached ? `${baseUrl(api)} responded` : `${baseUrl(api)}: ${message}`,
        ...(reached ? {} : { error }),
      },
      ...(reached
        ? [
            {
              check: `${api}: key`,
              state: "failed" as const,
              message: end === undefined ? message : `${message} (the key ${end})`,
              error,
            },
          ]
        : end === undefined
          ? []
          : [{ check: `${api}: key`, state: "warning" as const, message: `the key ${end}: get a new key` }]),
    ];
  }
  const lasted = stopwatch(session.clock) - begun;
  return [
    {
      check: `${api}: reachable`,
      state: "ok",
      message: `${baseUrl(api)} responded in ${Math.round(lasted)} ms`,
    },
    checkKey(api, expires, session.clock.now()),
    checkClock(api, response, { now: session.clock.now(), hasOwnClock: profile.type === "offline" }),
    checkLimit(api, response),
  ];
}

const warnDays = 30;

function checkKey(api: ApiName, expires: string | undefined, now: number): Finding {
  const check = `${api}: key`;
  if (expires === undefined) return { check, state: "ok", message: "valid" };
  const details = [{ expires }];
  const end = formatEnd(expires, now);
  if (end === undefined) return { check, state: "ok", message: `valid; expires on ${expires}`, details };
  const link = parseTime(expires) < now ? ", although" : ";";
  return { check, state: "warning", message: `valid${link} the key ${end}: get a new key`, details };
}

function formatEnd(expires: string | undefined, now: number): string | undefined {
  if (expires === undefined) return undefined;
  const milliseconds = parseTime(expires) - now;
  const days = Math.ceil(milliseconds / 86_400_000);
  if (days > warnDays) return undefined;
  return milliseconds < 0 ? `expired on ${expires}` : `expires on ${expires}, in ${formatCount(days, "day")}`;
}

/** @param hasOwnClock true for an emulator with a virtual clock; its time is allowed to differ */
function checkClock(
  api: ApiName,
  { headers }: ApiResponse,
  { now, hasOwnClock }: { now: number; hasOwnClock: boolean },
): Finding {
  const check = `${api}: clock`;
  const theirs = parseTime(headers["date"] ?? "");
  if (Number.isNaN(theirs))
    return { check, state: "skipped", message: "the service doesn't report its time" };
  const skew = now - theirs;
  const apart = Math.abs(skew) > mostSkewMilliseconds;
  const details = [{ skew_milliseconds: skew }];
  if (apart && hasOwnClock) {
    const side = skew > 0 ? "behind" : "ahead of";
    return {
      check,
      state: "ok",
      message: `the emulator's virtual clock is ${durationText(Math.abs(skew))} ${side} this machine`,
      details,
    };
  }
  return {
    check,
    state: apart ? "warning" : "ok",
    message: apart
      ? `this machine is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? "ahead of" : "behind"} the service; voxctl uses the service's clock for rate limits`
      : "in sync",
    details,
  };
}

function checkLimit(api: ApiName, { headers }: ApiResponse): Finding {
  const check = `${api}: limit`;
  const limit = headers["x-ratelimit-limit"];
  const remaining = headers["x-ratelimit-remaining"];
  if (limit === undefined || remaining === undefined)
    return { check, state: "skipped", message: "not reported by the service" };
  return {
    check,
    state: Number(remaining) === 0 ? "warning" : "ok",
    message: `${remaining} of ${limit} requests left`,
    details: [{ limit: Number(limit), remaining: Number(remaining) }],
  };
}
