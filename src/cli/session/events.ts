import { maskSecrets, maskText } from "../../base/secret-fields.js";
import type { ClientEvent } from "../../client/types.js";

const reasons = {
  pace: "to stay within the rate limit",
  limit: "for the rate limit",
  retry: "before trying again",
} as const;

/** In bulk runs, waits of up to two windows of the rate limit are normal. */
const longWaitMilliseconds = 120_000;

/**
 * Without `--debug`, describes only waits.
 * @param shown.waits which waits to describe; a bulk run describes only `long` waits
 */
export function describeEvent(
  event: ClientEvent,
  shown: { debug: boolean; waits: "all" | "long" | "none" },
): { line: string; debug: boolean } | undefined {
  const shortest = { all: 1_000, long: longWaitMilliseconds, none: Number.POSITIVE_INFINITY }[shown.waits];
  if (event.type === "wait" && event.milliseconds >= shortest) {
    return {
      line: `waiting ${Math.ceil(event.milliseconds / 1_000)} s ${formatReason(event)}`,
      debug: false,
    };
  }
  return shown.debug && event.type !== "done" ? { line: formatDebugLine(event), debug: true } : undefined;
}

function formatDebugLine(event: Exclude<ClientEvent, { type: "done" }>): string {
  switch (event.type) {
    case "request":
      return [
        `> ${event.method} ${event.url}${event.attempt > 1 ? ` (attempt ${event.attempt})` : ""}`,
        ...formatHeaders(">", event.headers),
        ...formatBody(">", event.body),
      ].join("\n");
    case "response":
      return [
        `< ${event.status} (${Math.round(event.milliseconds)} ms)`,
        ...formatHeaders("<", event.headers),
        ...formatBody("<", event.body),
      ].join("\n");
    case "failure":
      return `! ${event.message} (attempt ${event.attempt})`;
    case "withdrawn":
      return "! not sent: other processes have used up the rate limit";
    case "wait":
      return `. waiting ${Math.round(event.milliseconds)} ms ${formatReason(event)}`;
  }
}

function formatReason({ reason, cause }: Extract<ClientEvent, { type: "wait" }>): string {
  return cause === undefined ? reasons[reason] : `${reasons[reason]}: ${cause}`;
}

function formatHeaders(sign: string, headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(
    ([name, value]) => `${sign} ${name}: ${String(Object.values(Object(maskSecrets({ [name]: value })))[0])}`,
  );
}

function formatBody(sign: string, body: string | undefined): string[] {
  return body === undefined || body === "" ? [] : [`${sign} ${maskText(body)}`];
}
