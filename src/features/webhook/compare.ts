import { isDeepStrictEqual } from "node:util";
import { stringifyExactJson } from "../../base/exact-json.js";
import { isFields } from "../../base/fields.js";
import { parseExactJsonSafely } from "../../base/json.js";
import type { Capture } from "./capture.js";
import type { WebhookResponse } from "./exchange.js";

/**
 * Compares JSON bodies by value. Returns undefined if status and body are equal.
 * @param ignored dotted JSON paths to ignore
 * @param mask removes secrets from the response, as from the capture
 */
export function describeDifference(
  recorded: Capture["answer"],
  response: WebhookResponse,
  ignored: readonly string[],
  mask: (text: string) => string,
): string | undefined {
  if (recorded === null) return "the captured request got no response";
  if (recorded.status !== response.status) return `status ${recorded.status}, now ${response.status}`;
  const text = mask(response.body.toString("utf8"));
  const before = parseExactJsonSafely(recorded.body_text);
  const now = parseExactJsonSafely(text);
  if (before === undefined || now === undefined)
    return recorded.body_text === text ? undefined : "different body";
  const differencePath = findFirstDifference(before, now, [], new Set(ignored));
  return differencePath === undefined
    ? undefined
    : `${differencePath.join(".") || "the body"}: ${shortenJson(getAtPath(before, differencePath))}, now ${shortenJson(getAtPath(now, differencePath))}`;
}

function findFirstDifference(
  before: unknown,
  now: unknown,
  path: readonly string[],
  ignored: ReadonlySet<string>,
): readonly string[] | undefined {
  if (ignored.has(path.join(".")) || isDeepStrictEqual(before, now)) return undefined;
  if (!isObject(before) || !isObject(now) || Array.isArray(before) !== Array.isArray(now)) return path;
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const differencePath = findFirstDifference(
      Reflect.get(before, key),
      Reflect.get(now, key),
      [...path, key],
      ignored,
    );
    if (differencePath) return differencePath;
  }
  return undefined;
}

const isObject = (value: unknown): value is object => isFields(value) || Array.isArray(value);

function getAtPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (isObject(inner) ? Reflect.get(inner, part) : undefined),
    value,
  );
}

function shortenJson(value: unknown): string {
  const text = value === undefined ? "nothing" : stringifyExactJson(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
