import { getText } from "../../../base/fields.js";
import { createPhoneMatcher } from "../../../base/text-matching.js";
import { callOutcomes, directions } from "../../../contract/public/calls.js";
import type { RowFilter } from "../../derive/row-filters.js";
import { usageError } from "../../errors/errors.js";
import { parseDuration } from "../../session/globals.js";
import { listedIn } from "../../session/listed.js";

function normalizeStatus(status: string): string {
  return status.toLowerCase().replace(/[\s_-]/g, "");
}

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

const byDirection = createWordFilter("direction", "direction", "Only calls in this direction", directions);

/** @throws usage error (2) for an unknown direction */
function assertDirection(value: string): string {
  const invalid = listedIn(value, "--direction").find(
    (given) => !directions.some((direction) => direction === normalizeStatus(given)),
  );
  if (invalid === undefined) return value;
  throw usageError(`invalid --direction "${invalid}": expected ${directions.join(" or ")}`);
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

export const callFilters: readonly RowFilter[] = [
  createWordFilter(
    "status",
    "status",
    "Only calls with one of these statuses, separated by commas",
    callOutcomes,
  ),
  { ...byDirection, read: (value, session) => byDirection.read(assertDirection(value), session) },
  createNumberFilter("from-number", "from", "Only calls from this number or prefix"),
  createNumberFilter("to-number", "to", "Only calls to this number or prefix"),
  {
    flag: {
      name: "min-length",
      value: "duration",
      description: "Only calls of at least this length, such as 30s or 2m",
    },
    read: (value) => {
      const seconds = parseDuration(value, "--min-length") / millisecondsPerSecond;
      return ({ duration_seconds: duration }) =>
        typeof duration === "number" ? duration >= seconds : undefined;
    },
  },
];
