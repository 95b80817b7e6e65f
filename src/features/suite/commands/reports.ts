import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { formatJunit, type JunitCase } from "../../../cli/output/junit.js";
import type { ResultFile } from "../../../cli/output/result-file.js";
import { saveFailure } from "../../../cli/output/save-results.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { createPaint } from "../../../cli/terminal/paint.js";
import { isOnlyDifferent } from "../baseline-checks.js";
import { formatResultSummary } from "../result-text.js";
import type { ScenarioResult } from "../results.js";
import { formatStepSummary } from "../step-summary.js";
import type { Scenario, Suite } from "../suite.js";
import { createNotMadeResults } from "./call-failure.js";
import { createGetCommand, formatDetails, type ResultStyle } from "./text.js";

/**
 * Runs `work`. If it fails before the first call, writes a report, because a CI system reads only the
 * reports.
 * @param work must call `preparing` with each scenario before it prepares the scenario
 */
export async function reportFailures<T>(
  session: Session,
  report: Report | undefined,
  suite: Suite,
  work: (preparing: (scenario: Scenario) => void) => Promise<T>,
): Promise<T> {
  let cause: Scenario | undefined;
  try {
    return await work((scenario) => {
      cause = scenario;
    });
  } catch (error) {
    const results = createNotMadeResults(suite.scenarios, error, { signal: session.signal, cause });
    return saveFailure(session, error, async () => report?.write(results));
  }
}

function toJunitCase(scenarioResult: ScenarioResult, style: ResultStyle): JunitCase {
  const { scenario, milliseconds, result, quarantinedUntil, retries = 0 } = scenarioResult;
  const summary = formatResultSummary(scenarioResult);
  const details = String(formatDetails(scenarioResult, style)) || summary;
  return {
    name: scenario.name,
    milliseconds,
    // A failed test would fail the CI job, but a quarantined scenario must not.
    result: quarantinedUntil === undefined ? result : "skipped",
    ...(isOnlyDifferent(scenarioResult) ? { type: "difference" } : {}),
    message: quarantinedUntil === undefined ? summary : `in quarantine until ${quarantinedUntil}: ${summary}`,
    text: retries > 0 ? `Result of retry ${retries}\n${details}` : details,
  };
}

export interface Report {
  /** Saves the results so far, in case the run is killed. */
  writeUnfinished(results: readonly ScenarioResult[]): Promise<void>;
  write(results: readonly ScenarioResult[]): Promise<void>;
}

export function createReport(
  session: Session,
  input: Input,
  suite: Suite,
  { junit, begun }: { junit: ResultFile | undefined; begun: number },
): Report {
  const { io, notes } = session;
  const formatGetCommand = createGetCommand(session, input.on("offline") === true);
  const plain = { paint: createPaint(false), columns: undefined, formatGetCommand };
  const summary = io.env.GITHUB_STEP_SUMMARY;
  const format = (results: readonly ScenarioResult[]) =>
    formatJunit(
      { name: suite.name, file: suite.file, begun },
      results.map((result) => toJunitCase(result, plain)),
    );
  return {
    async writeUnfinished(results) {
      // Ignore an unwritable file here, because `write` will report it.
      await junit?.writeUnfinished(format(results)).catch(() => {});
    },
    async write(results) {
      if (summary !== undefined && summary !== "")
        await appendFile(resolve(io.cwd, summary), formatStepSummary(suite, results)).catch(
          (error: unknown) =>
            notes.warn(`the step summary can't be written: ${describeFsError(error, "write")}`),
        );
      await junit?.write(format(results));
    },
  };
}
