import { isDeepStrictEqual } from "node:util";
import { jsonOf } from "../../../base/json.js";
import type { Answer } from "./exchange.js";
import type { Recorded } from "./recording.js";

/**
 * How an answer differs from a recorded one: status, then the body, as JSON where both are. Undefined where it does not.
 * @param ignored dotted paths of the JSON that may differ
 */
export function differenceOf(
  recorded: Recorded["answer"],
  answer: Answer,
  ignored: readonly string[],
): string | undefined {
  if (recorded === null) return "the recorded request got no answer";
  if (recorded.status !== answer.status) return `status ${recorded.status}, now ${answer.status}`;
  const text = answer.body.toString("utf8");
  const before = jsonOf(recorded.body_text);
  const now = jsonOf(answer.body.toString("utf8"));
  if (before === undefined || now === undefined)
    return recorded.body_text === text ? undefined : "another body";
  const place = firstDifference(before, now, [], new Set(ignored));
  return place === undefined
    ? undefined
    : `${place.join(".") || "the body"}: ${shown(at(before, place))}, now ${shown(at(now, place))}`;
}

function firstDifference(
  before: unknown,
  now: unknown,
  path: readonly string[],
  ignored: ReadonlySet<string>,
): readonly string[] | undefined {
  if (ignored.has(path.join(".")) || isDeepStrictEqual(before, now)) return undefined;
  if (!isObject(before) || !isObject(now) || Array.isArray(before) !== Array.isArray(now)) return path;
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const place = firstDifference(Reflect.get(before, key), Reflect.get(now, key), [...path, key], ignored);
    if (place) return place;
  }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (isObject(inner) ? Reflect.get(inner, part) : undefined),
    value,
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
