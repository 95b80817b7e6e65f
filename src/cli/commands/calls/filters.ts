import { createPhoneMatcher } from "../../../base/text-matching.js";
import { callOutcomes, directions } from "../../../contract/public/calls.js";
import type { RowFilter } from "../../derive/row-filters.js";
import { usageError } from "../../errors/errors.js";
import { getText } from "../../output/fields.js";
import { parseDuration } from "../../session/globals.js";
import { listedIn } from "../../session/listed.js";

/** Statuses are spelled in several ways (T11). */
function normalizeStatus(status: string): string {
  return status.toLowerCase().replace(/[\s_-]/g, "");
}

/** A filter by a field's words: one of several, separated by commas. */
function createWordFilter(
  name: string,
  field: string,
  description: string,
  choices: readonly string[],
): RowFilter {
  return {
    flag: { name, value: "value", description, choices },
    field,
    plain: normalizeStatus,
    read: (value) => {
      const accepted = listedIn(value, `--${name}`).map((word) => normalizeStatus(word));
      return (call) => {
        const status = getText(call, field);
        return status === "" ? undefined : accepted.includes(normalizeStatus(status));
      };
    },
  };
}

const byDirection = createWordFilter("direction", "direction", "only calls of this direction", directions);

/** @throws usage error (2) for what no call can be */
function assertDirection(value: string): string {
  const invalid = listedIn(value, "--direction").find(
    (given) => !directions.some((direction) => direction === normalizeStatus(given)),
  );
  if (invalid === undefined) return value;
  throw usageError(`--direction: "${invalid}" is not one of ${directions.join(", ")}`);
}

function createNumberFilter(name: string, field: string, description: string): RowFilter {
  return {
    flag: { name, value: "number", description },
    read: (value) => {
      const isNumber = createPhoneMatcher(value);
      if (!isNumber)
        throw usageError(`invalid --${name} "${value}": expected a phone number such as +4915112345678`);
      return (call) => {
        const phoneNumber = getText(call, field);
        return phoneNumber === "" ? undefined : isNumber(phoneNumber);
      };
    },
  };
}

const millisecondsPerSecond = 1_000;

/** The filters of `calls list` that the service does not have. */
export const callFilters: readonly RowFilter[] = [
  createWordFilter(
    "status",
    "status",
    "only calls of this status, of several by comma, or of another that the service uses",
    callOutcomes,
  ),
  { ...byDirection, read: (value, session) => byDirection.read(assertDirection(value), session) },
  createNumberFilter(
    "from-number",
    "from",
    "Only calls from this number, or from numbers that start with it",
  ),
  createNumberFilter("to-number", "to", "Only calls to this number, or to numbers that start with it"),
  {
    flag: {
      name: "min-length",
      value: "duration",
      description: "Only calls of at least this length: 30s, 2m",
    },
    read: (value) => {
      const seconds = parseDuration(value, "--min-length") / millisecondsPerSecond;
      return ({ duration_seconds: duration }) =>
        typeof duration === "number" ? duration >= seconds : undefined;
    },
  },
];
