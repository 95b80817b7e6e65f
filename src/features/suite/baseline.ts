import * as z from "zod";
import { findFirstIssue } from "../../base/describe-issue.js";
import { type Fields, getText, isFields } from "../../base/fields.js";
import { InputError } from "../../base/input-error.js";
import { listUtterances } from "../../client/call-content.js";
import type { ScenarioResult } from "./results.js";
import { extractFacts } from "./transcript-facts.js";

const Entry = z.object({
  scenario: z.string(),
  result: z.string(),
  status: z.string(),
  duration_seconds: z.number().nullable(),
  turns: z.number(),
  analyses: z.record(z.string(), z.string()),
  facts: z.record(z.string(), z.string()),
  spoken_numbers: z.array(z.string()),
});
type Entry = z.output<typeof Entry>;

const BaselineFile = z.object({
  voxctl_calls: z.literal(2),
  suite: z.string(),
  made_at: z.string(),
  scenarios: z.array(Entry),
});
export type Baseline = z.output<typeof BaselineFile>;

/** Omits scenarios whose calls were not placed or not followed to their end. */
export function buildBaseline(suite: string, madeAt: number, results: readonly ScenarioResult[]): Baseline {
  return {
    voxctl_calls: 2,
    suite,
    made_at: new Date(madeAt).toISOString(),
    scenarios: results.flatMap((scenarioResult) =>
      scenarioResult.call === undefined ||
      (scenarioResult.result !== "passed" && scenarioResult.result !== "failed")
        ? []
        : [toEntry(scenarioResult, scenarioResult.call)],
    ),
  };
}

/** Adds the previous results of scenarios that were planned for this run but have no new result. */
export function addPreviousScenarios(
  baseline: Baseline,
  previous: Baseline | undefined,
  called: ReadonlySet<string>,
): { merged: Baseline; kept: string[] } {
  const made = new Set(baseline.scenarios.map(({ scenario }) => scenario));
  const kept = (previous?.scenarios ?? []).filter(
    ({ scenario }) => called.has(scenario) && !made.has(scenario),
  );
  return {
    merged: { ...baseline, scenarios: [...baseline.scenarios, ...kept] },
    kept: kept.map(({ scenario }) => scenario),
  };
}

function toEntry({ scenario, result }: ScenarioResult, call: Fields): Entry {
  const seconds = call["duration_seconds"];
  const turns = listUtterances(call).length;
  return {
    scenario: scenario.name,
    result,
    status: getText(call, "status"),
    duration_seconds: typeof seconds === "number" ? seconds : null,
    turns,
    analyses: Object.fromEntries(
      listAnalyses(call)
        // The emulator adds an analysis `turns` to each call. The turns are recorded and compared separately.
        .filter(([name, value]) => !(name === "turns" && value === String(turns))),
    ),
    ...extractFacts(call, scenario.facts),
  };
}

function listAnalyses({ analyses }: Fields): [name: string, value: string][] {
  return (Array.isArray(analyses) ? analyses.filter(isFields) : []).map((analysis) => [
    getText(analysis, "name"),
    String(analysis["value"] ?? ""),
  ]);
}

/** Returns whether a text is a results baseline, judging by its first field. */
export function isBaselineText(text: string): boolean {
  return /^\s*\{\s*"voxctl_calls"\s*:/.test(text);
}

/** @throws InputError */
export function parseBaseline(text: string, file: string): Baseline {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${file} is not a results baseline: invalid JSON`, { cause: error });
  }
  const parsed = BaselineFile.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new InputError(`${file} is not a results baseline: invalid ${findFirstIssue(parsed.error).path}`, {
    hint: "to write a baseline, run `voxctl calls test SUITE --record FILE`",
  });
}

/**
 * A difference between a scenario's result and the baseline. If it is only a warning, the scenario doesn't
 * fail.
 */
export interface Difference {
  scenario: string;
  field: string;
  before: string;
  after: string;
  isWarning: boolean;
}

/**
 * Tolerated relative change of the duration and of the number of turns. A larger change is reported as a
 * warning.
 */
const tolerance = 0.5;
const leastSeconds = 15;
const leastTurns = 2;

/**
 * Some differences are only warnings: a scenario in only one of the runs, a scenario that passes now, and a
 * large change of the duration or of the number of turns.
 */
export function findBaselineDifferences(before: Baseline, after: Baseline): Difference[] {
  const earlier = new Map(before.scenarios.map((entry) => [entry.scenario, entry]));
  const later = new Set(after.scenarios.map((entry) => entry.scenario));
  const missing = before.scenarios
    .filter(({ scenario }) => !later.has(scenario))
    .map(({ scenario, result }) => createDifference(scenario, "scenario", result, "missing", true));
  const compared = after.scenarios.flatMap((now) => {
    const then = earlier.get(now.scenario);
    return then
      ? compareEntries(then, now)
      : [createDifference(now.scenario, "scenario", "missing", now.result, true)];
  });
  return [...compared, ...missing];
}

function compareEntries(then: Entry, now: Entry): Difference[] {
  const differences: Difference[] = [];
  const compare = (field: string, before: string, after: string, isWarning = false) => {
    if (before !== after) differences.push(createDifference(now.scenario, field, before, after, isWarning));
  };
  compare("result", then.result, now.result, now.result === "passed");
  compare("status", then.status, now.status);
  for (const name of new Set([...Object.keys(then.analyses), ...Object.keys(now.analyses)]))
    compare(`analyses.${name}`, then.analyses[name] ?? "none", now.analyses[name] ?? "none");
  for (const [name, value] of Object.entries(now.facts))
    if (then.facts[name] !== undefined) compare(`facts.${name}`, then.facts[name], value);
  compare("spoken_numbers", formatNumbers(then), formatNumbers(now));
  const [seconds, length] = [then.duration_seconds, now.duration_seconds];
  if (seconds !== null && length !== null && differsWidely(seconds, length, leastSeconds))
    compare("duration", `${seconds} s`, `${length} s`, true);
  if (differsWidely(then.turns, now.turns, leastTurns))
    compare("turns", String(then.turns), String(now.turns), true);
  return differences;
}

function formatNumbers({ spoken_numbers }: Entry): string {
  return spoken_numbers.join(", ") || "none";
}

function differsWidely(before: number, after: number, least: number): boolean {
  return Math.abs(before - after) > Math.max(least, before * tolerance);
}

function createDifference(
  scenario: string,
  field: string,
  before: string,
  after: string,
  isWarning: boolean,
): Difference {
  return { scenario, field, before, after, isWarning };
}
