import { counted } from "../../../../base/text.js";
import type { Session } from "../../../session/session.js";
import type { LateCalls } from "./late-calls.js";
import type { PreparedScenario, ScenarioResult } from "./results.js";
import { runSuite, type SuiteListener, type SuitePlace } from "./run.js";

/** The calls that failed, once more: what could not be made or followed is no matter of another try. */
export async function callAgain({
  prepared,
  place,
  listener,
  results,
  late,
  round,
  of,
  session,
  isFailed,
}: {
  prepared: readonly PreparedScenario[];
  place: SuitePlace;
  listener: SuiteListener;
  results: ScenarioResult[];
  late: LateCalls;
  round: number;
  of: number;
  session: Session;
  isFailed(result: ScenarioResult): boolean;
}): Promise<void> {
  const failed = new Set(results.filter(isFailed).map(({ scenario }) => scenario));
  if (failed.size === 0) return;
  session.notes.note(`${counted(failed.size, "call")} again, try ${round} of ${of}`);
  const again: ScenarioResult[] = [];
  try {
    await runSuite(
      prepared.filter(({ scenario }) => failed.has(scenario)),
      place,
      listener,
      again,
      late,
    );
  } finally {
    for (const one of again) {
      const place = results.findIndex(({ scenario }) => scenario === one.scenario);
      if (one.result !== "skipped") results.splice(place, 1, { ...one, retries: round });
    }
  }
}
