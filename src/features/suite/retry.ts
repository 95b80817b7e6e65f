import type { LateCalls } from "./late-calls.js";
import type { PreparedScenario, ScenarioResult } from "./results.js";
import { runSuite, type SuiteListener, type SuiteTarget } from "./run.js";

/** Repeats failed calls, but not those with the result `error`. */
export async function retryFailedCalls({
  prepared,
  target,
  listener,
  results,
  late,
  round,
  announce,
  isFailed,
}: {
  prepared: readonly PreparedScenario[];
  target: SuiteTarget;
  listener: SuiteListener;
  results: ScenarioResult[];
  late: LateCalls;
  round: number;
  announce(calls: number): void;
  isFailed(result: ScenarioResult): boolean;
}): Promise<void> {
  const failed = new Set(results.filter(isFailed).map(({ scenario }) => scenario));
  if (failed.size === 0) return;
  announce(failed.size);
  const retried: ScenarioResult[] = [];
  try {
    await runSuite(
      prepared.filter(({ scenario }) => failed.has(scenario)),
      target,
      { ...listener, ended: (result) => listener.ended({ ...result, retries: round }) },
      retried,
      late,
    );
  } finally {
    for (const result of retried) {
      const index = results.findIndex(({ scenario }) => scenario === result.scenario);
      if (result.result === "skipped") continue;
      const milliseconds = result.milliseconds + (results[index]?.milliseconds ?? 0);
      results.splice(index, 1, { ...result, milliseconds, retries: round });
    }
  }
}
