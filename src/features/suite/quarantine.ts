import * as z from "zod";
import { describeIssue, findFirstIssue } from "../../base/describe-issue.js";
import { InputError } from "../../base/input-error.js";
import { appendSuggestion } from "../../base/suggestions.js";
import { parseTime } from "../../base/time-text.js";
import { describeYamlError, parseYaml } from "../../base/yaml-text.js";
import type { ScenarioResult } from "./results.js";

const Day = z.iso.date({
  error: ({ input }) => (input === undefined ? undefined : "must be a date such as 2026-12-31"),
});

const QuarantineFile = z.strictObject({
  quarantine: z.array(
    z.strictObject({
      scenario: z.string().min(1),
      until: Day,
      reason: z.string().optional(),
    }),
  ),
});

/** Scenarios that may fail until the end of a specified day. */
export type Quarantine = z.output<typeof QuarantineFile>["quarantine"];

/** @throws InputError */
export function parseQuarantine(text: string, file: string): Quarantine {
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch (error) {
    throw new InputError(`--quarantine: ${file} is not valid YAML: ${describeYamlError(error)}`, {
      cause: error,
    });
  }
  const parsed = z.safeParse(QuarantineFile, content, { error: describeIssue });
  if (parsed.success) return parsed.data.quarantine;
  const { path, message } = findFirstIssue(parsed.error, "top level");
  throw new InputError(`--quarantine: ${file}: ${path}: ${message}`, {
    hint: 'use a list such as quarantine: [{ scenario: NAME, until: "2026-12-31", reason: TEXT }]',
  });
}

const day = 86_400_000;

export function applyQuarantine(
  results: readonly ScenarioResult[],
  quarantine: Quarantine,
  now: number,
): { results: ScenarioResult[]; notes: string[] } {
  const notes: string[] = [];
  const marked = results.map((result): ScenarioResult => {
    // --matrix appends the assistant to a scenario's name.
    const entry = quarantine.find(
      ({ scenario }) => result.scenario.name === scenario || result.scenario.name.startsWith(`${scenario} [`),
    );
    if (!entry) return result;
    const { until, reason } = entry;
    const isOver = now >= parseTime(until) + day;
    if (isOver) {
      notes.push(`the quarantine of "${result.scenario.name}" ended on ${until}`);
      return result;
    }
    if (result.result === "passed") {
      notes.push(`"${result.scenario.name}" passed and can be removed from quarantine (until ${until})`);
      return result;
    }
    // A quarantine excuses unmet expectations, but not calls that could not be placed.
    if (result.result !== "failed") return result;
    notes.push(
      `"${result.scenario.name}" failed, but is in quarantine until ${until}${reason === undefined ? "" : ` (${reason})`}`,
    );
    return { ...result, quarantinedUntil: until };
  });
  const names = results.map(({ scenario }) => scenario.name);
  for (const { scenario } of quarantine)
    if (!names.some((name) => name === scenario || name.startsWith(`${scenario} [`)))
      notes.push(`quarantined scenario "${scenario}" is not in this run${appendSuggestion(scenario, names)}`);
  return { results: marked, notes };
}
