import { parseJsonSafely } from "../../base/json.js";
import { parseTime } from "../../base/time-text.js";
import type { Exchange, Header } from "./exchange.js";
import { maskHeaders, maskNumbers, maskPath, type SecretHeaders } from "./secrets.js";

/** Returns a line such as `12:04:11  POST /hook  from +49…678  auth ok  → 200  42 bytes  12 ms  rule 1`. */
export function formatExchangeLine(
  { request, checks, response, milliseconds, from }: Exchange,
  secrets: SecretHeaders,
): string {
  const auth = checks.find(({ name }) => name === "auth");
  const otherFailures = checks.filter(({ name, ok }) => !ok && name !== "auth");
  const parts = [
    formatTime(request.at),
    `${request.method} ${maskPath(request.path, secrets)}`,
    formatCaller(request.body),
    `auth ${auth?.result ?? "not checked"}`,
    ...otherFailures.map(({ name, result }) => `${name}: ${result}`),
    `→ ${response?.status ?? "no response"}`,
    ...(response ? [`${response.body.length} bytes`] : []),
    `${milliseconds} ms`,
    from,
  ];
  return maskNumbers(parts.filter((part) => part !== "").join("  "));
}

function formatTime(at: string): string {
  const time = new Date(parseTime(at));
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

function formatCaller(body: Buffer): string {
  const value = parseJsonSafely(body.toString("utf8"));
  if (value === undefined) return body.length === 0 ? "no body" : `${body.length} bytes`;
  const from: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "from") : undefined;
  if (typeof from === "string") return `from ${from}`;
  return typeof value === "object" && value !== null
    ? `{${Object.keys(value).slice(0, 6).join(", ")}}`
    : "JSON";
}

export function toExchangeJson(
  exchange: Exchange,
  secrets: SecretHeaders,
): Readonly<Record<string, unknown>> {
  const { number, request, checks, response: answer, from, warnings, milliseconds } = exchange;
  const hidden = (text: string) => maskNumbers(secrets.mask(text));
  const hiddenHeaders = (headers: readonly Header[]) =>
    maskHeaders(headers, secrets).map(([name, value]) => [
      name,
      typeof value === "string" ? maskNumbers(value) : value,
    ]);
  return {
    number,
    at: request.at,
    request: {
      method: request.method,
      path: maskNumbers(maskPath(request.path, secrets)),
      headers: hiddenHeaders(request.headers),
      body: hidden(request.body.toString("utf8")),
    },
    checks: checks.map(({ name, ok, result: found }) => ({ name, ok, found: hidden(found) })),
    answer:
      answer === undefined
        ? null
        : {
            status: answer.status,
            headers: hiddenHeaders(answer.headers),
            body: hidden(answer.body.toString("utf8")),
          },
    from,
    warnings,
    milliseconds,
  };
}
