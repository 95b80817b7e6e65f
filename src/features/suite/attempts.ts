import { addTo } from "../../base/lists.js";
import type { ScenarioResult } from "./results.js";
import type { Scenario } from "./suite.js";

const formatNameWithAssistant = (name: string, assistant: string) => `${name} [${assistant}]`;

/** Returns whether a string is the name of a scenario, with or without an assistant from --matrix. */
export function isScenarioName(text: string, { name }: Pick<Scenario, "name">): boolean {
  return text === name || text.startsWith(formatNameWithAssistant(name, "").slice(0, -1));
}

/** Copies each scenario for each of these assistants, and appends the assistant to the scenario's name. */
export function withAssistants(scenarios: readonly Scenario[], assistants: readonly string[]): Scenario[] {
  if (assistants.length === 0) return [...scenarios];
  return scenarios.flatMap((scenario) =>
    assistants.map((assistant) => ({
      ...scenario,
      assistant,
      name: formatNameWithAssistant(scenario.name, assistant),
    })),
  );
}

export interface Attempt {
  scenario: Scenario;
  of: Scenario;
}

export function expandAttempts(scenarios: readonly Scenario[]): Attempt[] {
  return scenarios.flatMap((of) =>
    of.repeat === 1
      ? [{ scenario: of, of }]
      : Array.from({ length: of.repeat }, (_, index) => ({
          of,
          scenario: { ...of, name: `${of.name} (call ${index + 1} of ${of.repeat})` },
        })),
  );
}

/** If too few calls passed, returns the result of the first call that did not pass. */
export function foldResults(
  scenarios: readonly Scenario[],
  attempts: readonly Attempt[],
  results: readonly ScenarioResult[],
): ScenarioResult[] {
  const scenarioOf = new Map(attempts.map(({ scenario, of }) => [scenario, of]));
  const grouped = new Map<Scenario, ScenarioResult[]>();
  for (const result of results) {
    const of = scenarioOf.get(result.scenario) ?? result.scenario;
    addTo(grouped, of, result);
  }
  return scenarios.flatMap((scenario) => {
    const made = grouped.get(scenario) ?? [];
    const passed = made.filter(({ result }) => result === "passed");
    const worst = made.find(({ result }) => result !== "passed");
    const first = passed[0] ?? made[0];
    if (!first) return [];
    if (scenario.repeat === 1) return [{ ...(worst ?? first), scenario }];
    const isPassed = passed.length >= scenario.pass;
    const shown = isPassed ? first : (worst ?? first);
    return [
      {
        ...shown,
        scenario,
        result: isPassed ? "passed" : shown.result,
        attempts: {
          passed: passed.length,
          made: made.filter(({ result: attemptResult }) => attemptResult !== "skipped").length,
          needed: scenario.pass,
        },
        milliseconds: made.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
      },
    ];
  });
}
