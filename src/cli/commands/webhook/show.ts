import { jsonOf } from "../../../base/json.js";
import { parseTime } from "../../../base/time-text.js";
import type { Paint, Text } from "../../terminal/paint.js";
import type { Exchange } from "./exchange.js";
import { pathWithoutSecrets, type SecretHeaders, withoutNumbers, withoutSecrets } from "./secrets.js";

/** `12:04:11  POST /hook  from +49…678  auth ok  → 200  42 bytes  12 ms  rule 1` */
export function lineOf(
  { request, checks, answer, milliseconds, from }: Exchange,
  secrets: SecretHeaders,
  paint: Paint,
): Text {
  const auth = checks.find(({ name }) => name === "auth");
  const others = checks.filter(({ name, ok }) => !ok && name !== "auth");
  const parts = [
    timeOf(request.at),
    `${request.method} ${pathWithoutSecrets(request.path, secrets)}`,
    callerOf(request.body),
    `auth ${auth?.found ?? "not checked"}`,
    ...others.map(({ name, found }) => `${name}: ${found}`),
    `→ ${answer?.status ?? "no answer"}`,
    ...(answer ? [`${answer.body.length} bytes`] : []),
    `${milliseconds} ms`,
    from,
  ];
  const line = withoutNumbers(parts.filter((part) => part !== "").join("  "));
  return checks.every(({ ok }) => ok) ? line : paint.red(line);
}

function timeOf(at: string): string {
  const time = new Date(parseTime(at));
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

function callerOf(body: Buffer): string {
  const value = jsonOf(body.toString("utf8"));
  if (value === undefined) return body.length === 0 ? "no body" : `${body.length} bytes`;
  const from: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "from") : undefined;
  if (typeof from === "string") return `from ${from}`;
  return typeof value === "object" && value !== null
    ? `{${Object.keys(value).slice(0, 6).join(", ")}}`
    : "JSON";
}

/** An exchange as `-o ndjson` prints it. */
export function documentOf(exchange: Exchange, secrets: SecretHeaders): Readonly<Record<string, unknown>> {
  const { number, request, checks, answer, from, warnings, milliseconds } = exchange;
  const hidden = (text: string) => withoutNumbers(secrets.mask(text));
  return {
    number,
    at: request.at,
    request: {
      method: request.method,
      path: withoutNumbers(pathWithoutSecrets(request.path, secrets)),
      headers: withoutSecrets(request.headers, secrets).map(([name, value]) => [
        name,
        typeof value === "string" ? hidden(value) : value,
      ]),
      body: hidden(request.body.toString("utf8")),
    },
    checks: checks.map(({ name, ok, found }) => ({ name, ok, found: hidden(found) })),
    answer:
      answer === undefined
        ? null
        : {
            status: answer.status,
            headers: withoutSecrets(answer.headers, secrets),
            body: hidden(answer.body.toString("utf8")),
          },
    from,
    warnings,
    milliseconds,
  };
}
