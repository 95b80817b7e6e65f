import { phoneMatcher } from "../../../base/text-matching.js";
import { callOutcomes, directions } from "../../../contract/public/calls.js";
import type { RowFilter } from "../../derive/row-filters.js";
import { usageError } from "../../errors/errors.js";
import { textIn } from "../../output/fields.js";
import { parseDuration } from "../../session/globals.js";
import { listedIn } from "../../session/listed.js";

/** Statuses are spelled in several ways (T11). */
function spelled(status: string): string {
  return status.toLowerCase().replace(/[\s_-]/g, "");
}

/** A filter by a field's words: one of several, separated by commas. */
function byWords(name: string, field: string, description: string, choices: readonly string[]): RowFilter {
  return {
    flag: { name, value: "value", description, choices },
    field,
    plain: spelled,
    read: (value) => {
      const wanted = listedIn(value, `--${name}`).map((word) => spelled(word));
      return (call) => {
        const held = textIn(call, field);
        return held === "" ? undefined : wanted.includes(spelled(held));
      };
    },
  };
}

const byDirection = byWords("direction", "direction", "only calls of this direction", directions);

/** @throws usage error (2) for what no call can be */
function checkedDirection(value: string): string {
  const wrong = listedIn(value, "--direction").find(
    (one) => !directions.some((direction) => direction === spelled(one)),
  );
  if (wrong === undefined) return value;
  throw usageError(`--direction: "${wrong}" is not one of ${directions.join(", ")}`);
}

function byNumber(name: string, field: string, description: string): RowFilter {
  return {
    flag: { name, value: "number", description },
    read: (value) => {
      const isNumber = phoneMatcher(value);
      if (!isNumber) throw usageError(`--${name}: "${value}" is no phone number; write +4915112345678`);
      return (call) => {
        const held = textIn(call, field);
        return held === "" ? undefined : isNumber(held);
      };
    },
  };
}

const millisecondsPerSecond = 1_000;

/** The filters of `calls list` that the service does not have. */
export const callFilters: readonly RowFilter[] = [
  byWords(
    "status",
    "status",
    "only calls of this status, of several by comma, or of another that the service uses",
    callOutcomes,
  ),
  { ...byDirection, read: (value, session) => byDirection.read(checkedDirection(value), session) },
  byNumber("from-number", "from", "only calls from this number, or from numbers that begin so"),
  byNumber("to-number", "to", "only calls to this number, or to numbers that begin so"),
  {
    flag: { name: "min-length", value: "duration", description: "only calls that lasted so long: 30s, 2m" },
    read: (value) => {
      const seconds = parseDuration(value, "--min-length") / millisecondsPerSecond;
      return ({ duration_seconds: held }) => (typeof held === "number" ? held >= seconds : undefined);
    },
  },
];
