import * as z from "zod";
import { usageError } from "../../../errors/errors.js";
import { type Fields, isFields, textIn } from "../../../output/fields.js";
import { utterancesOf } from "../call/text.js";
import type { Check } from "./expectations.js";
import type { ScenarioResult } from "./results.js";
import { saidIn } from "./said.js";

const Texts = z.array(z.string());
const Entry = z.object({
  scenario: z.string(),
  result: z.string(),
  status: z.string(),
  duration_seconds: z.number().nullable(),
  turns: z.number(),
  analyses: z.record(z.string(), z.string()),
  said: z.object({ phones: Texts, dates: Texts, prices: Texts, numbers: Texts }),
});
type Entry = z.output<typeof Entry>;

const RecordFile = z.object({
  voxctl_calls: z.literal(1),
  suite: z.string(),
  made_at: z.string(),
  scenarios: z.array(Entry),
});
export type CallRecord = z.output<typeof RecordFile>;

/**
 * How the calls of a run went, to hold later ones against. A call that could not be made, or not followed to its end,
 * went in no way: such scenarios are not in it.
 */
export function recordOf(suite: string, madeAt: number, results: readonly ScenarioResult[]): CallRecord {
  return {
    voxctl_calls: 1,
    suite,
    made_at: new Date(madeAt).toISOString(),
    scenarios: results.flatMap((one) =>
      one.call === undefined || (one.result !== "passed" && one.result !== "failed")
        ? []
        : [entryOf(one, one.call)],
    ),
  };
}

/** The record with what a former one says of scenarios that this run called in vain. */
export function withFormer(
  record: CallRecord,
  former: CallRecord | undefined,
  called: ReadonlySet<string>,
): { merged: CallRecord; kept: string[] } {
  const made = new Set(record.scenarios.map(({ scenario }) => scenario));
  const kept = (former?.scenarios ?? []).filter(
    ({ scenario }) => called.has(scenario) && !made.has(scenario),
  );
  return {
    merged: { ...record, scenarios: [...record.scenarios, ...kept] },
    kept: kept.map(({ scenario }) => scenario),
  };
}

function entryOf({ scenario, result }: ScenarioResult, call: Fields): Entry {
  const seconds = call["duration_seconds"];
  const analyses = call["analyses"];
  return {
    scenario: scenario.name,
    result,
    status: textIn(call, "status"),
    duration_seconds: typeof seconds === "number" ? seconds : null,
    turns: utterancesOf(call).length,
    analyses: Object.fromEntries(
      (Array.isArray(analyses) ? analyses.filter(isFields) : []).map((one) => [
        textIn(one, "name"),
        String(one["value"] ?? ""),
      ]),
    ),
    said: saidIn(call),
  };
}

/** Told by its first field, which no other file has: is it one that --record wrote? */
export function beginsAsRecord(text: string): boolean {
  return /^\s*\{\s*"voxctl_calls"\s*:/.test(text);
}

/** @throws usage error (2) */
export function parseRecord(text: string, file: string): CallRecord {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw usageError(`${file} is no record of calls: it is no JSON`, { cause: error });
  }
  const parsed = RecordFile.safeParse(content);
  if (parsed.success) return parsed.data;
  throw usageError(
    `${file} is no record of calls: ${parsed.error.issues[0]?.path.join(".") || "its content"}`,
    {
      hint: "voxctl calls test SUITE --record FILE writes one",
    },
  );
}

/** The differences between two runs of a scenario. A warning fails nothing. */
export interface Difference {
  scenario: string;
  field: string;
  before: string;
  after: string;
  isWarning: boolean;
}

/** Length and turns of the same conversation differ by so much at least. */
const tolerance = 0.5;
const leastSeconds = 15;
const leastTurns = 2;

/**
 * Status and analyses are to be equal; so are the phone numbers, dates, prices and numbers that were said, in whatever
 * order and however often. Length and turns are only warned of.
 */
export function differencesOf(before: CallRecord, after: CallRecord): Difference[] {
  const earlier = new Map(before.scenarios.map((one) => [one.scenario, one]));
  const later = new Set(after.scenarios.map((one) => one.scenario));
  const missing = before.scenarios
    .filter(({ scenario }) => !later.has(scenario))
    .map(({ scenario, result }) => difference(scenario, "scenario", result, "not called", true));
  const compared = after.scenarios.flatMap((now) => {
    const then = earlier.get(now.scenario);
    return then
      ? entryDifferences(then, now)
      : [difference(now.scenario, "scenario", "not called", now.result, true)];
  });
  return [...compared, ...missing];
}

function entryDifferences(then: Entry, now: Entry): Difference[] {
  const found: Difference[] = [];
  const hold = (field: string, one: string, other: string, isWarning = false) => {
    if (one !== other) found.push(difference(now.scenario, field, one, other, isWarning));
  };
  hold("status", then.status, now.status);
  // The emulator's own analysis of a call counts its turns, which may differ.
  for (const name of new Set([...Object.keys(then.analyses), ...Object.keys(now.analyses)]))
    if (!(countsTurns(name, then) && countsTurns(name, now)))
      hold(`analyses.${name}`, then.analyses[name] ?? "none", now.analyses[name] ?? "none");
  for (const kind of ["phones", "dates", "prices", "numbers"] as const)
    hold(`said.${kind}`, then.said[kind].join(", ") || "none", now.said[kind].join(", ") || "none");
  const [seconds, length] = [then.duration_seconds, now.duration_seconds];
  if (seconds !== null && length !== null && isFar(seconds, length, leastSeconds))
    hold("duration", `${seconds} s`, `${length} s`, true);
  if (isFar(then.turns, now.turns, leastTurns)) hold("turns", String(then.turns), String(now.turns), true);
  return found;
}

function countsTurns(name: string, { analyses, turns }: Entry): boolean {
  return name === "turns" && analyses[name] === String(turns);
}

function isFar(one: number, other: number, least: number): boolean {
  return Math.abs(one - other) > Math.max(least, one * tolerance);
}

function difference(
  scenario: string,
  field: string,
  before: string,
  after: string,
  isWarning: boolean,
): Difference {
  return { scenario, field, before, after, isWarning };
}

/** The same as expectations of a scenario that were not met. */
export function checksOf(differences: readonly Difference[], scenario: string): Check[] {
  return differences
    .filter((one) => one.scenario === scenario && !one.isWarning)
    .map(({ field, before, after }) => ({
      field: `baseline.${field}`,
      expected: before,
      met: false,
      actual: after,
    }));
}
